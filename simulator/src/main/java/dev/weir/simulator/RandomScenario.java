package dev.weir.simulator;

import dev.weir.core.definition.Action;
import dev.weir.core.definition.ApprovalGate;
import dev.weir.core.definition.CancelPolicy;
import dev.weir.core.definition.Compensation;
import dev.weir.core.definition.Deadline;
import dev.weir.core.definition.FailureTolerance;
import dev.weir.core.definition.FanOut;
import dev.weir.core.definition.FlowControl;
import dev.weir.core.definition.JsonSchema;
import dev.weir.core.definition.OnFailure;
import dev.weir.core.definition.OnNeedsInput;
import dev.weir.core.definition.Preconditions;
import dev.weir.core.definition.RateLimit;
import dev.weir.core.definition.ResultRules;
import dev.weir.core.definition.RetryPolicy;
import dev.weir.core.definition.RunLimits;
import dev.weir.core.definition.Step;
import dev.weir.core.definition.StepDemand;
import dev.weir.core.definition.Workflow;
import dev.weir.core.definition.WorkflowLimits;
import dev.weir.core.expression.Template;
import dev.weir.core.plan.Plan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Generates random workflows with random limits. Every kind of limit, and every pair of kinds, occurs often. */
final class RandomScenario {
    static final List<String> MODULES = List.of("m0", "m1", "m2");
    private static final Template RUN_KEY = Template.of("${{ input.key }}");
    private static final Template ALWAYS = Template.of("${{ always() }}");
    private static final Template ITEM_KEY = Template.of("item-${{ item }}");
    /**
     * An expression with a high cost that takes little time. A decision may evaluate about three of them, and one step
     * may have three.
     */
    private static final String COSTLY_ONE = "int('" + "0".repeat(1_350) + "1')";

    private static final Pattern COSTLY_CHOICE =
            Pattern.compile(Pattern.quote("${{ " + COSTLY_ONE + " == 1 ? ") + "([a-z.]+) : [^}]* }}");

    private static final Template COSTLY_RUN_KEY = Template.of("${{ " + COSTLY_ONE + " == 1 ? input.key : '' }}");
    private static final Template COSTLY_ALWAYS = Template.of("${{ " + COSTLY_ONE + " == 1 && always() }}");
    private static final Template COSTLY_ITEM_KEY = Template.of("item-${{ " + COSTLY_ONE + " == 1 ? item : item }}");
    private static final Template COSTLY_INPUT =
            Template.of(JsonNodeFactory.instance.objectNode().put("n", "${{ " + COSTLY_ONE + " }}"));
    /**
     * The percentage of organisations with costly expressions, and the percentage of their expressions that are costly.
     */
    private static final int COSTLY_ORGANISATION_PERCENT = 25;

    private static final int COSTLY_EXPRESSION_PERCENT = 90;
    /** The percentage of steps with a gate, and of steps that may be skipped. */
    private static final int GATE_PERCENT = 8;

    private static final int OPTIONAL_PERCENT = 20;
    /** The signal that steps wait for. */
    static final String SIGNAL = "go";

    /** The workflow that steps invoke most often. */
    private static final String LEAF = "leaf";

    private static final Template INVOKED_INPUT =
            Template.of(JsonNodeFactory.instance.objectNode().put("key", "${{ input.key }}"));
    /** A field that the input of some workflows requires. Some runs lack it until somebody amends the input. */
    static final String REQUIRED_FIELD = "must";

    private static final JsonSchema INPUT_SCHEMA = JsonSchema.of(object("required", REQUIRED_FIELD));
    /** Outputs are the number of the attempt, so the output of a first attempt does not fit this schema. */
    private static final JsonSchema OUTPUT_SCHEMA =
            JsonSchema.of(JsonNodeFactory.instance.objectNode().put("minimum", 2));

    private static final int STEPS_MAX = 5;
    private static final int ITEMS_MAX = 6;

    private final SplittableRandom random;
    private final boolean costly;
    private final List<KeyValues> keys = new ArrayList<>();

    /** The kinds of limits that a key has. All users of a key have the same kinds, with values of their own. */
    record KeyValues(
            String name, boolean capacity, @Nullable Duration period, RateLimit.Window window) {}

    RandomScenario(SplittableRandom random) {
        this.random = random;
        this.costly = chance(COSTLY_ORGANISATION_PERCENT);
        int count = 2 + random.nextInt(3);
        for (int i = 0; i < count; i++) {
            boolean rate = chance(60);
            var window = chance(40) ? RateLimit.Window.FIXED : RateLimit.Window.SLIDING;
            var period = rate ? Duration.ofMillis(500L * (1 + random.nextInt(20))) : null;
            keys.add(new KeyValues("k" + i, !rate || chance(50), period, window));
        }
    }

