package dev.weir.core.json;

import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Makes JSON that is kept for long: its objects take a third of the memory that they usually do. */
public final class CompactNodes extends JsonNodeFactory {
    /** The one there is. */
    public static final CompactNodes COMPACT = new CompactNodes();

    private static final long serialVersionUID = 1;

    private CompactNodes() {}

    @Override
    public ObjectNode objectNode() {
        return new ObjectNode(this, new SmallMap());
    }
}
