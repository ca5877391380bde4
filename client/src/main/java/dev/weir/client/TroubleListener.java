package dev.weir.client;

import java.util.function.Consumer;

/** Tells a worker's user about problems. An exception of the user's listener is ignored, so that the work continues. */
final class TroubleListener {
    private final Consumer<String> listener;
    private volatile boolean failing;

    TroubleListener(Consumer<String> listener) {
        this.listener = listener;
    }

    void report(String message) {
        try {
            listener.accept(message);
        } catch (RuntimeException e) {
            // Nobody else can be told.
        }
    }

    /** Reports the failure of a background task. In a series of failures only the first is reported. */
    void reportFailure(String activity, RuntimeException failure) {
        if (!failing) {
            failing = true;
            report(activity + " failed; the worker retries: " + failure);
        }
    }

    /** Ends a series of failures. */
    void recovered() {
        failing = false;
    }
}
