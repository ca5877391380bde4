package dev.weir.core.reading;

/**
 * One error in a text.
 *
 * @param position the position in the text
 * @param path the JSON pointer into the definition; empty = the whole definition
 * @param message the expected value, the value that was found, and a suggestion if there is one
 */
public record ReadProblem(TextPosition position, String path, String message) {
    @Override
    public String toString() {
        String field = path.isEmpty() ? "" : path.substring(1).replace('/', '.') + ": ";
        return "line " + position.line() + ", column " + position.column() + ": " + field + message;
    }
}
