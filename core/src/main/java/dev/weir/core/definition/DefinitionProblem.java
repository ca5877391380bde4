package dev.weir.core.definition;

/**
 * One error in a definition.
 *
 * @param path the position of the error, as a JSON pointer from the value under construction, such as {@code
 *     /steps/2/slots}
 * @param expected a description of a correct value
 * @param found the value that was there instead
 */
public record DefinitionProblem(String path, String expected, String found) {
    @Override
    public String toString() {
        return (path.isEmpty() ? "" : path.substring(1) + ": ") + "expected " + expected + ", found " + found;
    }
}
