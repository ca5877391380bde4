package dev.weir.core.command;

import static dev.weir.core.run.World.plan;
import static dev.weir.core.run.World.step;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.run.World;
import dev.weir.core.state.RunState;
import dev.weir.core.state.StepState;
import dev.weir.core.state.UnitId;
import org.junit.jupiter.api.Test;

class WithStateTest {
    private final World world = new World();

    @Test
    void a_command_on_a_run_returns_its_new_state() {
        world.start("r", plan(step("a")));
        world.handle(new PauseRun("r"));
        assertThat(world.handle(WithState.ofRun(new ResumeRun("r"), "r")))
                .isEqualTo(new WithState.Answer<>(ResumeRun.Answer.RESUMED, RunState.RUNNING, null));
        assertThat(world.handle(WithState.ofRun(new ResumeRun("x"), "x")))
                .isEqualTo(new WithState.Answer<>(ResumeRun.Answer.NOT_FOUND, null, null));
    }

    @Test
    void a_command_that_ends_the_last_step_returns_the_ended_run_and_step() {
        world.start("r", plan(step("a").optional()));
        assertThat(world.handle(WithState.ofStep(new SkipStep("r", "a"), UnitId.of("r", "a"))))
                .isEqualTo(new WithState.Answer<>(SkipStep.Answer.SKIPPED, RunState.COMPLETED, StepState.SKIPPED));
    }
}
