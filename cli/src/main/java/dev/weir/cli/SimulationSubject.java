package dev.weir.cli;

import dev.weir.core.definition.Action;
import dev.weir.core.definition.DurationText;
import dev.weir.core.definition.JsonSchema;
import dev.weir.core.definition.Step;
import dev.weir.core.definition.Workflow;
import dev.weir.core.expression.InvalidExpression;
import dev.weir.core.expression.Scope;
import dev.weir.core.expression.Template;
import dev.weir.core.expression.Variable;
import dev.weir.core.limit.Moment;
import dev.weir.core.reading.DataReader;
import dev.weir.core.reading.ReadProblem;
import dev.weir.core.reading.ReadResult;
import dev.weir.core.reading.WorkflowReader;
import dev.weir.forecast.BehaviourReader;
import dev.weir.forecast.DefinitionChange;
import dev.weir.forecast.ForecastScenario;
import dev.weir.forecast.SampleData;
import dev.weir.forecast.WorkflowBehaviour;
import dev.weir.forecast.text.HumanText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The subject of a simulation: the changed definition, the behaviour of its steps, and the input of its runs.
 *
 * @param inputTemplates the inputs to use in turn; empty = sample data
 */
record SimulationSubject(
        Workflow workflow, WorkflowBehaviour behaviours, List<Template> inputTemplates, List<String> notes) {
    private static final List<String> DURATIONS_SUFFIXES =
            List.of(".durations.yaml", ".durations.yml", ".durations.json");

    /** The files and options from which the subject is read. */
    record Source(
            Path file, @Nullable Path durations, @Nullable String input, List<String> sets) {}

    /** The options of a simulation: number and spacing of the runs, workers, and seed. */
    record Options(int runs, String every, @Nullable Integer workers, long seed) {}

    /** An invalid file, with every problem and its position. */
    static final class Refused extends Exception {
        private static final long serialVersionUID = 1L;
        private final transient List<String> lines;

        Refused(Path file, List<ReadProblem> refusals) {
            super(file + " is invalid");
            List<String> all = new ArrayList<>();
            for (ReadProblem refusal : refusals) {
                String field = refusal.path().isEmpty()
                        ? ""
                        : refusal.path().substring(1).replace('/', '.') + ": ";
                all.add(file + ":" + refusal.position().line() + ":"
                        + refusal.position().column() + ": " + field + refusal.message());
            }
            all.add("weir: " + file + " is invalid: "
                    + (refusals.size() == 1 ? "1 problem" : refusals.size() + " problems"));
            lines = List.copyOf(all);
        }

        List<String> lines() {
            return lines;
        }
    }

    /** An option with an invalid value. */
    static final class InvalidOption extends IllegalArgumentException {
        private static final long serialVersionUID = 1L;

        InvalidOption(String message) {
            super(message);
        }
    }

    static SimulationSubject read(Source source) throws IOException, Refused {
        Workflow original = requireAccepted(source.file, WorkflowReader.read(TextFile.read(source.file)));
        Workflow workflow = applyChanges(
                original, source.sets.stream().map(DefinitionChange::parse).toList(), "--set");
        List<String> notes = new ArrayList<>();
        WorkflowBehaviour behaviours = behaviours(source, workflow, notes);
        List<Template> inputTemplates = source.input == null ? List.of() : given(source.input, workflow);
        noteImmediateGates(workflow, notes);
        noteChildRuns(workflow, notes);
        if (inputTemplates.isEmpty() && SampleData.of(workflow).needsInput()) {
            notes.add("sample input: "
                    + HumanText.truncate(SampleData.of(workflow).input(1).toString(), 80)
                    + " (set yours with --input)");
        }
        List<String> sampled = SampleData.of(workflow).inventedOutputs(behaviours);
        if (!sampled.isEmpty()) {
            notes.add("sample output of " + String.join(", ", sampled)
                    + ": the fields that other steps read, with 5 elements per list (set yours in --durations)");
        }
        return new SimulationSubject(workflow, behaviours, inputTemplates, notes);
    }

    private static <T> T requireAccepted(Path file, ReadResult<T> result) throws Refused {
        return switch (result) {
            case ReadResult.Accepted<T> accepted -> accepted.value();
            case ReadResult.Refused<T> refused -> throw new Refused(file, refused.problems());
        };
    }

    private static Workflow applyChanges(Workflow workflow, List<DefinitionChange> changes, String option) {
        if (changes.isEmpty()) {
            return workflow;
        }
        ObjectNode json = workflow.toJson();
        changes.forEach(change -> change.apply(json));
        return switch (WorkflowReader.read(json.toString())) {
            case ReadResult.Accepted<Workflow> accepted -> accepted.value();
            case ReadResult.Refused<Workflow> refused -> {
                ReadProblem first = refused.problems().getFirst();
                String field =
                        first.path().isEmpty() ? "" : first.path().substring(1).replace('/', '.') + ": ";
                throw new InvalidOption(option + " makes the definition invalid: " + field + first.message());
            }
        };
    }

    private static WorkflowBehaviour behaviours(Source source, Workflow workflow, List<String> notes)
            throws IOException, Refused {
        Path file = source.durations == null ? findDurationsFile(source.file) : source.durations;
        if (file == null) {
            notes.add("each step takes 1 s (change it with --durations)");
            return WorkflowBehaviour.ALL_DEFAULT;
        }
        notes.add("durations and outputs come from " + file);
        return requireAccepted(file, BehaviourReader.read(TextFile.read(file), workflow));
    }

    private static @Nullable Path findDurationsFile(Path file) {
        String name = String.valueOf(file.getFileName()).replaceFirst("\\.(ya?ml|json)$", "");
        for (String suffix : DURATIONS_SUFFIXES) {
            Path candidate = file.resolveSibling(name + suffix);
            if (Files.isRegularFile(candidate)) {
                return candidate;
            }
        }
        return null;
    }

    private static void noteImmediateGates(Workflow workflow, List<String> notes) {
        boolean gates =
                workflow.steps().stream().anyMatch(step -> step.preconditions().gate() != null);
        boolean signals = workflow.steps().stream().map(Step::action).anyMatch(Action.WaitFor.class::isInstance);
        if (gates || signals) {
            notes.add((gates ? "gates are approved" : "")
                    + (gates && signals ? " and " : "")
                    + (signals ? "signals arrive" : "")
                    + " immediately, unless --durations gives them a duration");
        }
    }

    private static void noteChildRuns(Workflow workflow, List<String> notes) {
        List<String> steps = workflow.steps().stream()
                .filter(step -> step.action() instanceof Action.Invoke)
                .map(Step::id)
                .toList();
        if (!steps.isEmpty()) {
            notes.add("child runs are not simulated; each of these steps takes its own duration: "
                    + String.join(", ", steps));
        }
    }

    private static List<Template> given(String input, Workflow workflow) throws IOException {
        String text = TextFile.readValueOrFile(input);
        JsonNode root = switch (DataReader.read(text)) {
            case ReadResult.Accepted<DataReader> accepted -> accepted.value().root();
            case ReadResult.Refused<DataReader> refused ->
                throw new InvalidOption("--input: " + refused.problems().getFirst());
        };
        List<JsonNode> inputs = root.isArray() ? List.copyOf(root.values()) : List.of(root);
        if (inputs.isEmpty()) {
            throw new InvalidOption("--input: expected an input or a list of inputs, found an empty list");
        }
        try {
            List<Template> templates = inputs.stream().map(Template::of).toList();
            templates.forEach(template -> requireValidInput(workflow, render(template, 1)));
            return templates;
        } catch (InvalidExpression e) {
            throw new InvalidOption("--input: " + e.getMessage());
        }
    }

    private static void requireValidInput(Workflow workflow, JsonNode input) {
        JsonSchema schema = workflow.about().inputSchema();
        List<String> misfits = schema == null ? List.of() : schema.validate(input);
        if (!misfits.isEmpty()) {
            throw new InvalidOption("--input does not match input_schema: " + String.join("; ", misfits));
        }
    }

    private static JsonNode render(Template template, int number) {
        var run = JsonNodeFactory.instance.objectNode().put("id", "run-" + number);
        return template.render(Scope.of("--input").with(Variable.RUN, run));
    }

    /** Returns a copy with further changes of the definition. */
    SimulationSubject with(List<DefinitionChange> changes) {
        return new SimulationSubject(applyChanges(workflow, changes, "--compare"), behaviours, inputTemplates, notes);
    }

    ForecastScenario scenario(Options options) {
        long spacing = DurationText.parse(options.every)
                .filter(length -> !length.isNegative())
                .map(Moment::micros)
                .orElseThrow(() -> new InvalidOption(
                        "--every: expected " + DurationText.EXPECTED + ", found '" + options.every + "'"));
        IntFunction<JsonNode> inputs = inputTemplates.isEmpty()
                ? SampleData.of(workflow)::input
                : number -> render(inputTemplates.get((number - 1) % inputTemplates.size()), number);
        if (options.runs < 1 || options.runs > ForecastScenario.RUNS_MAX) {
            throw new InvalidOption("--runs: expected 1 to " + ForecastScenario.RUNS_MAX + ", found " + options.runs);
        }
        if (options.workers != null && options.workers < 1) {
            throw new InvalidOption("--workers: expected at least 1, found " + options.workers);
        }
        return ForecastScenario.of(workflow)
                .withRuns(options.runs)
                .withInterval(spacing)
                .withInput(inputs)
                .withBehaviour(behaviours)
                .withWorkers(options.workers == null ? ForecastScenario.UNLIMITED : options.workers)
                .withSeed(options.seed);
    }
}
