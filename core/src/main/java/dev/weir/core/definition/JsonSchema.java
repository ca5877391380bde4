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
import dev.weir.core.expression.UnitCounter;
import dev.weir.core.json.CanonicalJson;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A JSON Schema (draft 2020-12) for a run's input or a step's output. It is self-contained and not recursive, nothing
 * is fetched, and its patterns match in linear time, so no value can keep the check running.
 */
public final class JsonSchema {
    private static final int ERRORS_MAX = 20;
    /** The price of one look at a part of a value: a look takes up to 0.3 microseconds, a unit 0.15. */
    private static final int UNITS_PER_COMPARISON = 2;

    private static final SchemaRegistry REGISTRY = SchemaRegistry.withDefaultDialect(
            SpecificationVersion.DRAFT_2020_12,
            builder -> builder.schemaCacheEnabled(false)
                    .schemaRegistryConfig(SchemaRegistryConfig.builder()
                            .pathType(PathType.JSON_POINTER)
                            .regularExpressionFactory(JsonSchema::compilePattern)
                            .preloadSchema(true)
                            .build())
                    .schemaLoader(loader -> loader.fetchRemoteResources(false)));

    private static final com.networknt.schema.Schema META_SCHEMA =
            REGISTRY.getSchema(SchemaLocation.of(SpecificationVersion.DRAFT_2020_12.getDialectId()));

    private final JsonNode document;
    private final long compileUnits;
    private volatile com.networknt.schema.@Nullable Schema compiled;

    private JsonSchema(JsonNode document) {
        this.document = CanonicalJson.of(document);
        this.compileUnits = SchemaSize.compileUnits(this.document);
    }

    private com.networknt.schema.Schema compile() {
        try {
            return REGISTRY.getSchema(document);
        } catch (SchemaException | IllegalArgumentException e) {
            throw new InvalidDefinition("", "a JSON Schema", describeFailure(e));
        }
    }

    /** Returns the compiled form. A schema that was stored is compiled at its first use, which is charged for it. */
    private com.networknt.schema.Schema compiled(UnitCounter counter) {
        com.networknt.schema.Schema cached = compiled;
        if (cached == null) {
            counter.add(compileUnits);
            cached = compile();
            compiled = cached;
        }
        return cached;
    }

    /** Returns our own message for an invalid schema. The library's messages name its classes. */
    private static String describeFailure(RuntimeException e) {
        Throwable why = e.getCause() instanceof IllegalArgumentException cause ? cause : e;
        String message = String.valueOf(why.getMessage());
        return message.startsWith("expected ") ? message : "one that cannot be compiled";
    }

    /** Checks and compiles a schema. Throws {@link InvalidDefinition} if it is invalid. */
    public static JsonSchema of(JsonNode document) {
        var schema = new JsonSchema(document);
        runValidation(META_SCHEMA, schema.document).stream().findFirst().ifPresent(error -> {
            throw new InvalidDefinition("", "a JSON Schema", error);
        });
        schema.compiled = schema.compile();
        return schema;
    }

    /** Returns a schema that was valid when it was stored. */
    public static JsonSchema fromStored(JsonNode document) {
        return new JsonSchema(document);
    }

    public JsonNode document() {
        return document;
    }

    /** Returns the reasons why a value does not fit; empty = it fits. */
    public List<String> validate(JsonNode value) {
        return validate(value, new UnitCounter());
    }

    /** Like {@link #validate(JsonNode)}, and adds the cost of the check to the counter. */
    public List<String> validate(JsonNode value, UnitCounter counter) {
        SchemaCost cost = SchemaCost.of(document, value);
        counter.add(cost.comparisons() * UNITS_PER_COMPARISON);
        if (!cost.isAllowed()) {
            return List.of("the value is too large to check against this schema: the check would take more than "
                    + SchemaCost.COMPARISONS_MAX + " comparisons; simplify the value or the schema");
        }
        try {
            return runValidation(compiled(counter), value);
        } catch (InvalidDefinition e) {
            return List.of("the value cannot be checked: this version of Weir refuses the schema: " + e.getMessage());
        }
    }

    /**
     * Runs the library's check. A value at which the library fails, such as a whole number of 300 digits, does not fit:
     * no value may stop the caller.
     */
    private static List<String> runValidation(com.networknt.schema.Schema schema, JsonNode value) {
        try {
            return schema.validate(value).stream()
                    .limit(ERRORS_MAX)
                    .map(JsonSchema::format)
                    .toList();
        } catch (RuntimeException e) {
            return List.of("cannot check the value against this schema: a number is too large or too long");
        }
    }

    private static String format(Error error) {
        String path = error.getInstanceLocation().toString();
        return (path.isEmpty() ? "" : path.substring(1).replace('/', '.') + ": ") + error.getMessage();
    }

    private static RegularExpression compilePattern(String pattern) {
        var compiled = LinearPattern.of(pattern);
        return compiled::isFoundIn;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof JsonSchema that && document.equals(that.document);
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
