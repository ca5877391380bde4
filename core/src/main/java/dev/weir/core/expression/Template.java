package dev.weir.core.expression;

import dev.weir.core.json.CanonicalJson;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Literal JSON in which strings may hold {@code ${{ expressions }}}; two templates are equal when their sources are. */
public final class Template {
    private final JsonNode source;

    private Template(JsonNode source) {
        this.source = CanonicalJson.of(source);
    }

    public static Template of(JsonNode source) {
        return new Template(source);
    }

    public static Template of(String source) {
        return new Template(JsonNodeFactory.instance.stringNode(source));
    }

    /** An object without fields: the default of everything that is handed on. */
    public static Template emptyObject() {
        return new Template(JsonNodeFactory.instance.objectNode());
    }

    /** The JSON as it was written, expressions unevaluated. */
    public JsonNode source() {
        return source;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Template that && source.equals(that.source);
    }

    @Override
    public int hashCode() {
        return source.hashCode();
    }

    @Override
    public String toString() {
        return source.toString();
    }
}
