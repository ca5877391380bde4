package dev.weir.engine.shard;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;

/**
 * The messages that wait for a decision, in one queue per organisation. Organisations take turns, and messages of one
 * organisation keep their order. Safe for use by many threads.
 */
final class Mailbox {
    /** The default number of messages in one batch. */
    static final int BATCH_MAX = 2_000;
    /** The number of messages below which deciding ahead is not worth it; waiting for more is better. */
    static final int DECIDE_AHEAD_MIN = 64;
    /** The total size of the messages in one batch. */
    static final int BATCH_BYTES_MAX = 8 * 1024 * 1024;
    /** The number of starts of one organisation that may wait. */
    static final int NEW_WORK_MAX = 10_000;
    /** The number of waiting messages above which queries and polls are refused. */
    static final int READS_MAX = 50_000;
    /** The number of waiting messages of an organisation above which its own queries and polls are refused. */
    static final int READS_PER_ORGANISATION_MAX = 25_000;
    /** The number of messages that may wait in all. */
    static final int MESSAGES_MAX = 1_000_000;

    private final Map<String, ArrayDeque<Message<?>>> queues = new HashMap<>();
    /** Organisations with messages, in the order of their turns. */
    private final ArrayDeque<String> turns = new ArrayDeque<>();

    /** Messages of organisations that cannot be served now. They are in no batch, and do not count as waiting. */
    private final Map<String, ArrayDeque<Message<?>>> aside = new HashMap<>();

    private final int batchMax;
    private int size;

    Mailbox(int batchMax) {
        this.batchMax = batchMax;
    }

    /** Adds a message, or returns false if the mailbox is too full. New work is refused first, then reads. */
    synchronized boolean offer(Message<?> message) {
        ArrayDeque<Message<?>> waiting = aside.get(message.org);
        if (waiting != null) {
            return waiting.size() < (message.rank() == Message.Rank.VITAL ? MESSAGES_MAX : NEW_WORK_MAX)
                    && waiting.add(message);
        }
        int max = switch (message.rank()) {
            case NEW_WORK -> Math.min(READS_MAX, size - sizeOf(message.org) + NEW_WORK_MAX);
            case READ -> Math.min(READS_MAX, size - sizeOf(message.org) + READS_PER_ORGANISATION_MAX);
            case VITAL -> MESSAGES_MAX;
        };
        if (size >= max) {
            return false;
        }
        queue(message.org).addLast(message);
        size++;
        return true;
    }

    private int sizeOf(String org) {
        ArrayDeque<Message<?>> queue = queues.get(org);
        return queue == null ? 0 : queue.size();
    }

    private ArrayDeque<Message<?>> queue(String org) {
        return queues.computeIfAbsent(org, added -> {
            turns.addLast(added);
            return new ArrayDeque<>();
        });
    }

    synchronized int size() {
        return size;
    }

    synchronized boolean isEmpty() {
        return size == 0;
    }

    /** True if enough messages wait to decide some of them while a batch is being written. */
    synchronized boolean hasBacklog() {
        return size >= Math.min(DECIDE_AHEAD_MIN, batchMax);
    }

    /** Takes the next batch, one message of each organisation in turn, up to each organisation's maximum. */
    synchronized List<Message<?>> take(ToIntFunction<String> max) {
        List<Message<?>> batch = new ArrayList<>();
        List<String> full = new ArrayList<>();
        Map<String, Integer> taken = new HashMap<>();
        long bytes = 0;
        while (!turns.isEmpty() && batch.size() < batchMax) {
            String org = turns.removeFirst();
            if (taken.getOrDefault(org, 0) >= max.applyAsInt(org)) {
                full.add(org);
                continue;
            }
            ArrayDeque<Message<?>> queue = queue(org);
            Message<?> next = queue.getFirst();
            bytes += next.bytes();
            if (!batch.isEmpty() && bytes > BATCH_BYTES_MAX) {
                turns.addFirst(org);
                break;
            }
            batch.add(removeFirst(org, queue));
            taken.merge(org, 1, Integer::sum);
        }
        turns.addAll(full);
        return batch;
    }

    private Message<?> removeFirst(String org, ArrayDeque<Message<?>> queue) {
        size--;
        Message<?> first = queue.removeFirst();
        if (queue.isEmpty()) {
            queues.remove(org);
        } else {
            turns.addLast(org);
        }
        return first;
    }

    /** Puts messages back before all others of their organisations, in the given order. */
    synchronized void putBack(List<Message<?>> messages) {
        for (Message<?> message : messages.reversed()) {
            ArrayDeque<Message<?>> waiting = aside.get(message.org);
            if (waiting == null) {
                queue(message.org).addFirst(message);
                size++;
            } else {
                waiting.addFirst(message);
            }
        }
    }

    /** Sets the messages of an organisation aside, with those that still arrive, until {@link #resume}. */
    synchronized void setAside(String org) {
        if (!aside.containsKey(org)) {
            aside.put(org, new ArrayDeque<>(takeAll(org)));
        }
    }

    /** Lets the messages of an organisation be taken again. */
    synchronized void resume(String org) {
        ArrayDeque<Message<?>> waiting = aside.remove(org);
        if (waiting != null) {
            putBack(new ArrayList<>(waiting));
        }
    }

    /** Removes the messages that were set aside and arrived before the given time. */
    synchronized List<Message<?>> takeOlderAside(long before) {
        List<Message<?>> old = new ArrayList<>();
        for (ArrayDeque<Message<?>> waiting : aside.values()) {
            waiting.stream().filter(message -> message.arrivedAt < before).forEach(old::add);
            waiting.removeIf(message -> message.arrivedAt < before);
        }
        return old;
    }

    /** Removes all messages of an organisation. */
    synchronized List<Message<?>> takeAll(String org) {
        ArrayDeque<Message<?>> queue = queues.remove(org);
        if (queue == null) {
            return List.of();
        }
        turns.remove(org);
        size -= queue.size();
        return new ArrayList<>(queue);
    }

    /** Removes all messages. */
    synchronized List<Message<?>> takeAll() {
        List<Message<?>> all = new ArrayList<>();
        List.copyOf(aside.keySet()).forEach(this::resume);
        for (String org : List.copyOf(turns)) {
            all.addAll(takeAll(org));
        }
        return all;
    }

    /** Removes the messages that arrived before the given time. */
    synchronized List<Message<?>> takeOlder(long before) {
        List<Message<?>> old = new ArrayList<>();
        for (Message<?> message : takeAll()) {
            if (message.arrivedAt < before) {
                old.add(message);
            } else {
                queue(message.org).addLast(message);
                size++;
            }
        }
        return old;
    }
}
