package dev.weir.forecast;

import dev.weir.core.definition.JsonSchema;
import dev.weir.core.definition.Step;
import dev.weir.core.definition.Workflow;
import dev.weir.core.definition.WorkflowLimits;
import dev.weir.forecast.DataGuess.Kind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Invents inputs and outputs where the user gives none. They fit the schemas and contain all that the workflow's
 * expressions read by name. A list has {@value DataGuess#LIST_SIZE} elements. Values that form the key of a run differ
 * between runs.
 */
public final class SampleData {
    /** Matches {@code input.a.b}, {@code steps.x.output.a.b} or {@code item.a.b}, and the characters right after it. */
    private static final Pattern REFERENCE = Pattern.compile(
            "(?<![\\w.])(input|item|steps\\.([\\w-]+)\\.output)((?:\\.[A-Za-z_]\\w*)*)(?=\\s*(.{0,6}))");

    private static final Pattern SINGLE_REFERENCE = Pattern.compile("\\$\\{\\{\\s*[\\w.-]+\\s*}}");
    private static final Pattern NUMERIC = Pattern.compile("([<>*/%]|- |[=!]= *\\d).*");

    private final DataGuess input = new DataGuess();
    private final Map<String, DataGuess> outputs = new HashMap<>();

    private SampleData() {}

    public static SampleData of(Workflow workflow) {
        var samples = new SampleData();
        JsonNode json = workflow.toJson();
        for (var field : json.properties()) {
            if (!field.getKey().equals("triggers") && !field.getKey().equals("steps")) {
                samples.collectReads(field.getKey(), field.getValue(), null);
            }
        }
        json.path("steps").forEach(step -> samples.collectReads("step", step, samples.fanOutList(step)));
        WorkflowLimits.PerKey perKey = workflow.limits().perKey();
        if (perKey != null) {
            samples.markVarying(perKey.runKey().source().asString(""));
        }
        samples.applySchemas(workflow);
        return samples;
    }

    private void applySchemas(Workflow workflow) {
        JsonSchema schema = workflow.about().inputSchema();
        if (schema != null) {
            input.applySchema(schema.document());
        }
        for (Step step : workflow.steps()) {
            JsonSchema outputSchema = step.resultRules().outputSchema();
            if (outputSchema != null) {
                output(step.id()).applySchema(outputSchema.document());
            }
        }
    }

    /** Returns the input of a run, by its number. */
    public JsonNode input(int run) {
        return input.hasFields() ? input.generate("input", run) : JsonNodeFactory.instance.objectNode();
    }

    /** True if runs need input. */
    public boolean needsInput() {
        return input.hasFields();
    }

    /** Returns the output of a step; a null node if no expression reads it. */
    JsonNode output(Step step) {
        DataGuess guess = outputs.get(step.id());
        return guess == null ? JsonNodeFactory.instance.nullNode() : guess.generate(step.id(), 1);
    }

    /** Returns the ids of the steps whose output is read by others and invented here. */
    public List<String> inventedOutputs(WorkflowBehaviour behaviours) {
        return outputs.keySet().stream()
                .filter(step -> !behaviours.hasOutput(step))
                .sorted()
                .toList();
    }

    private DataGuess output(String step) {
        return outputs.computeIfAbsent(step, ignored -> new DataGuess());
    }

    /** Returns the list of a fan-out, if an expression reads it by name. */
    private @Nullable DataGuess fanOutList(JsonNode step) {
        String items = step.path("with_items").asString("");
        Matcher matcher = REFERENCE.matcher(items);
        return items.contains("${{") && matcher.find() ? guessFor(matcher, null) : null;
    }

    private void collectReads(String name, JsonNode value, @Nullable DataGuess list) {
        if (value.isObject()) {
            value.properties().forEach(field -> collectReads(field.getKey(), field.getValue(), list));
        } else if (value.isArray()) {
            value.forEach(element -> collectReads(name, element, list));
        } else if (value.isString()
                && (name.equals("requires") || value.stringValue().contains("${{"))) {
            collectReads(name, value.stringValue(), list);
        }
    }

    private void collectReads(String name, String text, @Nullable DataGuess list) {
        boolean isWhole = SINGLE_REFERENCE.matcher(text).matches();
        Matcher matcher = REFERENCE.matcher(text);
        while (matcher.find()) {
            DataGuess guess = guessFor(matcher, list);
            if (guess != null) {
                guess.expectKind(kind(name, isWhole, matcher));
            }
        }
    }

    private static Kind kind(String name, boolean isWhole, Matcher matcher) {
        if (name.equals("with_items")) {
            return Kind.LIST;
        }
        if (name.equals("if") && isWhole) {
            return Kind.BOOLEAN;
        }
        return NUMERIC.matcher(matcher.group(4)).matches() ? Kind.NUMBER : Kind.TEXT;
    }

    /** Makes all values that a key reads differ between runs. */
    private void markVarying(String key) {
        Matcher matcher = REFERENCE.matcher(key);
        while (matcher.find()) {
            DataGuess guess = guessFor(matcher, null);
            if (guess != null) {
                guess.vary();
            }
        }
    }

    /** Returns the guess for the value that is read. For {@code a.b.map(…)} that is {@code a.b}. */
    private @Nullable DataGuess guessFor(Matcher matcher, @Nullable DataGuess list) {
        String path = matcher.group(3);
        List<String> names =
                path.isEmpty() ? List.of() : List.of(path.substring(1).split("\\.", -1));
        boolean isCall = matcher.group(4).startsWith("(");
        List<String> read = isCall && !names.isEmpty() ? names.subList(0, names.size() - 1) : names;
        String step = matcher.group(2);
        if (step != null) {
            return output(step).at(read);
        }
        if (matcher.group(1).equals("input")) {
            return input.at(read);
        }
        return list == null ? null : list.element().at(read);
    }
}
