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

/** JSON as rows hold it. What was once written can be read again, whatever bounds requests have. */
public final class Json {
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

    private static final JsonStringEncoder QUOTES = JsonStringEncoder.getInstance();
    private static final int TEXT_CHARS = 64;
    /** What lies deeper is left to Jackson, which takes no room on the stack for it. */
    private static final int DEPTH_MAX = 100;

    private Json() {}

    public static JsonNode read(String text) {
        return MAPPER.readTree(text);
    }

    public static @Nullable JsonNode readIfAny(@Nullable String text) {
        return text == null ? null : read(text);
    }

    /** The text that Jackson would write, without making a generator for each value: most of them are a few fields. */
    public static String text(JsonNode value) {
        var text = new StringBuilder(TEXT_CHARS);
        write(value, text, 0);
        return text.toString();
    }

    private static void write(JsonNode value, StringBuilder text, int depth) {
        if (depth > DEPTH_MAX) {
            text.append(value);
            return;
        }
        switch (value) {
            case ObjectNode object -> {
                char before = '{';
                for (Map.Entry<String, JsonNode> field : object.properties()) {
                    text.append(before);
                    quote(field.getKey(), text);
                    write(field.getValue(), text.append(':'), depth + 1);
                    before = ',';
                }
                text.append(object.isEmpty() ? "{}" : "}");
            }
            case ArrayNode array -> {
                char before = '[';
                for (JsonNode element : array) {
                    write(element, text.append(before), depth + 1);
                    before = ',';
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

    /** Writes a text as JSON has it. */
    public static void quote(String value, StringBuilder text) {
        text.append('"');
        if (isPlain(value)) {
            text.append(value);
        } else {
            QUOTES.quoteAsString(value, text);
        }
        text.append('"');
    }

    /** Whether nothing of it is escaped; then it is copied as a whole. */
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
