package dev.weir.core.definition;

/**
 * One thing that is wrong with a definition.
 *
 * @param path where, as a JSON pointer from the value that was being made, such as {@code /steps/2/slots}
 * @param expected what would have been right
 * @param found what was there instead
 */
public record Problem(String path, String expected, String found) {
    @Override
    public String toString() {
        return (path.isEmpty() ? "" : path.substring(1) + ": ") + "expected " + expected + ", found " + found;
    }
}
