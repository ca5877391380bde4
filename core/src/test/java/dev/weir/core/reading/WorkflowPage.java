package dev.weir.core.reading;

import dev.weir.core.definition.DefinitionBounds;
import dev.weir.core.expression.Variable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Renders docs/WORKFLOWS.md: every field of the published schema with its description, and the expressions. */
final class WorkflowPage {
    private static final String HEAD = """
            # The definition file

            `WorkflowPageTest` generates this page from `workflow.schema.json`, and fails if the two differ. To regenerate it:
            `mvn test -pl core -Dtest=WorkflowPageTest -Dworkflow.page.write=true`.

            A workflow is a YAML 1.2 or JSON file of at most KIB KiB. The shortest useful one:

            ```yaml
            workflow: hello
            steps:
              - id: greet
                uses: greeter.hello     # a worker: ./weir work greeter.hello --exec 'cat'
            ```

            `./weir simulate FILE` runs it in virtual time, without a server. `./weir apply FILE` registers it. More files to copy
            from are in [examples](../examples/README.md). Weir refuses unknown fields and invalid values, and reports their line,
            their column and the nearest known name. Every node serves the JSON Schema for editors at `/v1/workflow.schema.json`.

            If a limit is not set, there is no limit. Work over a limit waits; Weir never rejects it.

            A duration is a number with a unit (`500ms`, `10s`, `1m`, `2h`, `7d`) or an ISO-8601 duration (`PT30S`). A `period` may
            also be a number of milliseconds (`60000`, `60_000`). Weir refuses a string of digits without a unit (`"10"`).
            """;

    private static final List<Block> BLOCKS = List.of(
            new Block("The workflow", "", "Only the name is required."),
            new Block("`runtime`", "/properties/runtime", "Limits how much of one run is in flight at once."),
            new Block("`limits`", "/properties/limits", "Limits the number of runs. A run over a limit is queued."),
            new Block(
                    "`deadline`",
                    "/properties/deadline/then",
                    "Use this object instead of a plain duration to set the action."),
            new Block(
                    "`flow_control`",
                    "/$defs/flow_control_entry",
                    "One object, or a list of at most " + DefinitionBounds.FLOW_CONTROLS_MAX
                            + ". Each sets `parallelism`, `rate` or both."),
            new Block(
                    "A step",
                    "/$defs/step",
                    "A step does one thing: `uses`, `call`, `invoke`, `sleep`, `wait_for`, `emit`, or only a `gate`."),
            new Block(
                    "`gate`",
                    "/$defs/step/properties/gate",
                    "The step waits until somebody approves it: `./weir approve RUN STEP`."),
            new Block("`retry`", "/$defs/retry", "A step without this block uses the defaults."),
            new Block("`call`", "/$defs/call", "The node sends the request; no worker is needed."),
            new Block(
                    "`invoke`",
                    "/$defs/step/properties/invoke",
                    "The output consists of the outputs of that run's steps."),
            new Block(
                    "`wait_for`",
                    "/$defs/step/properties/wait_for",
                    "`./weir signal RUN NAME` sends a signal. The output is the payload of the signal."),
            new Block(
                    "`emit`",
                    "/$defs/step/properties/emit",
                    "Weir stores the event when the step completes; nothing reacts to it yet."),
            new Block("`compensate`", "/$defs/compensation", "Undoes a completed step, with `uses` or `call`."),
            new Block(
                    "A trigger",
                    "/$defs/trigger",
                    "[EVENTS.md](EVENTS.md) explains events, triggers and schedules with examples."),
            new Block(
                    "`debounce`",
                    "/$defs/trigger/properties/debounce",
                    "One window per trigger and key. [EVENTS.md](EVENTS.md) shows an example."));

    private static final String EXPRESSIONS = """

            ## The output of a fan-out

            The output of a step with `with_items` is a list of the outputs of its items. The list has the order of the items, not
            the order in which they ended. An item without an output has `null` in its place: it failed and was tolerated, was
            cancelled, or reported `no_op`. An empty list of items gives `[]`. If the outputs together exceed 4 Mi characters, the
            output of the step is `null`; read those of the items with `GET /v1/runs/{run}/steps/{step}/items`. Later steps use the
            list: `steps.label.output[0].number`, `size(steps.label.output)`.

            ## Expressions

            `${{ … }}` contains an expression in [CEL](https://cel.dev). An expression that is the whole value keeps its type; an
            expression within other text becomes text. It can read only the data below, and Weir never evaluates its result again.

            | name | meaning |
            |---|---|
            """;

