package dev.weir.core.expression;

import java.util.List;
import java.util.function.UnaryOperator;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A rendered template that can be stored: it contains only the names of secrets. Their values are inserted when a
 * worker gets the work.
 *
 * @param value the JSON, with null in place of each text that contains secrets
 * @param secretTexts those texts
 */
public record RenderedTemplate(JsonNode value, List<SecretText> secretTexts) {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    public RenderedTemplate {
        secretTexts = List.copyOf(secretTexts);
    }

    /**
     * Returns the JSON with the values of the secrets, which must not be stored. Data in the texts is inserted
     * unchanged and never evaluated.
     */
    public JsonNode insertSecrets(UnaryOperator<String> secrets) {
        JsonNode result = value.deepCopy();
        for (SecretText text : secretTexts) {
            var builder = new StringBuilder();
            text.parts.forEach(part -> builder.append(part.secret ? secrets.apply(part.text) : part.text));
            JsonNode leaf = NODES.stringNode(builder.toString());
            if (text.path.isEmpty()) {
                return leaf;
            }
            put(result, JsonPointer.compile(text.path), leaf);
        }
        return result;
    }

    private static void put(JsonNode root, JsonPointer path, JsonNode leaf) {
        JsonNode parent = root.at(path.head());
        JsonPointer last = path.last();
        switch (parent) {
            case ObjectNode object -> object.set(last.getMatchingProperty(), leaf);
            case ArrayNode array -> array.set(last.getMatchingIndex(), leaf);
            default -> throw new IllegalStateException("no place for a secret at " + path);
        }
    }

    /**
     * A text that contains secrets.
     *
     * @param path its position in the JSON, as a JSON pointer
     */
    public record SecretText(String path, List<Part> parts) {
        public SecretText {
            parts = List.copyOf(parts);
        }
    }

    /** A part of such a text: the name of a secret, or final text. */
    public record Part(boolean secret, String text) {}
}
