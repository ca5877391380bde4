package dev.weir.core.run;

import static dev.weir.core.run.World.SECOND;
import static dev.weir.core.run.World.json;
import static dev.weir.core.run.World.plan;
import static dev.weir.core.run.World.step;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.command.Assignment;
import dev.weir.core.command.PauseRun;
import dev.weir.core.command.ProvideInput;
import dev.weir.core.command.ResumeRun;
import dev.weir.core.command.RetryRun;
import dev.weir.core.command.SendSignal;
import dev.weir.core.command.StartRun;
import dev.weir.core.definition.Action;
import dev.weir.core.definition.FlowControl;
import dev.weir.core.definition.OnFailure;
import dev.weir.core.definition.OnNeedsInput;
import dev.weir.core.definition.RunLimits;
import dev.weir.core.definition.Workflow;
import dev.weir.core.definition.WorkflowLimits;
import dev.weir.core.expression.Template;
import dev.weir.core.limit.LimitId;
import dev.weir.core.plan.BuiltInModule;
import dev.weir.core.plan.Plan;
import dev.weir.core.state.Move;
import dev.weir.core.state.RunState;
import dev.weir.core.state.StepState;
import dev.weir.core.state.UnitId;
import dev.weir.core.state.Update;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Everything that starts passes the same admission: each kind of start waits while another holds a key's only
 * allocation.
 */
@Tag("S5")
@Tag("RX.1")
class NoBypassTest {
    private static final FlowControl ONE = FlowControl.parallelism("k", 1);
    private static final Duration SOON = Duration.ofSeconds(1);

    private final World world = new World();

    /** Takes the key's only allocation. */
    private Assignment occupyKey() {
        world.start("holder", plan(step("h").keys(ONE)));
        Assignment held = world.poll(1).getFirst();
        assertThat(held.claim().unit()).hasToString("holder/h");
        return held;
    }

    /** Asserts that a step does not start before the key has room, and does start then. */
    private Assignment startsOnlyAfter(Assignment held, String unit) {
        assertThat(world.pollIds(9)).isEmpty();
        assertThat(world.org.limits(world.now))
                .allMatch(limit -> limit.used() <= 1 || !(limit.limit() instanceof LimitId.Key));
        world.complete(held);
        List<Assignment> started = world.poll(9);
        assertThat(World.ids(started)).containsExactly(unit);
        return started.getFirst();
    }

    @Test
    void a_first_try_waits_for_its_limits() {
        Assignment held = occupyKey();
        world.start("r", plan(step("a").keys(ONE)));
        startsOnlyAfter(held, "r/a");
    }

    @Test
    void a_retry_waits_for_its_limits() {
        world.start("r", plan(step("a").keys(ONE).retry(3, SOON)));
        Assignment first = world.poll(1).getFirst();
        world.fail(first, "no");
        Assignment held = occupyKey();
        world.passTime(10 * SECOND);
        startsOnlyAfter(held, "r/a");
    }

    @Test
    void a_step_whose_worker_was_lost_waits_for_its_limits() {
        world.start("r", plan(step("a").keys(ONE)));
        world.poll(1);
        world.start("holder", plan(step("h").keys(ONE).timeout(Duration.ofHours(1))));
        world.handle(new PauseRun("r"));
        world.passTime(World.LEASE + SECOND);
        Assignment held = world.poll(1).getFirst();
        assertThat(held.claim().unit()).hasToString("holder/h");
        world.handle(new ResumeRun("r"));
        startsOnlyAfter(held, "r/a");
    }

    @Test
    void a_step_that_gave_everything_back_for_its_input_waits_for_its_limits() {
        world.start("r", plan(step("a").keys(ONE).onNeedsInput(OnNeedsInput.RELEASE)));
        world.update(world.poll(1).getFirst(), new Update.NeedsInput(json("'which?'")));
        Assignment held = occupyKey();
        world.handle(new ProvideInput(UnitId.of("r", "a"), json("'this'")));
        startsOnlyAfter(held, "r/a");
    }

    @Test
    @Tag("R2.6")
    void a_step_that_kept_what_it_holds_goes_on_because_it_never_left() {
        world.start("r", plan(step("a").keys(ONE)));
        world.update(world.poll(1).getFirst(), new Update.NeedsInput(json("'which?'")));
        world.start("other", plan(step("b").keys(ONE)));
        assertThat(world.pollIds(9)).isEmpty();
        world.handle(new ProvideInput(UnitId.of("r", "a"), json("'this'")));
        assertThat(world.pollIds(9)).containsExactly("r/a");
    }

    @Test
    void a_resumed_run_waits_for_its_limits() {
        world.start("r", plan(step("a").keys(ONE)));
        world.handle(new PauseRun("r"));
        Assignment held = occupyKey();
        world.handle(new ResumeRun("r"));
        world.advance();
        startsOnlyAfter(held, "r/a");
    }

    @Test
    void a_failed_step_that_is_tried_again_because_its_run_was_resumed_waits_for_its_limits() {
        world.start("r", plan(step("a").keys(ONE).retry(1, SOON).onFailure(OnFailure.PAUSE)));
        world.fail(world.poll(1).getFirst(), "no");
        Assignment held = occupyKey();
        world.handle(new ResumeRun("r"));
        world.advance();
        startsOnlyAfter(held, "r/a");
    }

