package dev.weir.engine.journal;

/**
 * Thrown by a load that has read as many definitions as one pass may read. Nothing is wrong: the next pass loads the
 * organisation again and finds these definitions in memory.
 */
public final class LoadUnfinished extends RuntimeException {
    private static final long serialVersionUID = 1;

    public LoadUnfinished(String message) {
        super(message, null, false, false);
    }
}
