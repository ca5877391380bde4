package dev.weir.engine;

/**
 * What a node is told when it is opened.
 *
 * @param node its name, which must differ from those of other nodes on the same store
 */
public record Settings(String node) {
    public Settings {
        if (node.isBlank()) {
            throw new IllegalArgumentException("a node needs a name, found none");
        }
    }
}
