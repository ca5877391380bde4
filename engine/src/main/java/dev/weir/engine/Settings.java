package dev.weir.engine;

import dev.weir.engine.call.CallSettings;
import dev.weir.engine.call.Secrets;

/**
 * What a node is told when it is opened.
 *
 * @param node its name, which must differ from those of other nodes on the same store
 * @param secrets what stands for the names in the inputs of steps that this process works on, calls among them
 * @param calls how many HTTP calls it makes at once, and where they may go
 */
public record Settings(String node, Secrets secrets, CallSettings calls) {
    public Settings {
        if (node.isBlank()) {
            throw new IllegalArgumentException("a node needs a name, found none");
        }
    }

    public Settings(String node) {
        this(node, Secrets.none());
    }

    public Settings(String node, Secrets secrets) {
        this(node, secrets, CallSettings.DEFAULT);
    }
}
