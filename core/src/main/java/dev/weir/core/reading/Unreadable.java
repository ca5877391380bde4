package dev.weir.core.reading;

/** The text is no document at all: nothing after the place can be trusted. */
final class Unreadable extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient Refusal refusal;

    Unreadable(Position position, String message) {
        super(message);
        this.refusal = new Refusal(position, "", message);
    }

    Refusal refusal() {
        return refusal;
    }
}
