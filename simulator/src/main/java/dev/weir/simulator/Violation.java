package dev.weir.simulator;

import org.jspecify.annotations.Nullable;

/** Thrown when a promise is broken. */
public final class Violation extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String promise;

    Violation(String promise, String message) {
        super(promise + ": " + message);
        this.promise = promise;
    }

    /** The promise that was broken, such as S1. */
    public String promise() {
        return promise;
    }

    @SuppressWarnings("AnnotateFormatMethod") // every message here is a literal with nothing but %s in it
    static void require(boolean condition, String promise, String message, @Nullable Object... arguments) {
        if (!condition) {
            throw new Violation(promise, String.format(message, arguments));
        }
    }
}
