package dev.weir.core.reading;

import dev.weir.core.definition.Bounds;
import dev.weir.core.expression.Variable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The page of the definition file: every field of the published schema in the schema's own words, and expressions. */
final class WorkflowPage {
    private static final String HEAD = """
            # The definition file

            Made from `workflow.schema.json` by `WorkflowPageTest`, which fails if this page does not say what the schema says.
            To make it anew: `mvn test -pl core -Dtest=WorkflowPageTest -Dworkflow.page.write=true`.

            A workflow is a file in YAML 1.2 or JSON, at most KIB KiB. The shortest one that does something:

            ```yaml
            workflow: hello
            steps:
              - id: greet
                uses: greeter.hello     # a worker: ./weir work greeter.hello --exec 'cat'
            ```

            `./weir simulate FILE` plays it without a server, `./weir apply FILE` registers it, and files to copy from are in
            [examples](../examples/README.md). A field that is not known, or a value that does not fit, is refused with its line,
            its column and the nearest name that is known. Editors that can use a JSON Schema find it on every node at
            `/v1/workflow.schema.json`.

            A limit that is not given does not limit. Whatever is over a limit waits; nothing is refused for that.

            A duration is a number with a unit (`500ms`, `10s`, `1m`, `2h`, `7d`) or ISO-8601 (`PT30S`). A `period` may also be a
            number of milliseconds.
            """;

    private static final List<Block> BLOCKS = List.of(
            new Block("The workflow", "", "Everything but the name may be left out."),
            new Block("`runtime`", "/properties/runtime", "How much of one run may be in flight at once."),
            new Block(
                    "`limits`",
                    "/properties/limits",
                    "How many runs there may be. Those that are too many are queued."),
            new Block("`deadline`", "/properties/deadline/then", "The object that may stand for a plain duration."),
            new Block(
                    "`flow_control`",
                    "/$defs/flow_control_entry",
                    "One such object, or a list of at most " + Bounds.FLOW_CONTROLS_MAX
                            + ". At least one of `parallelism` and `rate` is given."),
            new Block(
                    "A step",
                    "/$defs/step",
                    "It does one thing: `uses`, `call`, `invoke`, `sleep`, `wait_for`, `emit`, or nothing but a `gate`."),
            new Block(
                    "`gate`",
                    "/$defs/step/properties/gate",
                    "A person says with `./weir approve RUN STEP` that it may go on."),
            new Block("`retry`", "/$defs/retry", "Without it a step is tried as the defaults say."),
            new Block("`call`", "/$defs/call", "The node sends it itself; no worker is needed."),
            new Block("`invoke`", "/$defs/step/properties/invoke", "The outputs of that run's steps are the output."),
            new Block(
                    "`wait_for`",
                    "/$defs/step/properties/wait_for",
                    "`./weir signal RUN NAME` sends one; what it carries is the output."),
            new Block(
                    "`emit`",
                    "/$defs/step/properties/emit",
                    "The event is kept with what was decided; nothing reacts to it yet."),
            new Block(
                    "`compensate`",
                    "/$defs/compensation",
                    "What undoes a step that was completed; it does `uses` or `call`."),
            new Block(
                    "A trigger", "/$defs/trigger", "*Planned:* triggers are read and checked, and start nothing yet."),
            new Block("`debounce`", "/$defs/trigger/properties/debounce", "*Planned*, as all of triggers."));

    /** Schemas of what is no part of a workflow. */
    private static final Set<String> ELSEWHERE = Set.of("/$defs/limited_call");

    private static final String EXPRESSIONS = """

            ## Expressions

            `${{ … }}` holds an expression in [CEL](https://cel.dev). Where it is the whole value it keeps its type; among other
            characters it becomes text. It sees the data below and nothing else; what comes out is never evaluated again.

            | name | what it is |
            |---|---|
            """;

    private static final String FUNCTIONS = """

            Besides CEL's own operators, functions and macros (`size`, `in`, `has`, `all`, `exists`, `filter`, `map`, `contains`,
            `startsWith`, `matches` …) there is `range(n)`: the numbers from 0 to n - 1, for fan-outs of up to RANGE_MAX items. A list that
            comes from data may have DATA_MAX.
            """;

    private final JsonNode schema = JsonMapper.shared().readTree(WorkflowReader.schema());

    private WorkflowPage() {}

    /** An object of the definition file, where the schema describes it, and what to say of it as a whole. */
    private record Block(String title, String pointer, String about) {}

    static String text() {
        return new WorkflowPage().page();
    }

