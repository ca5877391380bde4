package dev.weir.core.run;

import static dev.weir.core.run.World.plan;
import static dev.weir.core.run.World.step;

import dev.weir.core.definition.Action;
import dev.weir.core.definition.CancelPolicy;
import dev.weir.core.definition.Deadline;
import dev.weir.core.definition.FailureTolerance;
import dev.weir.core.definition.FlowControl;
import dev.weir.core.definition.OnFailure;
import dev.weir.core.definition.OnNeedsInput;
import dev.weir.core.definition.RateLimit;
import dev.weir.core.definition.RunLimits;
import dev.weir.core.definition.Workflow;
import dev.weir.core.definition.WorkflowLimits;
import dev.weir.core.expression.Template;
import dev.weir.core.plan.Plan;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** Workflows that together use every kind of state that a restart could lose. */
final class RestartPlans {
    static final int PARALLELISM = 3;
    private static final FlowControl KEY = new FlowControl(Template.of("k"), PARALLELISM, null, 1, 1);
    private static final FlowControl HEAVY = new FlowControl(Template.of("k"), PARALLELISM, null, 2, 1);

    private RestartPlans() {}

    static List<Plan> all() {
        return Stream.of(basicPlans(), outsidePlans(), List.of(invoking()))
                .flatMap(List::stream)
                .toList();
    }

    private static List<Plan> basicPlans() {
        var rate = new FlowControl(
                Template.of("${{ input.k }}"),
                null,
                new RateLimit(4, Duration.ofSeconds(10), RateLimit.Window.SLIDING),
                1,
                1);
        var ticks = new RunLimits(2, 1, 3, Duration.ofMillis(500));
        var few = new WorkflowLimits(2, 20, new WorkflowLimits.PerKey(Template.of("${{ input.k }}"), 1, null), 10);
        return List.of(
                plan(step("a").keys(KEY), step("b", "a").retry(3, Duration.ofSeconds(2))),
                plan(
                        ticks,
                        step("a").demand(3, false),
                        step("b").demand(null, true).onFailure(OnFailure.CONTINUE),
                        step("c", "a", "b").keys(HEAVY, rate),
                        step("clean", "c").when("always()")),
                plan(
                        RunLimits.NONE,
                        few,
                        new Workflow.Policy(null, CancelPolicy.CANCEL_RUNNING, 2),
                        step("each")
                                .items("[1, 2, 3, 4, 5]", 2)
                                .with("{'n': '${{ item }}'}")
                                .keys(KEY),
                        step("nap", "each").action(new Action.Sleep(Duration.ofSeconds(7))),
                        step("last", "nap").optional().gate()),
                plan(
                        World.maxSteps(2),
                        step("some")
                                .items("range(input.n)", 3, 2, new FailureTolerance.Count(1))
                                .retry(2, Duration.ofSeconds(1)),
                        step("pausing")
                                .onFailure(OnFailure.PAUSE)
                                .retry(1, Duration.ofSeconds(1))
                                .keys(rate),
                        step("skip").when("input.n > 3").optional(),
                        step("after", "skip")),
                plan(
                        World.maxSteps(2),
                        step("many").gate().items("[1, 2, 3]", 2).keys(KEY).onNeedsInput(OnNeedsInput.RELEASE),
                        step("then", "many").keys(HEAVY).demand(null, true)));
    }

    /** Returns the workflows that the invoking workflow can start. */
    static List<Plan> invoked() {
        var world = new World();
        var few = new WorkflowLimits(2, 20, new WorkflowLimits.PerKey(Template.of("${{ input.k }}"), 1, null), 3);
        world.register(
                "leaf",
                few,
                step("work").keys(KEY).retry(1, Duration.ofSeconds(1)),
                step("nap", "work").gate());
        world.register(
                "loop", few, invoke("again", "loop"), step("tail", "again").when("always()"));
        return List.copyOf(world.plans.values());
    }

    private static World.StepBuilder invoke(String id, String workflow) {
        return step(id).action(new Action.Invoke(workflow, Template.of(World.json("{'k': 'key-1'}"))));
    }

    private static Plan invoking() {
        var few = new WorkflowLimits(2, null, new WorkflowLimits.PerKey(Template.of("${{ input.k }}"), 1, null), 3);
        return plan(
                World.maxSteps(2),
                few,
                Workflow.Policy.DEFAULT,
                invoke("child", "leaf").items("[1, 2, 3]", 2).keys(KEY),
                invoke("chain", "loop").onFailure(OnFailure.CONTINUE),
                step("tell", "child")
                        .action(new Action.Emit("told", Template.emptyObject()))
                        .when("always()"));
    }

    /** Returns workflows with steps that wait for somebody outside, or that are compensated. */
    private static List<Plan> outsidePlans() {
        return List.of(
                plan(
                        World.maxSteps(1),
                        step("one").keys(KEY).compensateWith("{'n': '${{ steps.one.output }}'}"),
                        step("two").keys(HEAVY).compensateWith("{'n': '${{ steps.two.output.x.y }}'}"),
                        step("signal").action(new Action.WaitFor("go", Duration.ofSeconds(50))),
                        step("end", "one", "two", "signal")
                                .onFailure(OnFailure.COMPENSATE)
                                .retry(2, Duration.ofSeconds(1))),
                plan(
                        RunLimits.NONE,
                        WorkflowLimits.NONE,
                        new Workflow.Policy(
                                new Deadline(Duration.ofSeconds(60), Deadline.Action.FAIL),
                                CancelPolicy.ALLOW_FINISH,
                                0),
                        step("lacking").requires("input.more").keys(KEY),
                        step("strict")
                                .outputSchema("{'minimum': 1, 'type': 'number'}")
                                .compensateWith("{}"),
                        step("next", "strict", "lacking").onFailure(OnFailure.COMPENSATE),
                        step("wait", "next").action(new Action.WaitFor("go", null)),
                        step("always", "wait").when("always()").requires("input.more")));
    }
}
