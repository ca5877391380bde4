package dev.weir.core.expression;

/** Refusal of a template that does not compile. */
public final class InvalidExpression extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final String path;
    private final int offset;
    private final String detail;

    InvalidExpression(String path, int offset, String detail) {
        super((path.isEmpty() ? "" : path + " ") + "at character " + offset + ": " + detail);
        this.path = path;
        this.offset = offset;
        this.detail = detail;
    }

    /** The JSON pointer to the text with the expression, relative to the template. */
    public String path() {
        return path;
    }

    /** The position of the error in that text, in characters. */
    public int offset() {
        return offset;
    }

    public String detail() {
        return detail;
    }

    InvalidExpression withOffsetShiftedBy(int characters) {
        return new InvalidExpression(path, offset + characters, detail);
    }

    InvalidExpression withPathPrefix(String prefix) {
        return new InvalidExpression(prefix + path, offset, detail);
    }
}
