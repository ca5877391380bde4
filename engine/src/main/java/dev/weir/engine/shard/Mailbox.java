package dev.weir.engine.shard;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;

/**
 * What is to be decided, in a queue for each organisation; organisations take turns. Order within an organisation is
 * kept. Safe for many threads.
 */
final class Mailbox {
    /** Messages of one batch, where nobody wants less. */
    static final int BATCH_MAX = 2_000;
    /** With less than this there is little to decide while a batch is written: it is better to wait for more of it. */
    static final int AHEAD_MIN = 64;
    /** The weight of one batch. */
    static final int BATCH_BYTES_MAX = 8 * 1024 * 1024;
    /** Starts of one organisation that may wait here. */
    static final int NEW_WORK_MAX = 10_000;
    /** Messages that may wait here before nobody may look or ask for work any more. */
    static final int READS_MAX = 50_000;
    /** Messages that may wait here at all. */
    static final int ALL_MAX = 1_000_000;

    private final Map<String, ArrayDeque<Message<?>>> queues = new HashMap<>();
    /** Organisations with messages, in the order of their turns. */
    private final ArrayDeque<String> turns = new ArrayDeque<>();

    private final int batchMax;
    private int size;

    Mailbox(int batchMax) {
        this.batchMax = batchMax;
    }

    /** Takes a message in, or says that there is too much already: new work first, then reads. */
    synchronized boolean offer(Message<?> message) {
        int most = switch (message.rank()) {
            case NEW_WORK -> Math.min(READS_MAX, size - sizeOf(message.org) + NEW_WORK_MAX);
            case READ -> READS_MAX;
            case VITAL -> ALL_MAX;
        };
        if (size >= most) {
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

    /** Whether so much waits that some of it should be decided while a batch is written. */
    synchronized boolean isMuch() {
        return size >= Math.min(AHEAD_MIN, batchMax);
    }

    /** The next batch, one message of each organisation in turn; of an organisation no more than it may have. */
    synchronized List<Message<?>> take(ToIntFunction<String> most) {
        List<Message<?>> batch = new ArrayList<>();
        List<String> full = new ArrayList<>();
        Map<String, Integer> taken = new HashMap<>();
        long bytes = 0;
        while (!turns.isEmpty() && batch.size() < batchMax) {
            String org = turns.removeFirst();
            if (taken.getOrDefault(org, 0) >= most.applyAsInt(org)) {
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

    /** Puts messages back before all others of their organisations, in the order in which they are given. */
    synchronized void putBack(List<Message<?>> messages) {
        for (Message<?> message : messages.reversed()) {
            queue(message.org).addFirst(message);
            size++;
        }
    }

    /** Takes out all messages of an organisation. */
    synchronized List<Message<?>> takeAll(String org) {
        ArrayDeque<Message<?>> queue = queues.remove(org);
        if (queue == null) {
            return List.of();
        }
        turns.remove(org);
        size -= queue.size();
        return new ArrayList<>(queue);
    }

    /** Takes out everything. */
    synchronized List<Message<?>> takeAll() {
        List<Message<?>> all = new ArrayList<>();
        for (String org : List.copyOf(turns)) {
            all.addAll(takeAll(org));
        }
        return all;
    }

    /** Takes out what came before the given time. */
    synchronized List<Message<?>> takeOlder(long before) {
        List<Message<?>> old = new ArrayList<>();
        for (Message<?> message : takeAll()) {
            if (message.since < before) {
                old.add(message);
            } else {
                queue(message.org).addLast(message);
                size++;
            }
        }
        return old;
    }
}
