package dev.weir.core.reading;

import dev.weir.core.definition.DefinitionBounds;

/** Thrown if a text is not a document at all. Nothing after the position of the error can be trusted. */
final class UnreadableText extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient ReadProblem problem;

    UnreadableText(TextPosition position, String message) {
        super(message);
        this.problem = new ReadProblem(position, "", message);
    }

    static UnreadableText nameTooLong(TextPosition position, String name) {
        String expected = "expected names of at most " + DefinitionBounds.DEFINITION_NAME_CHARS_MAX + " characters";
        return new UnreadableText(position, expected + ", found one of " + name.length());
    }

    ReadProblem problem() {
        return problem;
    }
}
