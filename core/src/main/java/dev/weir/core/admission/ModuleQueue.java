package dev.weir.core.admission;

import dev.weir.core.heap.IndexedHeap;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** The polls for a module, and the classes of tickets that a poll for it could start. */
final class ModuleQueue extends IndexedHeap.Node {
    /**
     * Time after its last poll for which reservations are still kept for a module, in microseconds: the longest poll.
     */
    static final long SERVED_TIMEOUT_MICROS = 20_000_000;
    /** Time that a worker may take between two polls before the module counts as not polled for, in microseconds. */
    static final long REPOLL_TIMEOUT_MICROS = 1_000_000;

    final String name;
    final IndexedHeap<TicketClass> admissible = new IndexedHeap<>();
    private final ArrayDeque<Poll> polls = new ArrayDeque<>();
    /** Number of polls that have ended and are not yet removed. */
    private int endedPolls;

    private long lastPolledAt = Long.MIN_VALUE;
    private long lastClaimedAt = Long.MIN_VALUE;
    /** Number of ticket classes that belong to this module. */
    int classCount;
    /** Number of its tickets that wait, for whatever reason. */
    int waitingCount;
    /** Number of its allocations. */
    int runningCount;
    /** Its tickets that are parked. Those of a class that stands for others count for the limit that held them last. */
    final HeldCounts held;

    boolean queuedForDrop;

    ModuleQueue(String name, HeldCounts total) {
        this.name = name;
        this.held = new HeldCounts(total);
    }

    void addPoll(Poll poll, long now) {
        polls.add(poll);
        lastPolledAt = now;
    }

    /** Records that a caller claims steps of it by name. Other steps may be claimed too, but nobody polls for them. */
    void recordClaim(long now) {
        lastClaimedAt = now;
    }

    /** The poll that has waited longest. It removes ended polls on the way. */
    @Nullable
    Poll firstPoll() {
        Poll first = polls.peek();
        while (first != null && !first.isOpen()) {
            polls.remove();
            endedPolls--;
            first = polls.peek();
        }
        return first;
    }

    /**
     * Records that a poll has ended. It is removed when it reaches the front, or when more than half of all have ended.
     */
    void recordPollEnd(long now) {
        lastPolledAt = now;
        endedPolls++;
        if (2 * endedPolls > polls.size()) {
            polls.removeIf(poll -> !poll.isOpen());
            endedPolls = 0;
        }
    }

    /** True if somebody polls now or did recently, or has recently claimed steps of it by name. */
    boolean isServed(long now) {
        return firstPoll() != null || Math.max(lastPolledAt, lastClaimedAt) > now - SERVED_TIMEOUT_MICROS;
    }

    /** True if nobody polls for it, and it has no classes and no allocations. */
    boolean isUnused() {
        return classCount == 0 && runningCount == 0 && firstPoll() == null;
    }

    /** True if somebody polls now, or is about to poll again. */
    boolean isPolled(long now) {
        return firstPoll() != null || lastPolledAt > now - REPOLL_TIMEOUT_MICROS;
    }

    /** The time when the module counts as unserved if nobody polls any more. */
    long servedUntil() {
        return Math.max(lastPolledAt, lastClaimedAt) + SERVED_TIMEOUT_MICROS;
    }

    boolean isMatchable() {
        return !admissible.isEmpty() && firstPoll() != null;
    }

    private TicketClass best() {
        TicketClass best = admissible.peek();
        if (best == null) {
            throw new IllegalStateException("expected a module with an admissible class, found none: " + name);
        }
        return best;
    }

    @Override
    protected long rank() {
        return best().rank();
    }

    @Override
    protected int compareWithinRank(IndexedHeap.Node other) {
        return best().compareWithinRank(((ModuleQueue) other).best());
    }
}
