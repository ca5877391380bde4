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

/** The one JSON of the wire: snake_case; requests are strict and bounded. */
public final class Json {
    /** The longest request body, in bytes. */
    public static final int BODY_BYTES_MAX = 1 << 20;
    /** Objects and lists within each other, in a request. */
    public static final int DEPTH_MAX = 64;
    /** Characters of a number, in a request. */
    public static final int NUMBER_CHARS_MAX = 100;

    /** Refuses what it does not know: for requests. */
    public static final JsonMapper STRICT = builder(StreamReadConstraints.builder()
                    .maxDocumentLength(BODY_BYTES_MAX)
                    .maxNestingDepth(DEPTH_MAX)
                    .maxNumberLength(NUMBER_CHARS_MAX)
                    .maxStringLength(BODY_BYTES_MAX)
                    .build())
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .withCoercionConfig(LogicalType.Textual, Json::onlyTexts)
            .build();

    /**
     * Passes over what it does not know, so that a client works with a newer server: for answers. They may be as long and
     * as deep as a server can write them: what is refused here has been done there.
     */
    public static final JsonMapper LENIENT = builder(StreamReadConstraints.builder()
                    .maxNestingDepth(StreamWriteConstraints.DEFAULT_MAX_DEPTH)
                    .maxStringLength(Integer.MAX_VALUE)
                    .build())
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    private Json() {}

    /** A number is no text: 7 and 007 would be ids that only one side can tell apart. */
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
