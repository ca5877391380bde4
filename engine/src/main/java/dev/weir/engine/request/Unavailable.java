package dev.weir.engine.request;

import java.time.Duration;

/**
 * Thrown if the outcome of a command is unknown, or if it cannot be carried out now. The caller can safely ask again.
 */
public sealed class Unavailable extends RuntimeException permits Overloaded {
    private static final long serialVersionUID = 1;
    private final transient Duration retryAfter;

    public Unavailable(String message, Duration retryAfter) {
        super(message);
        this.retryAfter = retryAfter;
    }

    public final Duration retryAfter() {
        return retryAfter;
    }
}
