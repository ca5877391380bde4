package dev.weir.engine.request;

import java.time.Duration;

/** Thrown if an organisation reads more at once than its share. Nothing was read; the caller may ask again. */
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
