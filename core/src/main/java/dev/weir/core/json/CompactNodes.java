package dev.weir.core.json;

import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Creates JSON nodes that stay in memory for long. Its objects take a third of the usual memory. */
public final class CompactNodes extends JsonNodeFactory {
    /** The only instance. */
    public static final CompactNodes COMPACT = new CompactNodes();

    private static final long serialVersionUID = 1;

    private CompactNodes() {}

    @Override
    public ObjectNode objectNode() {
        return new ObjectNode(this, new CompactMap());
    }
}
