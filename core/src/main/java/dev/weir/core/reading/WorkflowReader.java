package dev.weir.core.reading;

import dev.weir.core.definition.Action;
import dev.weir.core.definition.Bounds;
import dev.weir.core.definition.CancelPolicy;
import dev.weir.core.definition.Deadline;
import dev.weir.core.definition.FlowControl;
import dev.weir.core.definition.Graph;
import dev.weir.core.definition.InvalidDefinition;
import dev.weir.core.definition.KeptForm;
import dev.weir.core.definition.LimitedCall;
import dev.weir.core.definition.RunLimits;
import dev.weir.core.definition.Schema;
import dev.weir.core.definition.Step;
import dev.weir.core.definition.Trigger;
import dev.weir.core.definition.Workflow;
import dev.weir.core.definition.WorkflowLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads definitions: YAML 1.2 or JSON, in Weir's own words or in those of the documents that it grew from. */
public final class WorkflowReader {
    private WorkflowReader() {}

    /** A workflow that somebody has written. */
    public static Reading<Workflow> read(String text) {
        return read(text, Structure.WORKFLOW, WorkflowReader::newWorkflow);
    }

    /**
     * A workflow that was kept: {@link Workflow#toJson} as text, however large. What is refused since then because it meant
     * nothing is passed over.
     */
    public static Reading<Workflow> readKept(String text) {
        try {
            return made(Document.readKept(text), Structure.WORKFLOW, WorkflowReader::workflow);
        } catch (Unreadable e) {
            return new Reading.Refused<>(List.of(e.refusal()));
        }
    }

    /** One HTTP request under limits: {@code {url, method, headers, body, flow_control}}. */
    public static Reading<LimitedCall> readCall(String text) {
        return read(text, Structure.LIMITED_CALL, WorkflowReader::call);
    }

    /** The limits alone: one object or a list. */
    public static Reading<List<FlowControl>> readFlowControl(String text) {
        return read(text, Structure.FLOW_CONTROL, WorkflowReader::flowControl);
    }

    /** The published JSON Schema (draft 2020-12) of a workflow. */
    public static String schema() {
        return Structure.text();
    }

    private static <T> Reading<T> read(String text, Structure structure, Function<Fields, @Nullable T> maker) {
        Document document;
        try {
            document = Document.read(text);
        } catch (Unreadable e) {
            return new Reading.Refused<>(List.of(e.refusal()));
        }
        // Counted in what was read, where each alias is written out, and before any of them is compiled.
        int expressions = KeptForm.expressions(document.root());
        if (expressions > Bounds.EXPRESSIONS_MAX) {
            var problems = new Problems(document);
            problems.add("", "expected at most " + Bounds.EXPRESSIONS_MAX + " expressions, found " + expressions);
            return new Reading.Refused<>(problems.inOrder());
        }
        return made(document, structure, maker);
    }

    private static <T> Reading<T> made(Document document, Structure structure, Function<Fields, @Nullable T> maker) {
        var problems = new Problems(document);
        structure.check(document.root(), problems);
        T made = maker.apply(new Fields(document.root(), "", problems));
        if (made != null && problems.isEmpty()) {
            return new Reading.Accepted<>(made);
        }
        if (problems.isEmpty()) {
            throw new IllegalStateException("a definition was refused without a reason");
        }
        return new Reading.Refused<>(problems.inOrder());
    }

    private static @Nullable LimitedCall call(Fields root) {
        Action.Call call = ActionReader.call(root);
        List<FlowControl> flowControl = LimitsReader.flowControl(root);
        return call == null
                ? null
                : root.make(() -> new LimitedCall(call, flowControl == null ? List.of() : flowControl));
    }

    private static @Nullable List<FlowControl> flowControl(Fields root) {
        List<FlowControl> list = LimitsReader.entries(root.objects());
        return root.make(() -> FlowControl.distinct(list));
    }

    private static @Nullable Workflow newWorkflow(Fields root) {
        root.objects("steps").forEach(StepReader::checkTimeout);
        root.objects("triggers").forEach(TriggerReader::checkSchedule);
        Workflow made = workflow(root);
        return made == null
                ? null
                : root.make(() -> {
                    KeptForm.check(made);
                    return made;
                });
    }

    private static @Nullable Workflow workflow(Fields root) {
        String name = root.text("workflow");
        if (!root.has("workflow")) {
            root.problems().add("/workflow", "expected the workflow's name, found nothing");
        }
        Schema inputSchema = root.schema("input_schema");
        RunLimits runLimits = LimitsReader.runLimits(root);
        WorkflowLimits limits = LimitsReader.workflowLimits(root);
        List<FlowControl> flowControl = LimitsReader.flowControl(root);
        Workflow.Policy policy = policy(root);
        List<Trigger> triggers = TriggerReader.triggers(root);
        List<Step> steps = steps(root);
        if (name == null || !root.problems().isEmpty()) {
            checkGraph(root);
            return null;
        }
        return root.make(() -> new Workflow(
                new Workflow.About(name, root.text("description"), inputSchema),
                runLimits,
                limits,
                flowControl == null ? List.of() : flowControl,
                policy,
                triggers,
                steps));
    }

    private static Workflow.Policy policy(Fields root) {
        Deadline deadline = deadline(root);
        CancelPolicy cancel = root.choice("cancel", CancelPolicy.ALLOW_FINISH);
        int priority = root.whole("priority", 0);
        return root.make(Workflow.Policy.DEFAULT, () -> new Workflow.Policy(deadline, cancel, priority));
    }

    private static @Nullable Deadline deadline(Fields root) {
        Fields object = root.object("deadline");
        Duration after = object == null ? root.duration("deadline") : object.duration("after");
        Deadline.Action action = object == null ? Deadline.Action.FAIL : object.choice("action", Deadline.Action.FAIL);
        return after == null ? null : root.make(() -> new Deadline(after, action));
    }

    private static List<Step> steps(Fields root) {
        List<Step> steps = new ArrayList<>();
        for (Fields fields : root.objects("steps")) {
            Step step = StepReader.step(fields);
            if (step != null) {
                steps.add(step);
            }
        }
        return steps;
    }

    /** Steps that could not be read still show whom they wait for, so that a cycle is told together with all else. */
    private static void checkGraph(Fields root) {
        List<Graph.Node> nodes = new ArrayList<>();
        for (Fields step : root.objects("steps")) {
            String id = step.text("id");
            if (id == null) {
                return;
            }
            nodes.add(new Graph.Node(id, step.texts("needs")));
        }
        var problems = Graph.problems(nodes);
        if (!problems.isEmpty()) {
            root.problems().add("", new InvalidDefinition(problems));
        }
    }
}
