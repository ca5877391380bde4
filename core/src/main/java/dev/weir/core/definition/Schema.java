package dev.weir.core.definition;

import dev.weir.core.json.CanonicalJson;
import tools.jackson.databind.JsonNode;

/** A JSON Schema (draft 2020-12) that a run's input or a step's output must fit. */
public record Schema(JsonNode document) {
    public Schema {
        document = CanonicalJson.of(document);
        if (!document.isObject() && !document.isBoolean()) {
            throw new InvalidDefinition("", "a JSON Schema: an object", Require.quoted(document.toString()));
        }
    }
}
