package dev.weir.engine.request;

import java.time.Duration;

/**
 * Thrown if too many messages wait, so that no new runs are accepted. Nothing was done; the caller can safely ask again
 * later.
 */
public final class Overloaded extends Unavailable {
    private static final long serialVersionUID = 1;

    public Overloaded(String message, Duration retryAfter) {
        super(message, retryAfter);
    }
}
