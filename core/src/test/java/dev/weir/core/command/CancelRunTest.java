package dev.weir.core.command;

import static dev.weir.core.run.World.SECOND;
import static dev.weir.core.run.World.plan;
import static dev.weir.core.run.World.step;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.definition.CancelPolicy;
import dev.weir.core.definition.FlowControl;
import dev.weir.core.definition.OnFailure;
import dev.weir.core.definition.RunLimits;
import dev.weir.core.definition.Workflow;
import dev.weir.core.definition.WorkflowLimits;
import dev.weir.core.limit.LimitId;
import dev.weir.core.run.World;
import dev.weir.core.state.RunState;
import dev.weir.core.state.StepState;
import dev.weir.core.state.Update;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R1.9")
@Tag("S10")
class CancelRunTest {
    private final World world = new World();

    @Test
    @Tag("R0.10")
    void a_step_that_has_failed_and_waits_for_an_operator_has_failed_when_its_run_is_cancelled() {
        world.start(
                "r", plan(step("a").onFailure(OnFailure.PAUSE), step("b", "a").when("always()")));
        world.update(world.poll(1).getFirst(), new Update.Failed("no", true));
        assertThat(world.state("r")).isEqualTo(RunState.PAUSED);

        world.handle(new CancelRun("r", null, "enough"));

        assertThat(world.state("r", "a")).isEqualTo(StepState.FAILED);
        world.advance();
        world.complete(world.poll(1).getFirst());
        assertThat(world.state("r")).isEqualTo(RunState.CANCELLED);
    }

    @Test
    void nothing_more_starts_and_what_runs_may_finish() {
        world.start("r", plan(World.maxSteps(1), step("a"), step("b"), step("c", "a")));
        var a = world.poll(1).getFirst();
        assertThat(cancel(CancelPolicy.ALLOW_FINISH)).isEqualTo(new CancelRun.Answer.Cancelling(RunState.RUNNING));
        assertThat(world.heartbeat(a)).isEqualTo(new Heartbeat.Answer.Extended(World.LEASE, false));
        assertThat(world.pollIds(5)).isEmpty();
        assertThat(world.complete(a)).isEqualTo(UpdateStep.Answer.APPLIED);
        assertThat(world.state("r")).isEqualTo(RunState.CANCELLED);
        assertThat(world.pollIds(5)).isEmpty();
        assertThat(cancel(null)).isEqualTo(new CancelRun.Answer.AlreadyEnded(RunState.CANCELLED));
    }

    @Test
    @Tag("R3.8")
    void a_worker_that_ignores_a_cancel_loses_its_claim_and_its_allocation_is_released() {
        var key = FlowControl.parallelism("k", 1);
        world.start("r", plan(step("a").keys(key)));
        var a = world.poll(1).getFirst();
        world.start("next", plan(step("a").keys(key)));
        cancel(CancelPolicy.CANCEL_RUNNING);
        for (int i = 0; i < 3; i++) {
            world.passTime(9 * SECOND);
            world.heartbeat(a);
        }
        assertThat(world.pollIds(1)).isEmpty();
        world.passTime(3 * SECOND);
        assertThat(world.state("r")).isEqualTo(RunState.CANCELLED);
        assertThat(world.heartbeat(a)).isEqualTo(new Heartbeat.Answer.ClaimLost());
        assertThat(world.pollIds(1)).containsExactly("next/a");
    }

    @Test
    void a_run_of_which_nothing_is_in_flight_is_cancelled_at_once() {
        world.start("r", plan(step("a"), step("b", "a"), step("nap", "b").gate()));
        assertThat(cancel(null)).isEqualTo(new CancelRun.Answer.Cancelling(RunState.CANCELLED));
        assertThat(world.org.limits(world.now)).allMatch(limit -> limit.used() == 0 && limit.totalWaiting() == 0);
    }

    @Test
    void a_step_between_two_tries_is_not_tried_again() {
        world.start("r", plan(step("a").retry(3, Duration.ofSeconds(1))));
        world.fail(world.poll(1).getFirst(), "once");
        cancel(null);
        assertThat(world.state("r")).isEqualTo(RunState.CANCELLED);
        world.passTime(10 * SECOND);
        assertThat(world.pollIds(1)).isEmpty();
    }

    @Test
    @Tag("R0.10")
    void a_step_that_always_runs_also_runs_after_a_cancel() {
        world.start("r", plan(step("a"), step("clean", "a").when("always()")));
        var a = world.poll(1).getFirst();
        cancel(CancelPolicy.ALLOW_FINISH);
        world.fail(a, "not again");
        var clean = world.poll(5);
        assertThat(World.ids(clean)).containsExactly("r/clean");
        world.complete(clean.getFirst());
        assertThat(world.state("r")).isEqualTo(RunState.CANCELLED);
    }

    @Test
    @Tag("R4.4")
    void a_queued_run_gives_its_place_in_the_queue_back() {
        var limits = new WorkflowLimits(1, null, null, 10);
        var plan = plan(RunLimits.NONE, limits, Workflow.Policy.DEFAULT, step("a"));
        world.start("first", plan);
        world.start("r", plan);
        world.start("third", plan);
        assertThat(cancel(null)).isEqualTo(new CancelRun.Answer.Cancelling(RunState.CANCELLED));
        world.complete(world.poll(1).getFirst());
        assertThat(world.state("third")).isEqualTo(RunState.RUNNING);
        assertThat(world.org.limits(world.now))
                .filteredOn(limit -> limit.limit().equals(new LimitId.WorkflowRuns("flow")))
                .allMatch(limit -> limit.used() == 1 && limit.totalWaiting() == 0);
    }

    @Test
    void a_cancel_can_be_made_quicker_but_not_taken_back() {
        world.start("r", plan(step("a")));
        var a = world.poll(1).getFirst();
        cancel(CancelPolicy.ALLOW_FINISH);
        cancel(CancelPolicy.CANCEL_RUNNING);
        cancel(CancelPolicy.ALLOW_FINISH);
        assertThat(((Heartbeat.Answer.Extended) world.heartbeat(a)).cancelRequested())
                .isTrue();
    }

    @Test
    @Tag("S10")
    @Tag("L3")
    void a_run_that_waits_for_an_operator_ends_even_if_the_failed_step_runs_in_any_case() {
        world.start("r", plan(step("a").when("always()").onFailure(OnFailure.PAUSE), step("b", "a")));
        world.update(world.poll(1).getFirst(), new Update.Failed("no use", true));
        assertThat(world.state("r")).isEqualTo(RunState.PAUSED);
        assertThat(cancel(null)).isEqualTo(new CancelRun.Answer.Cancelling(RunState.CANCELLED));
    }

    private CancelRun.Answer cancel(@Nullable CancelPolicy policy) {
        var answer = world.handle(new CancelRun("r", policy, "enough"));
        world.advance();
        return answer;
    }
}
