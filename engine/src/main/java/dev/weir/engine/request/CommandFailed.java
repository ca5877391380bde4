package dev.weir.engine.request;

/** Thrown if a command cannot be carried out because of its contents or a bug. Nothing of it was done. */
public final class CommandFailed extends RuntimeException {
    private static final long serialVersionUID = 1;

    public CommandFailed(String message) {
        super(message);
    }

    public CommandFailed(String message, Throwable cause) {
        super(message, cause);
    }
}
