package dev.weir.api;

import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.StreamWriteConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.cfg.MutableCoercionConfig;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.type.LogicalType;

/** The JSON mappers of the wire format: names in snake_case, requests strict and bounded. */
public final class WireJson {
    /** The longest request body, in bytes. */
    public static final int BODY_BYTES_MAX = 1 << 20;
    /** The deepest nesting of objects and lists in a request. */
    public static final int DEPTH_MAX = 64;
    /** The longest number in a request, in characters. */
    public static final int NUMBER_CHARS_MAX = 100;

    /** The mapper for requests. It refuses unknown fields. */
    public static final JsonMapper STRICT = builder(StreamReadConstraints.builder()
                    .maxDocumentLength(BODY_BYTES_MAX)
                    .maxNestingDepth(DEPTH_MAX)
                    .maxNumberLength(NUMBER_CHARS_MAX)
                    .maxStringLength(BODY_BYTES_MAX)
                    .build())
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .withCoercionConfig(LogicalType.Textual, WireJson::onlyTexts)
            .build();

    /**
     * The mapper for responses. It ignores unknown fields, so that a client works with a newer server. It accepts
     * any length and depth that a server can write, because the server has already carried out the request whose
     * response is read here.
     */
    public static final JsonMapper LENIENT = builder(StreamReadConstraints.builder()
                    .maxNestingDepth(StreamWriteConstraints.DEFAULT_MAX_DEPTH)
                    .maxStringLength(Integer.MAX_VALUE)
                    .build())
            .addModule(PlainResponses.module())
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    private WireJson() {}

    /**
     * Refuses numbers where a text is expected: 7 and 007 would be different ids on one side and equal on the
     * other.
     */
    private static void onlyTexts(MutableCoercionConfig texts) {
        texts.setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
                .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
                .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail);
    }

    private static JsonMapper.Builder builder(StreamReadConstraints bounds) {
        var factory = JsonFactory.builder()
                .streamReadConstraints(bounds)
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .build();
        return JsonMapper.builder(factory)
                .addModule(PlainWriters.module())
                .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
                .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
                .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
                .disable(DateTimeFeature.WRITE_DATES_AS_TIMESTAMPS)
                .changeDefaultPropertyInclusion(value ->
                        value.withValueInclusion(com.fasterxml.jackson.annotation.JsonInclude.Include.NON_NULL));
    }
}
