package dev.weir.core.reading;

/**
 * One thing that is wrong with a text.
 *
 * @param position where in the text
 * @param path where in the definition, as a JSON pointer; empty = the whole
 * @param message what was expected, what was found, and what may have been meant
 */
public record Refusal(Position position, String path, String message) {
    @Override
    public String toString() {
        String field = path.isEmpty() ? "" : path.substring(1).replace('/', '.') + ": ";
        return "line " + position.line() + ", column " + position.column() + ": " + field + message;
    }
}
