package dev.weir.postgres.json;

import dev.weir.core.json.CompactNodes;
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
            .nodeFactory(CompactNodes.COMPACT)
            .build();

    private Json() {}

    public static JsonNode read(String text) {
        return MAPPER.readTree(text);
    }

    public static @Nullable JsonNode readIfAny(@Nullable String text) {
        return text == null ? null : read(text);
    }

    public static String text(JsonNode value) {
        return value.toString();
    }
}