    /** Returns a template without the part that only makes its evaluation costly. */
    static String withoutCost(String template) {
        return COSTLY_CHOICE.matcher(template).replaceAll("\\${{ $1 }}");
    }

    private Template maybeCostly(Template cheap, Template expensive) {
        return costly && chance(COSTLY_EXPRESSION_PERCENT) ? expensive : cheap;
    }

    private Template input() {
        return maybeCostly(Template.emptyObject(), COSTLY_INPUT);
    }

    List<KeyValues> keys() {
        return keys;
    }

    boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    private static JsonNode object(String field, String entry) {
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        object.putArray(field).add(entry);
        return object;
    }

    /** Returns a short workflow, with limits of its own, that other workflows invoke. */
    Plan leaf() {
        var uses = new Action.Uses(MODULES.get(random.nextInt(MODULES.size())), input());
        var step = new Step(
                "l",
                null,
                Preconditions.NONE,
                uses,
                null,
                demand(false),
                new Step.Attempts(retry(), Duration.ofSeconds(60)),
                new ResultRules(onFailure(), OnNeedsInput.KEEP, null, null),
                false);
        return Plan.of(new Workflow(
                new Workflow.About(LEAF, null, null),
                new RunLimits(null, null, null, Duration.ofSeconds(1)),
                new WorkflowLimits(chance(50) ? 1 : null, null, null, WorkflowLimits.DEFAULT_CASCADE_DEPTH),
                List.of(),
                new Workflow.Policy(null, CancelPolicy.ALLOW_FINISH, 0),
                List.of(),
                List.of(step)));
    }

    Plan workflow(int number) {
        List<Step> steps = new ArrayList<>();
        int count = 1 + random.nextInt(STEPS_MAX);
        for (int i = 0; i < count; i++) {
            steps.add(step(i, steps, number));
        }
        if (chance(30)) {
            // A step may be listed before the steps that it needs.
            Collections.shuffle(steps, new Random(random.nextLong()));
        }
        var limits = new RunLimits(
                chance(55) ? (Integer) (1 + random.nextInt(3)) : null,
                chance(45) ? (Integer) (1 + random.nextInt(2)) : null,
                chance(55) ? (Integer) (3 + random.nextInt(2)) : null,
                Duration.ofMillis(200L * (1 + random.nextInt(5))));
        var policy = new Workflow.Policy(
                deadline(), chance(50) ? CancelPolicy.ALLOW_FINISH : CancelPolicy.CANCEL_RUNNING, 0);
        return Plan.of(new Workflow(
                new Workflow.About("w" + number, null, chance(15) ? INPUT_SCHEMA : null),
                limits,
                workflowLimits(),
                chance(50) ? flowControl() : List.of(),
                policy,
                List.of(),
                steps));
    }

    private @Nullable Deadline deadline() {
        if (!chance(22)) {
            return null;
        }
        var action = chance(50) ? Deadline.Action.FAIL : Deadline.Action.CANCEL;
        return new Deadline(Duration.ofSeconds(10L + random.nextInt(60)), action);
    }

    private WorkflowLimits workflowLimits() {
        var perKey = chance(45)
                ? new WorkflowLimits.PerKey(
                        maybeCostly(RUN_KEY, COSTLY_RUN_KEY), 1, chance(20) ? (Integer) (1 + random.nextInt(3)) : null)
                : null;
        return new WorkflowLimits(
                chance(45) ? (Integer) (1 + random.nextInt(2)) : null,
                chance(45) ? (Integer) (2 + random.nextInt(3)) : null,
                perKey,
                1 + random.nextInt(2));
    }

    /**
     * Returns an action that invokes a workflow. Only a step without items may invoke its own workflow: six items that
     * each do the same would take hours under a rate.
     */
    private Action invoke(int number, boolean items) {
        String workflow = items || chance(70) ? LEAF : chance(90) ? "w" + number : "nothing";
        List<FlowControl> keysOfChild = chance(40) ? (items && chance(50) ? itemKeys() : flowControl()) : null;
        return new Action.Invoke(workflow, INVOKED_INPUT, keysOfChild);
    }

    private Action emit() {
        return new Action.Emit("done", input());
    }

