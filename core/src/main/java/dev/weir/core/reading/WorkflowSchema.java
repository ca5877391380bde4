package dev.weir.core.reading;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import com.networknt.schema.path.PathType;
import dev.weir.core.json.JsonPointers;
import dev.weir.core.naming.NearestName;
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

/** The published schema of workflow files: their fields and types, with error messages in Weir's own words. */
final class WorkflowSchema {
    private static final String RESOURCE = "workflow.schema.json";
    private static final String TEXT = load();
    private static final JsonNode SCHEMA = JsonMapper.shared().readTree(TEXT);

    static final WorkflowSchema WORKFLOW = new WorkflowSchema(SCHEMA);
    static final WorkflowSchema FLOW_CONTROL = new WorkflowSchema(definition("flow_control"));

    private final Schema schema;

    private WorkflowSchema(JsonNode document) {
        SchemaRegistryConfig config = SchemaRegistryConfig.builder()
                .pathType(PathType.JSON_POINTER)
                .preloadSchema(true)
                .build();
        SchemaRegistry registry = SchemaRegistry.withDefaultDialect(
                SpecificationVersion.DRAFT_2020_12, builder -> builder.schemaRegistryConfig(config));
        this.schema = registry.getSchema(document);
    }

    /** Returns the text of the published schema. */
    static String text() {
        return TEXT;
    }

    void check(JsonNode value, ProblemList problems) {
        List<Error> errors;
        try {
            errors = schema.validate(value);
        } catch (RuntimeException e) {
            // The library cannot compare whole numbers that are written with a large exponent.
            problems.add("", "expected numbers with smaller exponents: " + e.getMessage());
            return;
        }
        errors.forEach(error -> report(error, problems));
    }

    private static void report(Error error, ProblemList problems) {
        String path = error.getInstanceLocation().toString();
        String field = path + "/" + JsonPointers.escape(String.valueOf(error.getProperty()));
        JsonNode rule = rule(error);
        switch (error.getKeyword()) {
            // The alternatives exist for editors. The reader itself reports in one sentence which fields are missing.
            case "anyOf" -> {}
            case "additionalProperties" -> {
                List<String> known = new ArrayList<>(rule.path("properties").propertyNames());
                String name = error.getProperty();
                problems.addAtName(
                        field, "expected a known field, found '" + name + "'" + NearestName.hint(name, known));
            }
            case "required" -> {
                if (!error.getEvaluationPath().toString().contains("/anyOf/")) {
                    problems.add(
                            path + "/" + error.getProperty(), "expected " + error.getProperty() + ", found nothing");
                }
            }
            case "dependentRequired" -> reportMissingDependency(error, rule, problems);
            case "enum" ->
                problems.add(path, "expected " + choices(rule) + ", found " + found(error) + hint(error, rule));
            default -> problems.add(path, "expected " + expected(error, rule) + ", found " + found(error));
        }
    }

    /** Reports a field that has no meaning without another. */
    private static void reportMissingDependency(Error error, JsonNode rule, ProblemList problems) {
        String path = error.getInstanceLocation().toString();
        for (var dependency : rule.path("dependentRequired").properties()) {
            String needed = dependency.getValue().get(0).stringValue();
            JsonNode object = Objects.requireNonNull(error.getInstanceNode());
            if (object.has(dependency.getKey()) && !object.has(needed)) {
                String message = "expected " + needed + " together with " + dependency.getKey() + ", found none";
                problems.addAtName(path + "/" + dependency.getKey(), message);
            }
        }
    }

    /** Returns the part of the schema that contains the keyword. */
    private static JsonNode rule(Error error) {
        String location = error.getSchemaLocation().getFragment().toString();
        return SCHEMA.at(JsonPointer.compile(location.substring(0, location.lastIndexOf('/'))));
    }

    private static String expected(Error error, JsonNode rule) {
        JsonNode description = rule.path("x-expected");
        return description.isString() ? description.stringValue() : error.getMessage();
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
        return value != null && value.isString() ? NearestName.hint(value.stringValue(), choices) : "";
    }

    private static String found(Error error) {
        return FoundText.describe(error.getInstanceNode());
    }

    private static JsonNode definition(String name) {
        ObjectNode schema = JsonMapper.shared().createObjectNode();
        schema.put("$schema", SCHEMA.path("$schema").stringValue());
        schema.put("$ref", "#/$defs/" + name);
        schema.set("$defs", SCHEMA.path("$defs"));
        return schema;
    }

    private static String load() {
        try (InputStream stream = WorkflowSchema.class.getResourceAsStream(RESOURCE)) {
            return new String(Objects.requireNonNull(stream, RESOURCE).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
