package dev.weir.core.reading;

import dev.weir.core.definition.CancelPolicy;
import dev.weir.core.definition.Deadline;
import dev.weir.core.definition.DefinitionBounds;
import dev.weir.core.definition.FlowControl;
import dev.weir.core.definition.InvalidDefinition;
import dev.weir.core.definition.JsonSchema;
import dev.weir.core.definition.RunLimits;
import dev.weir.core.definition.Step;
import dev.weir.core.definition.StepGraph;
import dev.weir.core.definition.StoredDefinitionSize;
import dev.weir.core.definition.Trigger;
import dev.weir.core.definition.Workflow;
import dev.weir.core.definition.WorkflowLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads definitions: YAML 1.2 or JSON, with Weir's own field names or their synonyms. */
public final class WorkflowReader {
    private WorkflowReader() {}

    /** Reads a workflow that a person or program wrote. */
    public static ReadResult<Workflow> read(String text) {
        SourceDocument document;
        try {
            document = SourceDocument.read(text);
        } catch (UnreadableText e) {
            return new ReadResult.Refused<>(List.of(e.problem()));
        }
        return switch (read(document, WorkflowSchema.WORKFLOW, WorkflowReader::toNewWorkflow)) {
            case ReadResult.Accepted<Workflow> accepted ->
                new ReadResult.Accepted<>(accepted.value(), InactiveFields.of(document));
            case ReadResult.Refused<Workflow> refused -> refused;
        };
    }

    /**
     * Reads a stored workflow: the text of {@link Workflow#toJson}, of any size. It was checked before it was stored, so
     * it is not compared with the schema of definitions again, and its expressions and schemas are compiled when they
     * are used. Fields that had no effect and that newer versions refuse are ignored.
     */
    public static ReadResult<Workflow> readStored(String text) {
        try {
            SourceDocument document = SourceDocument.readStored(text);
            return toResult(document, new ProblemList(document), WorkflowReader::toWorkflow);
        } catch (UnreadableText e) {
            return new ReadResult.Refused<>(List.of(e.problem()));
        }
    }

    /** Reads YAML or JSON as plain data. */
    public static ReadResult<JsonNode> readData(String text) {
        try {
            return new ReadResult.Accepted<>(SourceDocument.read(text).root());
        } catch (UnreadableText e) {
            return new ReadResult.Refused<>(List.of(e.problem()));
        }
    }

    /** Reads limits alone: one object or a list. */
    public static ReadResult<List<FlowControl>> readFlowControl(String text) {
        return read(text, WorkflowSchema.FLOW_CONTROL, WorkflowReader::toFlowControl);
    }

    /** Returns the published JSON Schema (draft 2020-12) of a workflow. */
    public static String schema() {
        return WorkflowSchema.text();
    }

    private static <T> ReadResult<T> read(
            String text, WorkflowSchema schema, Function<FieldReader, @Nullable T> builder) {
        try {
            return read(SourceDocument.read(text), schema, builder);
        } catch (UnreadableText e) {
            return new ReadResult.Refused<>(List.of(e.problem()));
        }
    }

    private static <T> ReadResult<T> read(
            SourceDocument document, WorkflowSchema schema, Function<FieldReader, @Nullable T> builder) {
        var problems = new ProblemList(document);
        // Counted after aliases are expanded, and before any expression is compiled.
        int expressions = StoredDefinitionSize.countExpressions(document.root());
        if (expressions > DefinitionBounds.EXPRESSIONS_MAX) {
            problems.add(
                    "", "expected at most " + DefinitionBounds.EXPRESSIONS_MAX + " expressions, found " + expressions);
            return new ReadResult.Refused<>(problems.inTextOrder());
        }
        schema.check(document.root(), problems);
        return toResult(document, problems, builder);
    }

    private static <T> ReadResult<T> toResult(
            SourceDocument document, ProblemList problems, Function<FieldReader, @Nullable T> builder) {
        T built = builder.apply(new FieldReader(document.root(), "", problems));
        if (built != null && problems.isEmpty()) {
            return new ReadResult.Accepted<>(built);
        }
        if (problems.isEmpty()) {
            throw new IllegalStateException("expected a reason why the definition was refused, found none");
        }
        return new ReadResult.Refused<>(problems.inTextOrder());
    }

    private static @Nullable List<FlowControl> toFlowControl(FieldReader root) {
        List<FlowControl> list = LimitsReader.readEntries(root.objects());
        return root.buildOrReport(() -> FlowControl.requireDistinctKeys(list));
    }

    private static @Nullable Workflow toNewWorkflow(FieldReader root) {
        root.objects("steps").forEach(StepReader::checkTimeout);
        root.objects("triggers").forEach(TriggerReader::checkSchedule);
        ReservedNames.check(root);
        Workflow built = toWorkflow(root);
        return built == null
                ? null
                : root.buildOrReport(() -> {
                    StoredDefinitionSize.check(built);
                    return built;
                });
    }

    private static @Nullable Workflow toWorkflow(FieldReader root) {
        String name = root.text("workflow");
        if (!root.has("workflow")) {
            root.problems().add("/workflow", "expected the name of the workflow, found nothing");
        }
        JsonSchema inputSchema = root.schema("input_schema");
        RunLimits runLimits = LimitsReader.readRunLimits(root);
        WorkflowLimits limits = LimitsReader.readWorkflowLimits(root);
        List<FlowControl> flowControl = LimitsReader.readFlowControl(root);
        Workflow.Policy policy = readPolicy(root);
        List<Trigger> triggers = TriggerReader.readAll(root);
        List<Step> steps = readSteps(root);
        if (name == null || !root.problems().isEmpty()) {
            checkGraph(root);
            return null;
        }
        return root.buildOrReport(() -> new Workflow(
                new Workflow.About(name, root.text("description"), inputSchema),
                runLimits,
                limits,
                flowControl == null ? List.of() : flowControl,
                policy,
                triggers,
                steps));
    }

    private static Workflow.Policy readPolicy(FieldReader root) {
        Deadline deadline = readDeadline(root);
        CancelPolicy cancel = root.choice("cancel", CancelPolicy.ALLOW_FINISH);
        int priority = root.integer("priority", 0);
        return root.buildOrReport(Workflow.Policy.DEFAULT, () -> new Workflow.Policy(deadline, cancel, priority));
    }

    private static @Nullable Deadline readDeadline(FieldReader root) {
        FieldReader object = root.object("deadline");
        Duration after = object == null ? root.duration("deadline") : object.duration("after");
        Deadline.Action action = object == null ? Deadline.Action.FAIL : object.choice("action", Deadline.Action.FAIL);
        return after == null ? null : root.buildOrReport(() -> new Deadline(after, action));
    }

    private static List<Step> readSteps(FieldReader root) {
        List<Step> steps = new ArrayList<>();
        for (FieldReader fields : root.objects("steps")) {
            Step step = StepReader.read(fields);
            if (step != null) {
                steps.add(step);
            }
        }
        return steps;
    }

    /**
     * Checks the dependencies even of steps that could not be read, so that a cycle is reported together with all other
     * problems.
     */
    private static void checkGraph(FieldReader root) {
        List<StepGraph.GraphStep> nodes = new ArrayList<>();
        for (FieldReader step : root.objects("steps")) {
            String id = step.text("id");
            if (id == null) {
                return;
            }
            nodes.add(new StepGraph.GraphStep(id, step.texts("needs")));
        }
        var problems = StepGraph.problems(nodes);
        if (!problems.isEmpty()) {
            root.problems().add("", new InvalidDefinition(problems));
        }
    }
}