    @Test
    void a_run_that_is_tried_again_waits_for_its_place_and_its_steps_for_their_limits() {
        var limits = new WorkflowLimits(1, null, null, 10);
        Plan one = plan(
                RunLimits.NONE,
                limits,
                Workflow.Policy.DEFAULT,
                step("a").keys(ONE).retry(1, SOON));
        world.start("r", one);
        world.fail(world.poll(1).getFirst(), "no");
        var old = world.moves.stream()
                .filter(Move.RunMoved.class::isInstance)
                .map(move -> ((Move.RunMoved) move).row())
                .toList()
                .getLast();
        world.start("first", one);
        assertThat(world.handle(new RetryRun("again", old, List.of())))
                .isEqualTo(new StartRun.Answer.Accepted(RunState.QUEUED));
        world.advance();
        assertThat(world.state("again")).isEqualTo(RunState.QUEUED);
        Assignment first = world.poll(9).getFirst();
        assertThat(first.claim().unit()).hasToString("first/a");
        world.complete(first);
        assertThat(world.state("again")).isEqualTo(RunState.RUNNING);
        Assignment again = world.poll(9).getFirst();
        assertThat(again.claim().unit()).hasToString("again/a");
    }

    @Test
    void an_invoked_run_waits_for_its_place_and_its_steps_for_their_limits() {
        Plan leaf = world.register(
                "leaf", new WorkflowLimits(1, null, null, 10), step("l").keys(ONE));
        Plan shop = world.register("shop", WorkflowLimits.NONE, invoke("s"));
        world.start("other", leaf);
        Assignment held = world.poll(9).getFirst();
        world.start("r", shop);
        assertThat(world.state("r.s.1")).isEqualTo(RunState.QUEUED);
        startsOnlyAfter(held, "r.s.1/l");
    }

    @Test
    void items_wait_for_their_limits_one_by_one() {
        Assignment held = occupyKey();
        world.start("r", plan(step("a").items("[1, 2]", null).keys(ONE)));
        startsOnlyAfter(startsOnlyAfter(held, "r/a/0"), "r/a/1");
    }

    @Test
    @Tag("R0.11")
    void compensation_waits_for_the_limits_of_what_it_undoes() {
        world.start(
                "r",
                plan(
                        step("a").keys(ONE).compensateWith("{}"),
                        step("c", "a").retry(1, SOON).onFailure(OnFailure.COMPENSATE)));
        world.complete(world.poll(9).getFirst());
        Assignment c = world.poll(9).getFirst();
        Assignment held = occupyKey();
        world.fail(c, "no");
        startsOnlyAfter(held, "r/a.compensate");
    }

    @Test
    void a_call_waits_for_its_limits_and_holds_them_until_its_answer() {
        Assignment held = occupyKey();
        var call = new Action.Call(Action.Method.GET, Template.of("http://127.0.0.1/"), Template.emptyObject(), null);
        world.start("r", plan(step("a").action(call).keys(ONE), step("b").keys(ONE)));
        assertThat(world.poll(BuiltInModule.CALL, 1)).isEmpty();
        world.complete(held);
        Assignment calling = world.poll(BuiltInModule.CALL, 1).getFirst();
        startsOnlyAfter(calling, "r/b");
    }

    @Test
    void an_invocation_waits_for_its_limits() {
        world.register("leaf", WorkflowLimits.NONE, step("l"));
        Plan shop = world.register("shop", WorkflowLimits.NONE, invoke("s").keys(ONE));
        Assignment held = occupyKey();
        world.start("r", shop);
        startsOnlyAfter(held, "r.s.1/l");
    }

    @Test
    void an_event_is_not_emitted_before_the_limits_of_its_step_allow() {
        Assignment held = occupyKey();
        var emit = new Action.Emit("closed", Template.emptyObject());
        world.start("r", plan(step("a").action(emit).keys(ONE)));
        assertThat(world.moves).noneMatch(Move.EventReceived.class::isInstance);
        world.complete(held);
        assertThat(world.moves).anyMatch(Move.EventReceived.class::isInstance);
    }

    @Test
    void sleeping_and_waiting_steps_allocate_nothing_and_the_step_after_them_waits_for_its_limits() {
        Assignment held = occupyKey();
        world.start(
                "r",
                plan(
                        step("doze").action(new Action.Sleep(SOON)).keys(ONE),
                        step("hear").action(new Action.WaitFor("go", null)).keys(ONE),
                        step("a", "doze", "hear").keys(ONE)));
        world.passTime(2 * SECOND);
        world.handle(new SendSignal("r", "go", json("1")));
        assertThat(world.state("r", "doze")).isEqualTo(StepState.COMPLETED);
        assertThat(world.state("r", "hear")).isEqualTo(StepState.COMPLETED);
        startsOnlyAfter(held, "r/a");
    }

    private static World.StepBuilder invoke(String id) {
        return step(id).action(new Action.Invoke("leaf", Template.emptyObject()));
    }
}
