package dev.weir.engine.call;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/**
 * A number of bytes that the calls of all organisations share. A request that does not fit waits; it never fails.
 * Organisations take turns. An organisation that already has bytes may have at most twice as many as remain free, so
 * that others find some. An organisation that has none is never overtaken, so that a large request does not starve
 * behind small ones.
 */
final class ByteBudget {
    private static final int USED_PER_FREE = 2;

    private final long total;
    private long free;
    private final Map<String, Long> usedByOrg = new HashMap<>();
    /** The waiting requests by organisation; the organisation whose turn is next comes first. */
    private final Map<String, Deque<ByteRequest>> waiting = new LinkedHashMap<>();

    ByteBudget(long total) {
        this.total = total;
        this.free = total;
    }

    /** A request for bytes. It waits, or has them until it is given back. */
    static final class ByteRequest {
        private final String org;
        private final long bytes;
        private final CountDownLatch granted = new CountDownLatch(1);

        private ByteRequest(String org, long bytes) {
            this.org = org;
            this.bytes = bytes;
        }

        boolean isGranted() {
            return granted.getCount() == 0;
        }

        void await() throws InterruptedException {
            granted.await();
        }
    }

    /** Requests bytes. A request for more than the total is reduced to the total. */
    synchronized ByteRequest request(String org, long bytes) {
        var request = new ByteRequest(org, Math.min(bytes, total));
        waiting.computeIfAbsent(org, ignored -> new ArrayDeque<>()).add(request);
        grant();
        return request;
    }

    /** Returns the bytes of a request, or withdraws it if it still waits. */
    synchronized void release(ByteRequest request) {
        if (request.isGranted()) {
            free += request.bytes;
            usedByOrg.computeIfPresent(
                    request.org, (ignored, bytes) -> bytes == request.bytes ? null : (Long) (bytes - request.bytes));
        } else {
            Deque<ByteRequest> queue = waiting.get(request.org);
            if (queue != null && queue.remove(request) && queue.isEmpty()) {
                waiting.remove(request.org);
            }
        }
        grant();
    }

    synchronized int waiting() {
        return waiting.values().stream().mapToInt(Deque::size).sum();
    }

    synchronized long inUse() {
        return total - free;
    }

    private void grant() {
        while (grantNext()) {
            // Each grant moves its organisation to the end of the queue, and changes what the others may have.
        }
    }

    /** Grants one request, if one can be granted. */
    private boolean grantNext() {
        for (Iterator<Map.Entry<String, Deque<ByteRequest>>> all =
                        waiting.entrySet().iterator();
                all.hasNext(); ) {
            Map.Entry<String, Deque<ByteRequest>> entry = all.next();
            Deque<ByteRequest> queue = entry.getValue();
            ByteRequest first = queue.element();
            long used = usedByOrg.getOrDefault(first.org, 0L);
            if (first.bytes > free && used == 0) {
                return false;
            }
            if (first.bytes <= free && (used == 0 || used + first.bytes <= USED_PER_FREE * (free - first.bytes))) {
                queue.remove();
                all.remove();
                if (!queue.isEmpty()) {
                    waiting.put(first.org, queue);
                }
                free -= first.bytes;
                usedByOrg.merge(first.org, first.bytes, Long::sum);
                first.granted.countDown();
                return true;
            }
        }
        return false;
    }
}
