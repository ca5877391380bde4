package dev.weir.client;

import java.util.function.Consumer;

/** Tells a worker's user what goes wrong. A listener that fails itself ends nothing: the work goes on. */
final class Trouble {
    private final Consumer<String> listener;
    private volatile boolean failing;

    Trouble(Consumer<String> listener) {
        this.listener = listener;
    }

    void tell(String words) {
        try {
            listener.accept(words);
        } catch (RuntimeException e) {
            // There is nobody else to be told.
        }
    }

    /** Something that goes on by itself has failed; of several failures in a row the first is told. */
    void failed(String what, RuntimeException failure) {
        if (!failing) {
            failing = true;
            tell(what + " failed, and is tried again: " + failure);
        }
    }

    /** It has gone well again. */
    void over() {
        failing = false;
    }
}
