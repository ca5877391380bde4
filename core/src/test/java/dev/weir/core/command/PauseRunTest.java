package dev.weir.core.command;

import static dev.weir.core.run.World.plan;
import static dev.weir.core.run.World.step;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.definition.CancelPolicy;
import dev.weir.core.definition.RunLimits;
import dev.weir.core.definition.Workflow;
import dev.weir.core.definition.WorkflowLimits;
import dev.weir.core.run.World;
import dev.weir.core.state.RunState;
import dev.weir.core.state.StepState;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R0.16")
class PauseRunTest {
    private final World world = new World();

    @Test
    void a_paused_run_starts_nothing_more_and_what_runs_goes_on() {
        world.start("r", plan(step("a"), step("b", "a")));
        var a = world.poll(1).getFirst();
        assertThat(world.handle(new PauseRun("r"))).isEqualTo(PauseRun.Answer.PAUSED);
        assertThat(world.handle(new PauseRun("r"))).isEqualTo(PauseRun.Answer.ALREADY_PAUSED);
        assertThat(world.complete(a)).isEqualTo(UpdateStep.Answer.APPLIED);
        assertThat(world.state("r", "b")).isEqualTo(StepState.READY);
        assertThat(world.pollIds(1)).isEmpty();
        assertThat(world.state("r")).isEqualTo(RunState.PAUSED);
    }

    @Test
    void a_paused_queued_run_does_not_start_when_a_place_is_free() {
        var one = new WorkflowLimits(1, null, null, 10);
        var plan = plan(RunLimits.NONE, one, Workflow.Policy.DEFAULT, step("a"));
        world.start("first", plan);
        world.start("r", plan);
        world.handle(new PauseRun("r"));
        world.complete(world.poll(1).getFirst());
        assertThat(world.state("r")).isEqualTo(RunState.PAUSED);
        world.handle(new ResumeRun("r"));
        world.advance();
        assertThat(world.state("r")).isEqualTo(RunState.RUNNING);
    }

    @Test
    void a_paused_run_can_be_cancelled() {
        world.start("r", plan(step("a"), step("clean").when("always()")));
        world.handle(new PauseRun("r"));
        world.handle(new CancelRun("r", CancelPolicy.ALLOW_FINISH, "enough"));
        var clean = world.poll(5);
        assertThat(World.ids(clean)).containsExactly("r/clean");
        assertThat(world.handle(new PauseRun("r"))).isEqualTo(PauseRun.Answer.ENDING);
        world.complete(clean.getFirst());
        assertThat(world.state("r")).isEqualTo(RunState.CANCELLED);
    }

    @Test
    void a_run_that_does_not_live_is_not_found() {
        assertThat(world.handle(new PauseRun("x"))).isEqualTo(PauseRun.Answer.NOT_FOUND);
    }
}
