package dev.weir.postgres.json;

import dev.weir.core.json.CompactNodes;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.io.JsonStringEncoder;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.IntNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.LongNode;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/** JSON in rows. It can always be read again, whatever limits apply to requests. */
public final class StoredJson {
    static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private static final JsonMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(Integer.MAX_VALUE)
                            .maxNumberLength(Integer.MAX_VALUE)
                            .maxStringLength(Integer.MAX_VALUE)
                            .maxNameLength(Integer.MAX_VALUE)
                            .build())
                    .build())
            .nodeFactory(CompactNodes.COMPACT)
            .build();

    private static final JsonStringEncoder STRING_ENCODER = JsonStringEncoder.getInstance();
    private static final int INITIAL_CHARS = 64;
    /** The depth from which Jackson writes the value, because it needs no stack space per level. */
    private static final int DEPTH_MAX = 100;

    private StoredJson() {}

    public static JsonNode read(String text) {
        return MAPPER.readTree(text);
    }

    public static @Nullable JsonNode readNullable(@Nullable String text) {
        return text == null ? null : read(text);
    }

    /**
     * Returns the same text as Jackson would. It creates no generator for each value, because most values have only a
     * few fields.
     */
    public static String text(JsonNode value) {
        var text = new StringBuilder(INITIAL_CHARS);
        write(value, text, 0);
        return text.toString();
    }

    /** Appends the text of a value to a longer text, without a copy of it. */
    public static void append(JsonNode value, StringBuilder text) {
        write(value, text, 0);
    }

    private static void write(JsonNode value, StringBuilder text, int depth) {
        if (depth > DEPTH_MAX) {
            text.append(value);
            return;
        }
        switch (value) {
            case ObjectNode object -> {
                char separator = '{';
                for (Map.Entry<String, JsonNode> field : object.properties()) {
                    text.append(separator);
                    quote(field.getKey(), text);
                    write(field.getValue(), text.append(':'), depth + 1);
                    separator = ',';
                }
                text.append(object.isEmpty() ? "{}" : "}");
            }
            case ArrayNode array -> {
                char separator = '[';
                for (JsonNode element : array) {
                    write(element, text.append(separator), depth + 1);
                    separator = ',';
                }
                text.append(array.isEmpty() ? "[]" : "]");
            }
            case StringNode string -> quote(string.stringValue(), text);
            case IntNode number -> text.append(number.intValue());
            case LongNode number -> text.append(number.longValue());
            case MissingNode ignored -> text.append("null");
            default -> text.append(value);
        }
    }

    /** Appends a text as a JSON string. */
    public static void quote(String value, StringBuilder text) {
        text.append('"');
        if (isPlain(value)) {
            text.append(value);
        } else {
            STRING_ENCODER.quoteAsString(value, text);
        }
        text.append('"');
    }

    /** True if no character needs an escape, so that the text can be copied as a whole. */
    private static boolean isPlain(String value) {
        for (int i = 0; i < value.length(); i++) {
            char each = value.charAt(i);
            if (each < ' ' || each == '"' || each == '\\') {
                return false;
            }
        }
        return true;
    }
}
