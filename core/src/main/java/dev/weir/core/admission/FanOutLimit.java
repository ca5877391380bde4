package dev.weir.core.admission;

/** The number of items of one {@code with_items} step that are in flight, and its limit. */
public final class FanOutLimit {
    private final int concurrency;
    int inFlight;
    /** The recomputation in which the items in flight were counted. Items that an older one counted no longer count. */
    private int recomputation;

    private boolean closed;

    public FanOutLimit(int concurrency) {
        if (concurrency < 1) {
            throw new IllegalArgumentException("concurrency must be at least 1, found " + concurrency);
        }
        this.concurrency = concurrency;
    }

    public int concurrency() {
        return concurrency;
    }

    public int inFlight() {
        return inFlight;
    }

    /** Stops further items from starting while they are withdrawn, a few at a time. */
    public void close() {
        closed = true;
    }

    void reopen() {
        closed = false;
    }

    boolean isClosed() {
        return closed;
    }

    boolean isFull(int current) {
        return inFlight(current) >= concurrency;
    }

    /** The number of items in flight that the run has counted since that recomputation began. */
    int inFlight(int current) {
        if (recomputation != current) {
            recomputation = current;
            inFlight = 0;
        }
        return inFlight;
    }

    void take(int current) {
        inFlight = inFlight(current) + 1;
    }

    void release(int current) {
        inFlight = Math.max(0, inFlight(current) - 1);
    }
}
