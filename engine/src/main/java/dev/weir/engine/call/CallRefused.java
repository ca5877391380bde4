package dev.weir.engine.call;

/** Thrown for a call that Weir does not make, or whose response it does not accept. A retry would fail too. */
final class CallRefused extends RuntimeException {
    private static final long serialVersionUID = 1;

    CallRefused(String message) {
        super(message);
    }
}
