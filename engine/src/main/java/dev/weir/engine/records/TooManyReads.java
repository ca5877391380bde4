package dev.weir.engine.records;

import java.time.Duration;

/** An organisation reads more at once than its share; nothing was read, and it may ask again. */
public final class TooManyReads extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final transient Duration retryAfter;

    public TooManyReads(String message, Duration retryAfter) {
        super(message);
        this.retryAfter = retryAfter;
    }

    public Duration retryAfter() {
        return retryAfter;
    }
}
