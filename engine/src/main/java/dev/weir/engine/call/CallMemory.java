package dev.weir.engine.call;

import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The memory that all calls in progress on a node share. A call takes memory three times, in this order: for its
 * request, for the bytes of its response, and for the value of the response. Each has its own budget, and a call that
 * has memory for a value waits only for the engine, so calls cannot deadlock. A call that waits keeps its claim and all
 * its allocations: it has started, and its response has not arrived.
 */
final class CallMemory {
    /** The number of parts of the memory. Values get two parts; requests and response bytes get one each. */
    private static final int PARTS = 4;

    private final ByteBudget requests;
    private final ByteBudget bodies;
    private final ByteBudget values;

    CallMemory(long bytes) {
        this.requests = new ByteBudget(bytes / PARTS);
        this.bodies = new ByteBudget(bytes / PARTS);
        this.values = new ByteBudget(bytes - 2 * (bytes / PARTS));
    }

    /** Creates the account of one call, which uses no memory yet. */
    MemoryAccount openAccount(String org) {
        return new MemoryAccount(org);
    }

    /** The number of calls that wait for memory. */
    int waiting() {
        return requests.waiting() + bodies.waiting() + values.waiting();
    }

    /** The bytes that calls use now. */
    long inUse() {
        return requests.inUse() + bodies.inUse() + values.inUse();
    }

    /** The memory that one call uses until it is closed. Only the thread of the call uses it. */
    final class MemoryAccount implements AutoCloseable {
        private final String org;
        private final List<Runnable> releases = new ArrayList<>();

        private MemoryAccount(String org) {
            this.org = org;
        }

        String org() {
            return org;
        }

        void takeForRequest(long bytes) throws InterruptedIOException {
            take(requests, bytes);
        }

        void takeForBody(long bytes) throws InterruptedIOException {
            take(bodies, bytes);
        }

        void takeForValue(long bytes) throws InterruptedIOException {
            take(values, bytes);
        }

        private void take(ByteBudget budget, long bytes) throws InterruptedIOException {
            ByteBudget.ByteRequest request = budget.request(org, bytes);
            releases.add(() -> budget.release(request));
            try {
                request.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("interrupted while the call waited for memory");
            }
        }

        @Override
        public void close() {
            releases.forEach(Runnable::run);
            releases.clear();
        }
    }
}
