package dev.weir.engine;

import java.time.Duration;

/** It cannot be told now whether a command was carried out, or nobody can carry it out now; it is safe to ask again. */
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