    private Step step(int index, List<Step> before, int number) {
        List<String> needs = new ArrayList<>();
        for (Step earlier : before) {
            if (chance(25)) {
                needs.add(earlier.id());
            }
        }
        boolean sleeps = chance(6);
        boolean waits = !sleeps && chance(11);
        boolean invokesOrEmits = !sleeps && !waits && chance(13);
        FanOut fanOut = !sleeps && !waits && chance(invokesOrEmits ? 10 : 38) ? fanOut() : null;
        Action action = sleeps
                ? new Action.Sleep(Duration.ofMillis(1 + random.nextInt(5_000)))
                : waits
                        ? new Action.WaitFor(SIGNAL, Duration.ofMillis(1 + random.nextInt(20_000)))
                        : invokesOrEmits
                                ? (chance(65) ? invoke(number, fanOut != null) : emit())
                                : new Action.Uses(MODULES.get(random.nextInt(MODULES.size())), input());
        boolean works = action instanceof Action.Uses;
        return new Step(
                "s" + index,
                null,
                new Preconditions(
                        needs,
                        List.of(),
                        chance(8) ? maybeCostly(ALWAYS, COSTLY_ALWAYS) : null,
                        chance(GATE_PERCENT) ? new ApprovalGate(null) : null),
                action,
                fanOut,
                demand(fanOut != null),
                new Step.Attempts(retry(), chance(15) ? Duration.ofSeconds(3) : Duration.ofSeconds(60)),
                new ResultRules(
                        // A failed invocation would fail again however often somebody resumed the run, so these steps
                        // never pause it.
                        waits
                                ? OnFailure.CONTINUE
                                : invokesOrEmits ? (chance(50) ? OnFailure.CONTINUE : OnFailure.FAIL) : onFailure(),
                        chance(70) ? OnNeedsInput.KEEP : OnNeedsInput.RELEASE,
                        works && fanOut == null && chance(6) ? OUTPUT_SCHEMA : null,
                        works ? compensation() : null),
                chance(OPTIONAL_PERCENT));
    }

    private StepDemand demand(boolean items) {
        return new StepDemand(
                chance(45) ? (Integer) (1 + random.nextInt(3)) : null,
                chance(20) ? Boolean.TRUE : null,
                chance(60) ? (items && chance(20) ? itemKeys() : flowControl()) : null,
                chance(20) ? (Integer) (random.nextInt(5) - 2) : null);
    }

    private List<FlowControl> itemKeys() {
        return List.of(new FlowControl(maybeCostly(ITEM_KEY, COSTLY_ITEM_KEY), 1, null, 1, 1));
    }

    private @Nullable Compensation compensation() {
        if (!chance(85)) {
            return null;
        }
        var undo = new Action.Uses(MODULES.get(random.nextInt(MODULES.size())), input());
        return new Compensation(undo, retry(), Duration.ofSeconds(60));
    }

    private OnFailure onFailure() {
        int draw = random.nextInt(10);
        if (draw < 4) {
            return chance(80) ? OnFailure.COMPENSATE : OnFailure.FAIL;
        }
        return draw < 8 ? OnFailure.CONTINUE : OnFailure.PAUSE;
    }

    private RetryPolicy retry() {
        return new RetryPolicy(
                1 + random.nextInt(4),
                Duration.ofMillis(200),
                RetryPolicy.Backoff.EXPONENTIAL,
                Duration.ofSeconds(5),
                0.25,
                3);
    }

    private FanOut fanOut() {
        var items = JsonNodeFactory.instance.arrayNode();
        int count = random.nextInt(ITEMS_MAX + 1);
        for (int i = 0; i < count; i++) {
            items.add(i % 3);
        }
        return new FanOut(
                Template.of(items),
                chance(70) ? (Integer) (1 + random.nextInt(3)) : null,
                chance(15) ? (Integer) 2 : null,
                chance(40) ? new FailureTolerance.Count(2) : FailureTolerance.NONE);
    }

    private List<FlowControl> flowControl() {
        List<FlowControl> chosen = new ArrayList<>();
        for (KeyValues key : keys) {
            if (chance(45)) {
                chosen.add(flowControl(key));
            }
        }
        return chosen;
    }

    private FlowControl flowControl(KeyValues key) {
        Integer parallelism = key.capacity ? (Integer) (1 + random.nextInt(4)) : null;
        int weight = parallelism != null && chance(40) ? 1 + random.nextInt(parallelism) : 1;
        RateLimit rate = key.period == null ? null : new RateLimit(1 + random.nextInt(4), key.period, key.window);
        int cost = rate != null && chance(35) ? 1 + random.nextInt(rate.count()) : 1;
        return new FlowControl(Template.of(key.name), parallelism, rate, weight, cost);
    }
}
