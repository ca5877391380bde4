package dev.weir.engine.journal;

/**
 * Thrown by a quick load of an organisation that turns out to be large. Nothing is wrong: a thorough load reads it, and
 * other loads do not wait for it.
 */
public final class LoadUnfinished extends RuntimeException {
    private static final long serialVersionUID = 1;

    public LoadUnfinished(String message) {
        super(message, null, false, false);
    }
}