    private static final String FUNCTIONS = """

            Besides the operators, functions and macros of CEL (`size`, `in`, `has`, `all`, `exists`, `filter`, `map`, `contains`,
            `startsWith`, `matches` …), there is `range(n)`: the numbers from 0 to n - 1, for fan-outs of up to RANGE_MAX items. A
            list that comes from data may have DATA_MAX items.
            """;

    private final JsonNode schema = JsonMapper.shared().readTree(WorkflowReader.schema());

    private WorkflowPage() {}

    /** An object of the definition file: its heading, its position in the schema, and an introduction. */
    private record Block(String title, String pointer, String about) {}

    static String text() {
        return new WorkflowPage().page();
    }

    private String page() {
        checkComplete();
        var page = new StringBuilder(HEAD.replace("KIB", String.valueOf(DefinitionBounds.DEFINITION_BYTES_MAX / 1024)));
        BLOCKS.forEach(block -> section(block, page));
        page.append(EXPRESSIONS);
        for (Variable variable : Variable.values()) {
            page.append("| `" + formatted(variable) + "` | " + meaning(variable) + " |\n");
        }
        page.append(FUNCTIONS
                .replace("RANGE_MAX", grouped(DefinitionBounds.ITEMS_FROM_RANGE_MAX))
                .replace("DATA_MAX", grouped(DefinitionBounds.ITEMS_FROM_DATA_MAX)));
        return page.toString();
    }

    private static String grouped(int number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    private void checkComplete() {
        Set<String> described = new TreeSet<>();
        collect(schema, "", described);
        Set<String> shown = BLOCKS.stream().map(Block::pointer).collect(Collectors.toCollection(TreeSet::new));
        if (!shown.equals(described)) {
            throw new AssertionError("expected a block in WorkflowPage for each of " + described + ", found " + shown);
        }
    }

    /** Collects the pointers of all objects that have fields. */
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
                + "\n\n| field | description | values or examples |\n|---|---|---|\n");
        List<String> others = new ArrayList<>();
        for (var field : schema.at(block.pointer).path("properties").properties()) {
            String description = field.getValue().path("description").stringValue("");
            if (description.startsWith("The same as `")) {
                others.add("`" + field.getKey() + "` for "
                        + description.substring("The same as ".length()).replace(".", ""));
            } else {
                page.append(
                        "| `" + field.getKey() + "` | " + description + " | " + examples(field.getValue()) + " |\n");
            }
        }
        if (!others.isEmpty()) {
            page.append("\nAccepted synonyms: " + String.join(", ", others) + ".\n");
        }
    }

    /** Lists all allowed values, or else the examples. */
    private static String examples(JsonNode field) {
        JsonNode values = field.has("enum") ? field.path("enum") : field.path("examples");
        return values.valueStream().map(value -> "`" + formatted(value) + "`").collect(Collectors.joining(", "));
    }

    /** Formats a value as YAML; only nested text that needs quotes has them. */
    private static String formatted(JsonNode value) {
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

    private static String formatted(Variable variable) {
        return switch (variable) {
            case INPUT, STEPS, ITEM, INDEX, EVENT, RUN, SECRETS -> variable.variableName();
            case ALWAYS, FAILED, SUCCEEDED -> variable.variableName() + "()";
        };
    }

    private static String meaning(Variable variable) {
        return switch (variable) {
            case INPUT -> "the input of the run: `input.order`";
            case STEPS ->
                "the earlier steps: `steps.reserve.output.parcels`, `steps.reserve.state`, `steps.reserve.error`";
            case ITEM -> "the list element of this item of a fan-out";
            case INDEX -> "the index of this item, from 0";
            case EVENT ->
                "in triggers, the event: `event.data`, `event.id`, `event.name`, `event.source`, `event.time`, `event.correlation_id`";
            case RUN -> "the run itself: `run.id`";
            case SECRETS ->
                "`secrets.NAME`: Weir inserts the value when it sends a call or hands out work, and never stores it. In"
                        + " what calls and workers return, it replaces the value by `***`. A secret stands alone or within"
                        + " text; expressions cannot compute with it";
            case ALWAYS -> "in `if`: Weir considers the step even after a failure or a cancel";
            case FAILED -> "in `if`: true if a step that this one needs has failed";
            case SUCCEEDED ->
                "in `if`: true if every step that this one needs has completed, was skipped, or has failed with"
                        + " `on_failure: continue`. This is the default condition";
        };
    }
}
