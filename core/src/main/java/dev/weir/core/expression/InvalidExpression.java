package dev.weir.core.expression;

/** A template that was refused when it was compiled. */
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

    /** The text that holds the expression, as a JSON pointer into the template. */
    public String path() {
        return path;
    }

    /** The character of that text at which it is wrong. */
    public int offset() {
        return offset;
    }

    public String detail() {
        return detail;
    }

    InvalidExpression movedBy(int characters) {
        return new InvalidExpression(path, offset + characters, detail);
    }

    InvalidExpression under(String prefix) {
        return new InvalidExpression(prefix + path, offset, detail);
    }
}
