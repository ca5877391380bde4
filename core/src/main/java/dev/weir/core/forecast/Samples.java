package dev.weir.core.forecast;

import dev.weir.core.definition.Schema;
import dev.weir.core.definition.Step;
import dev.weir.core.definition.Workflow;
import dev.weir.core.definition.WorkflowLimits;
import dev.weir.core.forecast.Guess.Kind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Inputs and outputs that are made up where nobody gives any: they fit the schemas, and have whatever the expressions of
 * the workflow read by name. A list has {@value Guess#ELEMENTS} elements; what makes the key of a run differs from run to
 * run.
 */
public final class Samples {
    /** {@code input.a.b}, {@code steps.x.output.a.b} or {@code item.a.b}, and what comes right behind it. */
    private static final Pattern READ = Pattern.compile(
            "(?<![\\w.])(input|item|steps\\.([\\w-]+)\\.output)((?:\\.[A-Za-z_]\\w*)*)(?=\\s*(.{0,6}))");

    private static final Pattern WHOLE = Pattern.compile("\\$\\{\\{\\s*[\\w.-]+\\s*}}");
    private static final Pattern NUMERIC = Pattern.compile("([<>*/%]|- |[=!]= *\\d).*");

    private final Guess input = new Guess();
    private final Map<String, Guess> outputs = new HashMap<>();

    private Samples() {}

    public static Samples of(Workflow workflow) {
        var samples = new Samples();
        JsonNode json = workflow.toJson();
        for (var field : json.properties()) {
            if (!field.getKey().equals("triggers") && !field.getKey().equals("steps")) {
                samples.read(field.getKey(), field.getValue(), null);
            }
        }
        json.path("steps").forEach(step -> samples.read("step", step, samples.listOf(step)));
        WorkflowLimits.PerKey perKey = workflow.limits().perKey();
        if (perKey != null) {
            samples.vary(perKey.runKey().source().asString(""));
        }
        samples.fit(workflow);
        return samples;
    }

    private void fit(Workflow workflow) {
        Schema schema = workflow.about().inputSchema();
        if (schema != null) {
            input.fit(schema.document());
        }
        for (Step step : workflow.steps()) {
            Schema ofOutput = step.ending().outputSchema();
            if (ofOutput != null) {
                output(step.id()).fit(ofOutput.document());
            }
        }
    }

    /** The input of a run, by its number. */
    public JsonNode input(int run) {
        return input.hasFields() ? input.make("input", run) : JsonNodeFactory.instance.objectNode();
    }

    /** Whether runs need any input. */
    public boolean needsInput() {
        return input.hasFields();
    }

    /** What a step gives; null if nobody reads it. */
    JsonNode output(Step step) {
        Guess guess = outputs.get(step.id());
        return guess == null ? JsonNodeFactory.instance.nullNode() : guess.make(step.id(), 1);
    }

    /** The ids of the steps whose output is read by others, and made up. */
    public List<String> madeUp(Behaviours behaviours) {
        return outputs.keySet().stream()
                .filter(step -> !behaviours.givesOutput(step))
                .sorted()
                .toList();
    }

    private Guess output(String step) {
        return outputs.computeIfAbsent(step, ignored -> new Guess());
    }

    /** The list that a step runs over, where an expression reads it by name. */
    private @Nullable Guess listOf(JsonNode step) {
        String items = step.path("with_items").asString("");
        Matcher matcher = READ.matcher(items);
        return items.contains("${{") && matcher.find() ? place(matcher, null) : null;
    }

    private void read(String name, JsonNode value, @Nullable Guess list) {
        if (value.isObject()) {
            value.properties().forEach(field -> read(field.getKey(), field.getValue(), list));
        } else if (value.isArray()) {
            value.forEach(element -> read(name, element, list));
        } else if (value.isString()
                && (name.equals("requires") || value.stringValue().contains("${{"))) {
            read(name, value.stringValue(), list);
        }
    }

    private void read(String name, String text, @Nullable Guess list) {
        boolean whole = WHOLE.matcher(text).matches();
        Matcher matcher = READ.matcher(text);
        while (matcher.find()) {
            Guess guess = place(matcher, list);
            if (guess != null) {
                guess.readAs(kind(name, whole, matcher));
            }
        }
    }

    private static Kind kind(String name, boolean whole, Matcher matcher) {
        if (name.equals("with_items")) {
            return Kind.LIST;
        }
        if (name.equals("if") && whole) {
            return Kind.TRUTH;
        }
        return NUMERIC.matcher(matcher.group(4)).matches() ? Kind.NUMBER : Kind.TEXT;
    }

    /** Makes all that a key reads different for every run. */
    private void vary(String key) {
        Matcher matcher = READ.matcher(key);
        while (matcher.find()) {
            Guess guess = place(matcher, null);
            if (guess != null) {
                guess.vary();
            }
        }
    }

    /** What is read; of {@code a.b.map(…)} that is {@code a.b}. */
    private @Nullable Guess place(Matcher matcher, @Nullable Guess list) {
        String path = matcher.group(3);
        List<String> names =
                path.isEmpty() ? List.of() : List.of(path.substring(1).split("\\.", -1));
        boolean called = matcher.group(4).startsWith("(");
        List<String> read = called && !names.isEmpty() ? names.subList(0, names.size() - 1) : names;
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
