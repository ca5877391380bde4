package dev.weir.testkit.simulator;

import dev.weir.core.definition.Action;
import dev.weir.core.definition.CancelPolicy;
import dev.weir.core.definition.Compensation;
import dev.weir.core.definition.Deadline;
import dev.weir.core.definition.Demand;
import dev.weir.core.definition.Ending;
import dev.weir.core.definition.FanOut;
import dev.weir.core.definition.FlowControl;
import dev.weir.core.definition.Gate;
import dev.weir.core.definition.OnFailure;
import dev.weir.core.definition.OnNeedsInput;
import dev.weir.core.definition.Preconditions;
import dev.weir.core.definition.Rate;
import dev.weir.core.definition.Retry;
import dev.weir.core.definition.RunLimits;
import dev.weir.core.definition.Schema;
import dev.weir.core.definition.Step;
import dev.weir.core.definition.Tolerance;
import dev.weir.core.definition.Workflow;
import dev.weir.core.definition.WorkflowLimits;
import dev.weir.core.expression.Template;
import dev.weir.core.life.Plan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Random workflows with random limits, of which every kind and every pair of kinds comes up often. */
final class Scenario {
    static final List<String> MODULES = List.of("m0", "m1", "m2");
    private static final Template RUN_KEY = Template.of("${{ input.key }}");
    private static final Template ALWAYS = Template.of("${{ always() }}");
    private static final Template ITEM_KEY = Template.of("item-${{ item }}");
    /** Steps with a gate, and steps that may be skipped, in percent. */
    private static final int GATES = 8;

    private static final int OPTIONAL = 20;
    /** The signal that steps wait for. */
    static final String SIGNAL = "go";

    /** The workflow that steps invoke most often. */
    private static final String LEAF = "leaf";

    private static final Template INVOKED_INPUT =
            Template.of(JsonNodeFactory.instance.objectNode().put("key", "${{ input.key }}"));
    /** What a run's input must have; some lack it until somebody mends that. */
    static final String NEEDED = "must";

    private static final Schema INPUT = Schema.of(object("required", NEEDED));
    /** Outputs are the number of the try, so that those of first tries do not fit. */
    private static final Schema OUTPUT =
            Schema.of(JsonNodeFactory.instance.objectNode().put("minimum", 2));

    private static final int STEPS_MAX = 5;
    private static final int ITEMS_MAX = 6;

    private final SplittableRandom random;
    private final List<KeyValues> keys = new ArrayList<>();

    /** The kind of limits that a key has; all who name it have the same kind, with values of their own. */
    record KeyValues(
            String name, boolean capacity, @Nullable Duration period, Rate.Window window) {}

    Scenario(SplittableRandom random) {
        this.random = random;
        int count = 2 + random.nextInt(3);
        for (int i = 0; i < count; i++) {
            boolean rate = chance(60);
            var window = chance(40) ? Rate.Window.FIXED : Rate.Window.SLIDING;
            var period = rate ? Duration.ofMillis(500L * (1 + random.nextInt(20))) : null;
            keys.add(new KeyValues("k" + i, !rate || chance(50), period, window));
        }
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

    /** What is only invoked: short, with limits of its own. */
    Plan leaf() {
        var uses = new Action.Uses(MODULES.get(random.nextInt(MODULES.size())), Template.emptyObject());
        var step = new Step(
                "l",
                null,
                Preconditions.NONE,
                uses,
                null,
                demand(false),
                new Step.Attempts(retry(), Duration.ofSeconds(60)),
                new Ending(onFailure(), OnNeedsInput.KEEP, null, null),
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
            // A step may be listed before what it needs.
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
                new Workflow.About("w" + number, null, chance(15) ? INPUT : null),
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
                ? new WorkflowLimits.PerKey(RUN_KEY, 1, chance(20) ? (Integer) (1 + random.nextInt(3)) : null)
                : null;
        return new WorkflowLimits(
                chance(45) ? (Integer) (1 + random.nextInt(2)) : null,
                chance(45) ? (Integer) (2 + random.nextInt(3)) : null,
                perKey,
                1 + random.nextInt(2));
    }

    /** A step that invokes its own workflow does so once: six items that each do the same would take hours under a rate. */
    private Action invoke(int number, boolean items) {
        String workflow = items || chance(70) ? LEAF : chance(90) ? "w" + number : "nothing";
        return new Action.Invoke(workflow, INVOKED_INPUT);
    }

    private Action emit() {
        return new Action.Emit("done", Template.emptyObject());
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
        boolean nests = !sleeps && !waits && chance(13);
        FanOut fanOut = !sleeps && !waits && chance(nests ? 10 : 38) ? fanOut() : null;
        Action action = sleeps
                ? new Action.Sleep(Duration.ofMillis(1 + random.nextInt(5_000)))
                : waits
                        ? new Action.WaitFor(SIGNAL, Duration.ofMillis(1 + random.nextInt(20_000)))
                        : nests
                                ? (chance(65) ? invoke(number, fanOut != null) : emit())
                                : new Action.Uses(MODULES.get(random.nextInt(MODULES.size())), Template.emptyObject());
        boolean works = action instanceof Action.Uses;
        return new Step(
                "s" + index,
                null,
                new Preconditions(needs, List.of(), chance(8) ? ALWAYS : null, chance(GATES) ? new Gate(null) : null),
                action,
                fanOut,
                demand(fanOut != null),
                new Step.Attempts(retry(), chance(15) ? Duration.ofSeconds(3) : Duration.ofSeconds(60)),
                new Ending(
                        // What is invoked in vain would fail again however often somebody resumed the run.
                        waits
                                ? OnFailure.CONTINUE
                                : nests ? (chance(50) ? OnFailure.CONTINUE : OnFailure.FAIL) : onFailure(),
                        chance(70) ? OnNeedsInput.KEEP : OnNeedsInput.RELEASE,
                        works && fanOut == null && chance(6) ? OUTPUT : null,
                        works ? compensation() : null),
                chance(OPTIONAL));
    }

    private Demand demand(boolean items) {
        return new Demand(
                chance(45) ? (Integer) (1 + random.nextInt(3)) : null,
                chance(20) ? Boolean.TRUE : null,
                chance(60) ? (items && chance(20) ? itemKeys() : flowControl()) : null,
                chance(20) ? (Integer) (random.nextInt(5) - 2) : null);
    }

    private static List<FlowControl> itemKeys() {
        return List.of(new FlowControl(ITEM_KEY, 1, null, 1, 1));
    }

    private @Nullable Compensation compensation() {
        if (!chance(85)) {
            return null;
        }
        var undo = new Action.Uses(MODULES.get(random.nextInt(MODULES.size())), Template.emptyObject());
        return new Compensation(undo, retry(), Duration.ofSeconds(60));
    }

    private OnFailure onFailure() {
        int draw = random.nextInt(10);
        if (draw < 4) {
            return chance(80) ? OnFailure.COMPENSATE : OnFailure.FAIL;
        }
        return draw < 8 ? OnFailure.CONTINUE : OnFailure.PAUSE;
    }

    private Retry retry() {
        return new Retry(
                1 + random.nextInt(4),
                Duration.ofMillis(200),
                Retry.Backoff.EXPONENTIAL,
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
                chance(40) ? new Tolerance.Count(2) : Tolerance.NONE);
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
        Rate rate = key.period == null ? null : new Rate(1 + random.nextInt(4), key.period, key.window);
        int cost = rate != null && chance(35) ? 1 + random.nextInt(rate.count()) : 1;
        return new FlowControl(Template.of(key.name), parallelism, rate, weight, cost);
    }
}
