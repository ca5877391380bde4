package dev.weir.core.reading;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import com.networknt.schema.path.PathType;
import dev.weir.core.naming.Nearest;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The published schema: which fields there are, and of which kind; it speaks in Weir's own words. */
final class Structure {
    private static final String RESOURCE = "workflow.schema.json";
    private static final String TEXT = load();
    private static final JsonNode SCHEMA = JsonMapper.shared().readTree(TEXT);

    static final Structure WORKFLOW = new Structure(SCHEMA);
    static final Structure LIMITED_CALL = new Structure(definition("limited_call"));
    static final Structure FLOW_CONTROL = new Structure(definition("flow_control"));

    private final Schema schema;

    private Structure(JsonNode document) {
        SchemaRegistryConfig config = SchemaRegistryConfig.builder()
                .pathType(PathType.JSON_POINTER)
                .preloadSchema(true)
                .build();
        SchemaRegistry registry = SchemaRegistry.withDefaultDialect(
                SpecificationVersion.DRAFT_2020_12, builder -> builder.schemaRegistryConfig(config));
        this.schema = registry.getSchema(document);
    }

    /** The schema as it is published. */
    static String text() {
        return TEXT;
    }

    void check(JsonNode value, Problems problems) {
        List<Error> errors;
        try {
            errors = schema.validate(value);
        } catch (RuntimeException e) {
            // The checker cannot compare whole numbers that are written with a large exponent.
            problems.add("", "expected numbers of ordinary size: " + e.getMessage());
            return;
        }
        errors.forEach(error -> report(error, problems));
    }

    private static void report(Error error, Problems problems) {
        String path = error.getInstanceLocation().toString();
        String field = path + "/" + Paths.escape(String.valueOf(error.getProperty()));
        JsonNode rule = rule(error);
        switch (error.getKeyword()) {
            // The alternatives are there for editors; the reader says in one sentence which fields are missing.
            case "anyOf" -> {}
            case "additionalProperties" -> {
                List<String> known = new ArrayList<>(rule.path("properties").propertyNames());
                String name = error.getProperty();
                problems.addName(field, "expected a known field, found '" + name + "'" + Nearest.hint(name, known));
            }
            case "required" -> {
                if (!error.getEvaluationPath().toString().contains("/anyOf/")) {
                    problems.add(
                            path + "/" + error.getProperty(), "expected " + error.getProperty() + ", found nothing");
                }
            }
            case "dependentRequired" -> dependent(error, rule, problems);
            case "enum" ->
                problems.add(path, "expected " + choices(rule) + ", found " + found(error) + hint(error, rule));
            default -> problems.add(path, "expected " + expected(error, rule) + ", found " + found(error));
        }
    }

    /** A field that means nothing without another. */
    private static void dependent(Error error, JsonNode rule, Problems problems) {
        String path = error.getInstanceLocation().toString();
        for (var dependency : rule.path("dependentRequired").properties()) {
            String needed = dependency.getValue().get(0).stringValue();
            JsonNode object = Objects.requireNonNull(error.getInstanceNode());
            if (object.has(dependency.getKey()) && !object.has(needed)) {
                String message = "expected " + needed + " beside " + dependency.getKey() + ", found none";
                problems.addName(path + "/" + dependency.getKey(), message);
            }
        }
    }

    /** The part of the schema that holds the keyword. */
    private static JsonNode rule(Error error) {
        String location = error.getSchemaLocation().getFragment().toString();
        return SCHEMA.at(JsonPointer.compile(location.substring(0, location.lastIndexOf('/'))));
    }

    private static String expected(Error error, JsonNode rule) {
        JsonNode words = rule.path("x-expected");
        return words.isString() ? words.stringValue() : error.getMessage();
    }

    private static String choices(JsonNode rule) {
        List<String> choices = new ArrayList<>();
        rule.path("enum").forEach(choice -> choices.add(choice.stringValue()));
        return "one of " + String.join(", ", choices);
    }

    private static String hint(Error error, JsonNode rule) {
        List<String> choices = new ArrayList<>();
        rule.path("enum").forEach(choice -> choices.add(choice.stringValue()));
        JsonNode value = error.getInstanceNode();
        return value != null && value.isString() ? Nearest.hint(value.stringValue(), choices) : "";
    }

    private static String found(Error error) {
        return Found.words(error.getInstanceNode());
    }

    private static JsonNode definition(String name) {
        ObjectNode schema = JsonMapper.shared().createObjectNode();
        schema.put("$schema", SCHEMA.path("$schema").stringValue());
        schema.put("$ref", "#/$defs/" + name);
        schema.set("$defs", SCHEMA.path("$defs"));
        return schema;
    }

    private static String load() {
        try (InputStream stream = Structure.class.getResourceAsStream(RESOURCE)) {
            return new String(Objects.requireNonNull(stream, RESOURCE).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
