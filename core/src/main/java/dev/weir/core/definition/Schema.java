package dev.weir.core.definition;

import com.networknt.schema.Error;
import com.networknt.schema.SchemaException;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import com.networknt.schema.path.PathType;
import com.networknt.schema.regex.RegularExpression;
import dev.weir.core.expression.LinearPattern;
import dev.weir.core.json.CanonicalJson;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * A JSON Schema (draft 2020-12) that a run's input or a step's output must fit. It stands for itself: nothing is fetched,
 * it does not refer to itself, and its patterns are matched in linear time, so that no value can make it run on.
 */
public final class Schema {
    private static final int MISFITS_MAX = 20;
    private static final SchemaRegistry REGISTRY = SchemaRegistry.withDefaultDialect(
            SpecificationVersion.DRAFT_2020_12,
            builder -> builder.schemaCacheEnabled(false)
                    .schemaRegistryConfig(SchemaRegistryConfig.builder()
                            .pathType(PathType.JSON_POINTER)
                            .regularExpressionFactory(Schema::linear)
                            .preloadSchema(true)
                            .build())
                    .schemaLoader(loader -> loader.fetchRemoteResources(false)));

    private static final com.networknt.schema.Schema META =
            REGISTRY.getSchema(SchemaLocation.of(SpecificationVersion.DRAFT_2020_12.getDialectId()));

    private final JsonNode document;
    private final com.networknt.schema.Schema compiled;

    private Schema(JsonNode document) {
        this.document = CanonicalJson.of(document);
        SchemaSize.check(this.document);
        checked(META, this.document).stream().findFirst().ifPresent(misfit -> {
            throw new InvalidDefinition("", "a JSON Schema", misfit);
        });
        try {
            this.compiled = REGISTRY.getSchema(this.document);
        } catch (SchemaException | IllegalArgumentException e) {
            Throwable why = e.getCause() instanceof IllegalArgumentException own ? own : e;
            throw new InvalidDefinition("", "a JSON Schema", String.valueOf(why.getMessage()));
        }
    }

    public static Schema of(JsonNode document) {
        return new Schema(document);
    }

    public JsonNode document() {
        return document;
    }

    /** Why a value does not fit; empty = it fits. */
    public List<String> misfits(JsonNode value) {
        return SchemaCost.allows(document, value)
                ? checked(compiled, value)
                : List.of("it is too large to be checked against this schema: that would take more than "
                        + SchemaCost.LOOKS_MAX + " looks; make either simpler");
    }

    /** What the checker fails at, such as a whole number of 300 digits, does not fit: no value may stop the one who asks. */
    private static List<String> checked(com.networknt.schema.Schema schema, JsonNode value) {
        try {
            return schema.validate(value).stream()
                    .limit(MISFITS_MAX)
                    .map(Schema::words)
                    .toList();
        } catch (RuntimeException e) {
            return List.of("it cannot be checked: " + e.getMessage());
        }
    }

    private static String words(Error error) {
        String path = error.getInstanceLocation().toString();
        return (path.isEmpty() ? "" : path.substring(1).replace('/', '.') + ": ") + error.getMessage();
    }

    private static RegularExpression linear(String pattern) {
        var compiled = LinearPattern.of(pattern);
        return compiled::isIn;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Schema that && document.equals(that.document);
    }

    @Override
    public int hashCode() {
        return document.hashCode();
    }

    @Override
    public String toString() {
        return document.toString();
    }
}
