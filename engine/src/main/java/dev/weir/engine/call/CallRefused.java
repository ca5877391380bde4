package dev.weir.engine.call;

/** A call that Weir does not make; trying again would be in vain. */
final class CallRefused extends RuntimeException {
    private static final long serialVersionUID = 1;

    CallRefused(String message) {
        super(message);
    }
}
