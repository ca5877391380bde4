package dev.weir.engine;

import dev.weir.engine.call.Secrets;

/**
 * What a node is told when it is opened.
 *
 * @param node its name, which must differ from those of other nodes on the same store
 * @param secrets what stands for the names in the inputs of steps that this process works on
 */
public record Settings(String node, Secrets secrets) {
    public Settings {
        if (node.isBlank()) {
            throw new IllegalArgumentException("a node needs a name, found none");
        }
    }

    public Settings(String node) {
        this(node, Secrets.none());
    }
}
