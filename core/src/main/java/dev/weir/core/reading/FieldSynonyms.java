package dev.weir.core.reading;

import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;

/** Fields that may be written with another name. Weir's own name comes first. */
final class FieldSynonyms {
    private static final Map<String, List<String>> NAMES = Map.of(
            "workflow", List.of("workflow", "type", "id"),
            "triggers", List.of("triggers", "on"),
            "steps", List.of("steps", "modules"),
            "uses", List.of("uses", "module"),
            "needs", List.of("needs", "depends_on"),
            "flow_control", List.of("flow_control", "flowControl"));

    private FieldSynonyms() {}

    /** Returns all names of a field, Weir's own first. */
    static List<String> of(String field) {
        return NAMES.getOrDefault(field, List.of(field));
    }

    /**
     * Returns the pointer with the names that the document uses. A segment that is not in the document stays unchanged.
     */
    static String resolve(JsonNode root, String path) {
        var resolved = new StringBuilder();
        JsonNode node = root;
        for (String segment : path.substring(1).split("/", -1)) {
            String name = nameInDocument(node, segment);
            resolved.append('/').append(name);
            node = node.at(JsonPointer.compile("/" + name));
        }
        return resolved.toString();
    }

    private static String nameInDocument(JsonNode node, String segment) {
        if (node.isObject() && !node.has(segment)) {
            for (String name : of(segment)) {
                if (node.has(name)) {
                    return name;
                }
            }
        }
        return segment;
    }
}
