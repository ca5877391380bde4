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
    private static final int MISFITS_MAX = 20;
    /** The price of one look at a part of a value: a look takes up to 0.3 microseconds, a unit 0.15. */
    private static final int UNITS_PER_LOOK = 2;

    private static final SchemaRegistry REGISTRY = SchemaRegistry.withDefaultDialect(
            SpecificationVersion.DRAFT_2020_12,
            builder -> builder.schemaCacheEnabled(false)
                    .schemaRegistryConfig(SchemaRegistryConfig.builder()
                            .pathType(PathType.JSON_POINTER)
                            .regularExpressionFactory(JsonSchema::linear)
                            .preloadSchema(true)
                            .build())
                    .schemaLoader(loader -> loader.fetchRemoteResources(false)));

    private static final com.networknt.schema.Schema META =
            REGISTRY.getSchema(SchemaLocation.of(SpecificationVersion.DRAFT_2020_12.getDialectId()));

    private final JsonNode document;
    private final long compilingUnits;
    private volatile com.networknt.schema.@Nullable Schema compiled;

    private JsonSchema(JsonNode document) {
        this.document = CanonicalJson.of(document);
        this.compilingUnits = SchemaSize.compilingUnits(this.document);
    }

    private com.networknt.schema.Schema compile() {
        try {
            return REGISTRY.getSchema(document);
        } catch (SchemaException | IllegalArgumentException e) {
            throw new InvalidDefinition("", "a JSON Schema", found(e));
        }
    }

    /** Returns the compiled form. A schema that was stored is compiled at its first use, which is charged for it. */
    private com.networknt.schema.Schema compiled(UnitCounter counter) {
        com.networknt.schema.Schema known = compiled;
        if (known == null) {
            counter.add(compilingUnits);
            known = compile();
            compiled = known;
        }
        return known;
    }

    /** Returns our own message for an invalid schema. The library's messages name its classes. */
    private static String found(RuntimeException e) {
        Throwable why = e.getCause() instanceof IllegalArgumentException cause ? cause : e;
        String message = String.valueOf(why.getMessage());
        return message.startsWith("expected ") ? message : "one that cannot be compiled";
    }

    /** Checks and compiles a schema. Throws {@link InvalidDefinition} if it is invalid. */
    public static JsonSchema of(JsonNode document) {
        var schema = new JsonSchema(document);
        checked(META, schema.document).stream().findFirst().ifPresent(misfit -> {
            throw new InvalidDefinition("", "a JSON Schema", misfit);
        });
        schema.compiled = schema.compile();
        return schema;
    }

    /** Returns a schema that was valid when it was stored. */
    public static JsonSchema stored(JsonNode document) {
        return new JsonSchema(document);
    }

    public JsonNode document() {
        return document;
    }

    /** Returns the reasons why a value does not fit; empty = it fits. */
    public List<String> misfits(JsonNode value) {
        return misfits(value, new UnitCounter());
    }

    /** Like {@link #misfits(JsonNode)}, and adds the cost of the check to the counter. */
    public List<String> misfits(JsonNode value, UnitCounter counter) {
        SchemaCost cost = SchemaCost.of(document, value);
        counter.add(cost.looks() * UNITS_PER_LOOK);
        if (!cost.isAllowed()) {
            return List.of("the value is too large to check against this schema: the check would take more than "
                    + SchemaCost.LOOKS_MAX + " comparisons; simplify the value or the schema");
        }
        try {
            return checked(compiled(counter), value);
        } catch (InvalidDefinition e) {
            return List.of("the value cannot be checked: this version of Weir refuses the schema: " + e.getMessage());
        }
    }

    /**
     * Runs the library's check. A value at which the library fails, such as a whole number of 300 digits, does not fit:
     * no value may stop the caller.
     */
    private static List<String> checked(com.networknt.schema.Schema schema, JsonNode value) {
        try {
            return schema.validate(value).stream()
                    .limit(MISFITS_MAX)
                    .map(JsonSchema::words)
                    .toList();
        } catch (RuntimeException e) {
            return List.of("cannot check the value against this schema: a number is too large or too long");
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
