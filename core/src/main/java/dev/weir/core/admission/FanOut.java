package dev.weir.core.admission;

/** The items of one {@code with_items} step that are in flight, and how many may be. */
public final class FanOut {
    private final int concurrency;
    private int inFlight;
    private boolean closed;

    public FanOut(int concurrency) {
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

    /** Lets no more items start while they are taken out, a few at a time. */
    public void close() {
        closed = true;
    }

    void open() {
        closed = false;
    }

    boolean closed() {
        return closed;
    }

    boolean full() {
        return inFlight >= concurrency;
    }

    void take() {
        inFlight++;
    }

    void release() {
        inFlight--;
    }
}
