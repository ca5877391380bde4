package dev.weir.postgres.json;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;

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
            .build();

    private Json() {}

    public static JsonNode read(String text) {
        return MAPPER.readTree(text);
    }

    public static @Nullable JsonNode readIfAny(@Nullable String text) {
        return text == null ? null : read(text);
    }

    /** The text of a value. Half a surrogate pair, which UTF-8 cannot hold, is written as an escape. */
    public static String text(JsonNode value) {
        String text = value.toString();
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                return escaped(text, i);
            }
        }
        return text;
    }

    public static @Nullable String textIfAny(@Nullable JsonNode value) {
        return value == null ? null : text(value);
    }

    private static String escaped(String text, int from) {
        var out = new StringBuilder(text.length() + 16).append(text, 0, from);
        for (int i = from; i < text.length(); i++) {
            char each = text.charAt(i);
            if (!Character.isSurrogate(each)) {
                out.append(each);
            } else if (Character.isHighSurrogate(each)
                    && i + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(i + 1))) {
                out.append(each).append(text.charAt(i + 1));
                i++;
            } else {
                out.append(String.format("\\u%04x", (int) each));
            }
        }
        return out.toString();
    }
}
