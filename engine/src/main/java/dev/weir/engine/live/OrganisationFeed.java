package dev.weir.engine.live;

import dev.weir.core.state.Move;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The changes of one organisation and their readers. The shard's loop only puts changes into a queue, without a lock; a
 * thread of its own moves them into the buffer that the readers share. A reader is a position in that buffer, so a slow
 * one occupies no memory.
 */
final class OrganisationFeed {
    /** The number of readers of one organisation. */
    static final int READERS_MAX = 500;
    /** The changes that may wait for the buffer. More than that are dropped, and the readers are told. */
    static final int PENDING_MAX = 100_000;
    /** The time for which changes are kept, and for which the feed outlives its last reader. */
    static final Duration RETENTION = Duration.ofMinutes(6);
    /** The number of changes that a reader examines while it has the lock. */
    static final int SCAN_MAX = 1_024;
    /** The number of changes that a reader receives at once. */
    static final int BATCH_MAX = 256;

    private static final String OVERFLOW = "changes were dropped because there were too many";

    final int shard;
    private final KeyLevels levels;
    private final ConcurrentLinkedQueue<PendingChanges> pending = new ConcurrentLinkedQueue<>();
    private final AtomicInteger pendingCount = new AtomicInteger();
    private final AtomicReference<@Nullable String> pendingReset = new AtomicReference<>();
    /** The keys that readers want; null = all. */
    private volatile @Nullable Set<String> watchedKeys = Set.of();

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ChangeBuffer buffer = new ChangeBuffer();
    private final Set<Subscription> readers = new HashSet<>();
    /** Identifies the numbers of this feed since the last reset. */
    private String generation = newGeneration();

    private String resetReason = "";
    private long lastReaderAt;

    /** Changes that wait for the buffer, and the keys that they concern. */
    private record PendingChanges(List<ChangeEvent> events, Set<String> keys) {}

    OrganisationFeed(int shard, KeyLevels levels, long nanos) {
        this.shard = shard;
        this.levels = levels;
        this.lastReaderAt = nanos;
    }

    private static String newGeneration() {
        return UUID.randomUUID().toString().replace("-", "");
    }

    /** Queues the changes of a commit. Called by the shard's loop. */
    void offer(List<Move> moves) {
        List<ChangeEvent> events = new ArrayList<>();
        Set<String> keys = new LinkedHashSet<>();
        Set<String> watched = watchedKeys;
        for (Move move : moves) {
            ChangeEvent event = MoveEvents.of(move);
            if (event != null) {
                events.add(event);
            }
            if (watched == null || !watched.isEmpty()) {
                MoveEvents.forEachKey(move, keys::add);
            }
        }
        if (watched != null) {
            keys.retainAll(watched);
        }
        offer(new PendingChanges(events, keys));
    }

    /** Queues changes that concern no keys. */
    void offerEvents(List<ChangeEvent> events) {
        offer(new PendingChanges(events, Set.of()));
    }

    private void offer(PendingChanges changes) {
        int size = changes.events.size() + changes.keys.size();
        if (size > 0 && pendingCount.addAndGet(size) > PENDING_MAX) {
            pendingCount.addAndGet(-size);
            reset(OVERFLOW);
        } else if (size > 0) {
            pending.add(changes);
        }
    }

    /** Tells all readers, present and future ones, that changes may be missing. */
    void reset(String reason) {
        pendingReset.set(reason);
    }

    /** Moves the queued changes into the buffer. Returns true if there were any. Called by one thread only. */
    boolean drain(long nanos, long bytesMax) {
        List<ChangeEvent> arrived = new ArrayList<>();
        for (PendingChanges next = pending.poll(); next != null; next = pending.poll()) {
            arrived.addAll(next.events);
            levels.touch(next.keys);
            pendingCount.addAndGet(-next.events.size() - next.keys.size());
        }
        arrived.addAll(levels.takeChanged());
        String reset = pendingReset.getAndSet(null);
        lock.lock();
        try {
            buffer.removeBefore(nanos - RETENTION.toNanos());
            arrived.forEach(event -> buffer.add(event, nanos, bytesMax));
            if (reset != null) {
                buffer.clear();
                generation = newGeneration();
                resetReason = reset;
            }
            if (reset != null || !arrived.isEmpty()) {
                changed.signalAll();
                return true;
            }
            return false;
        } finally {
            lock.unlock();
        }
    }

    /** Asks for the present levels of keys. Returns the time in nanoseconds until it must be called again. */
    long readLevels(long nanos) {
        return levels.advance(nanos, watchedKeys);
    }

