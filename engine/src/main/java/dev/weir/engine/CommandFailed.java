package dev.weir.engine;

/** A command that cannot be carried out because of what is in it, or of a bug; nothing of it was done. */
public final class CommandFailed extends RuntimeException {
    private static final long serialVersionUID = 1;

    public CommandFailed(String message) {
        super(message);
    }

    public CommandFailed(String message, Throwable cause) {
        super(message, cause);
    }
}