    private String page() {
        checkAllAreThere();
        var page = new StringBuilder(HEAD.replace("KIB", String.valueOf(Bounds.DEFINITION_BYTES_MAX / 1024)));
        BLOCKS.forEach(block -> section(block, page));
        page.append(EXPRESSIONS);
        for (Variable variable : Variable.values()) {
            page.append("| `" + written(variable) + "` | " + meaning(variable) + " |\n");
        }
        page.append(FUNCTIONS
                .replace("RANGE_MAX", grouped(Bounds.ITEMS_FROM_RANGE_MAX))
                .replace("DATA_MAX", grouped(Bounds.ITEMS_FROM_DATA_MAX)));
        return page.toString();
    }

    private static String grouped(int number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    private void checkAllAreThere() {
        Set<String> described = new TreeSet<>();
        collect(schema, "", described);
        described.removeAll(ELSEWHERE);
        Set<String> shown = BLOCKS.stream().map(Block::pointer).collect(Collectors.toCollection(TreeSet::new));
        if (!shown.equals(described)) {
            throw new AssertionError("expected a block in WorkflowPage for each of " + described + ", found " + shown);
        }
    }

    /** Finds every object that has fields. */
    private static void collect(JsonNode node, String pointer, Set<String> found) {
        if (node.path("properties").isObject()) {
            found.add(pointer);
        }
        for (var field : node.properties()) {
            collect(field.getValue(), pointer + "/" + field.getKey(), found);
        }
    }

    private void section(Block block, StringBuilder page) {
        page.append("\n## " + block.title + "\n\n" + block.about
                + "\n\n| field | what it says | such as |\n|---|---|---|\n");
        List<String> others = new ArrayList<>();
        for (var field : schema.at(block.pointer).path("properties").properties()) {
            String description = field.getValue().path("description").stringValue("");
            if (description.startsWith("The same as `")) {
                others.add("`" + field.getKey() + "` for "
                        + description.substring("The same as ".length()).replace(".", ""));
            } else {
                page.append("| `" + field.getKey() + "` | " + description + " | " + such(field.getValue()) + " |\n");
            }
        }
        if (!others.isEmpty()) {
            page.append("\nOther names that are understood: " + String.join(", ", others) + ".\n");
        }
    }

    /** What may be written there: all choices, or the examples. */
    private static String such(JsonNode field) {
        JsonNode values = field.has("enum") ? field.path("enum") : field.path("examples");
        return values.valueStream().map(value -> "`" + written(value) + "`").collect(Collectors.joining(", "));
    }

    /** A value as one would write it in YAML; quotes stand only where they must, and never around the whole. */
    private static String written(JsonNode value) {
        return value.isString() ? value.stringValue() : nested(value);
    }

    private static String nested(JsonNode value) {
        if (value.isObject()) {
            return value.propertyStream()
                    .map(field -> field.getKey() + ": " + nested(field.getValue()))
                    .collect(Collectors.joining(", ", "{ ", " }"));
        }
        if (value.isArray()) {
            return value.valueStream().map(WorkflowPage::nested).collect(Collectors.joining(", ", "[", "]"));
        }
        return value.isString() && value.stringValue().matches("[\\w.-]+") ? value.stringValue() : value.toString();
    }

    private static String written(Variable variable) {
        return switch (variable) {
            case INPUT, STEPS, ITEM, INDEX, EVENT, RUN, SECRETS -> variable.word();
            case ALWAYS, FAILED, SUCCEEDED -> variable.word() + "()";
        };
    }

    private static String meaning(Variable variable) {
        return switch (variable) {
            case INPUT -> "the run's input: `input.order`";
            case STEPS ->
                "the steps before: `steps.reserve.output.parcels`, `steps.reserve.state`, `steps.reserve.error`";
            case ITEM -> "the element that an item of a fan-out is for";
            case INDEX -> "its place in the list, from 0";
            case EVENT -> "*planned:* the event that a trigger looks at";
            case RUN -> "the run itself: `run.id`";
            case SECRETS ->
                "`secrets.NAME`, put in when a call is sent or work is handed out, and never stored. It stands alone or"
                        + " within a text; nothing can be computed with it";
            case ALWAYS -> "in `if`: the step is looked at even after a failure or a cancel";
            case FAILED -> "in `if`: whether something that the step needs has failed";
            case SUCCEEDED ->
                "in `if`: whether all that the step needs has completed, was skipped, or has failed with"
                        + " `on_failure: continue`. This is what counts where there is no `if`";
        };
    }
}
