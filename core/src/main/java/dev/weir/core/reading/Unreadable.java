package dev.weir.core.reading;

import dev.weir.core.definition.Bounds;

/** The text is no document at all: nothing after the place can be trusted. */
final class Unreadable extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient Refusal refusal;

    Unreadable(Position position, String message) {
        super(message);
        this.refusal = new Refusal(position, "", message);
    }

    static Unreadable longName(Position position, String name) {
        String expected = "expected names of at most " + Bounds.DEFINITION_NAME_CHARS_MAX + " characters";
        return new Unreadable(position, expected + ", found one of " + name.length());
    }

    Refusal refusal() {
        return refusal;
    }
}