    /** Adds a reader; returns null if there are too many. */
    @Nullable
    Subscription add(ChangeFilter filter, @Nullable String lastId, Runnable onClose) {
        lock.lock();
        try {
            if (readers.size() >= READERS_MAX) {
                return null;
            }
            long resumeAt = lastId == null ? -1 : position(lastId);
            ChangeBatch begin = resumeAt >= 0
                    ? null
                    : lastId == null
                            ? batch(ChangeBatch.Kind.OPENED, "")
                            : batch(ChangeBatch.Kind.RESET, "the last event id is unknown or too old");
            var reader = new Subscription(this, filter, onClose, begin);
            reader.generation = generation;
            reader.position = resumeAt >= 0 ? resumeAt : buffer.next();
            readers.add(reader);
            updateWatched();
            return reader;
        } finally {
            lock.unlock();
        }
    }

    /** Returns the number of the change after this id; -1 if that change is not known any more, or never was. */
    private long position(String lastId) {
        int dash = lastId.indexOf('-');
        if (dash < 0 || !lastId.substring(0, dash).equals(generation)) {
            return -1;
        }
        try {
            long number = Long.parseLong(lastId, dash + 1, lastId.length(), 10) + 1;
            return number >= buffer.first() && number <= buffer.next() ? number : -1;
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    private String id(long number) {
        return generation + "-" + number;
    }

    private ChangeBatch batch(ChangeBatch.Kind kind, String reason) {
        return new ChangeBatch(kind, reason, List.of(), id(buffer.next() - 1));
    }

    private void updateWatched() {
        Set<String> keys = new HashSet<>();
        boolean all = false;
        for (Subscription reader : readers) {
            if (reader.filter.wantsKeys()) {
                String key = reader.filter.key();
                all |= key == null;
                if (key != null) {
                    keys.add(key);
                }
            }
        }
        watchedKeys = all ? null : keys;
    }

    /** Waits for the next part of a reader's changes. */
    ChangeBatch next(Subscription reader, Duration timeout) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        ChangeBatch found = search(reader, deadline);
        while (found == null) {
            // Others get the lock between two parts of a long search.
            found = search(reader, deadline);
        }
        return found;
    }

    /** Searches a part of the buffer, and waits at its end. Returns null if there is more to search. */
    private @Nullable ChangeBatch search(Subscription reader, long deadline) throws InterruptedException {
        lock.lock();
        try {
            while (reader.endReason == null && isComplete(reader) && reader.position == buffer.next()) {
                long remaining = deadline - System.nanoTime();
                if (remaining <= 0) {
                    return new ChangeBatch(ChangeBatch.Kind.IDLE, "", List.of(), id(reader.position - 1));
                }
                long unused = changed.awaitNanos(remaining);
            }
            if (reader.endReason != null) {
                return new ChangeBatch(ChangeBatch.Kind.ENDED, reader.endReason, List.of(), "");
            }
            if (!isComplete(reader)) {
                String reason = reader.generation.equals(generation) ? OVERFLOW : resetReason;
                reader.generation = generation;
                reader.position = buffer.next();
                return batch(ChangeBatch.Kind.RESET, reason);
            }
            List<ChangeBatch.NumberedChange> found = scan(reader);
            return found.isEmpty()
                    ? null
                    : new ChangeBatch(ChangeBatch.Kind.CHANGES, "", found, id(reader.position - 1));
        } finally {
            lock.unlock();
        }
    }

    /** True if the buffer contains every change that the reader has not seen. */
    private boolean isComplete(Subscription reader) {
        return reader.generation.equals(generation) && reader.position >= buffer.first();
    }

    private List<ChangeBatch.NumberedChange> scan(Subscription reader) {
        List<ChangeBatch.NumberedChange> found = new ArrayList<>();
        long end = Math.min(buffer.next(), reader.position + SCAN_MAX);
        while (reader.position < end && found.size() < BATCH_MAX) {
            ChangeEvent event = buffer.get(reader.position);
            if (reader.filter.matches(event)) {
                found.add(new ChangeBatch.NumberedChange(id(reader.position), event));
            }
            reader.position++;
        }
        return found;
    }

    void remove(Subscription reader) {
        lock.lock();
        try {
            if (readers.remove(reader)) {
                lastReaderAt = System.nanoTime();
                updateWatched();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Ends all readers. */
    void end(String reason) {
        lock.lock();
        try {
            readers.forEach(reader -> reader.endReason = reason);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** True if it has had no reader for so long that nobody resumes. */
    boolean isExpired(long nanos) {
        lock.lock();
        try {
            return readers.isEmpty() && nanos - lastReaderAt > RETENTION.toNanos();
        } finally {
            lock.unlock();
        }
    }

    long bytes() {
        lock.lock();
        try {
            return buffer.bytes();
        } finally {
            lock.unlock();
        }
    }
}
