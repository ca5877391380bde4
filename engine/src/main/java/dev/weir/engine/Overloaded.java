package dev.weir.engine;

import java.time.Duration;

/** So much waits to be decided that no new runs are taken in. Nothing was done; it is safe to ask again, later. */
public final class Overloaded extends Unavailable {
    private static final long serialVersionUID = 1;

    public Overloaded(String message, Duration retryAfter) {
        super(message, retryAfter);
    }
}
