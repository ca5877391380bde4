package dev.weir.core.command;

import static dev.weir.core.run.World.plan;
import static dev.weir.core.run.World.step;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.definition.Action;
import dev.weir.core.run.World;
import dev.weir.core.state.RunState;
import dev.weir.core.state.StepRow;
import dev.weir.core.state.StepState;
import dev.weir.core.state.UnitId;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R2.11")
class ApproveStepTest {
    private final World world = new World();

    @Test
    void a_run_waits_for_a_gate_and_goes_on_when_it_is_approved() {
        world.start(
                "r",
                plan(
                        step("gate").action(new Action.GateOnly()).gate(),
                        step("work", "gate").gate()));
        assertThat(world.state("r")).isEqualTo(RunState.WAITING);
        assertThat(approve("gate")).isEqualTo(ApproveStep.Answer.APPROVED);
        assertThat(world.state("r", "gate")).isEqualTo(StepState.COMPLETED);
        assertThat(world.state("r")).isEqualTo(RunState.WAITING);
        assertThat(world.pollIds(1)).isEmpty();
        assertThat(approve("work")).isEqualTo(ApproveStep.Answer.APPROVED);
        assertThat(world.state("r")).isEqualTo(RunState.RUNNING);
        assertThat(world.pollIds(1)).containsExactly("r/work");
        world.passTime(1);
        assertThat(approve("work")).isEqualTo(ApproveStep.Answer.APPROVED);
        assertThat(world.handle(new ApproveStep("r", "work", "ben", null))).isEqualTo(ApproveStep.Answer.NOT_WAITING);
        assertThat(world.org
                        .findStep(UnitId.of("r", "work"))
                        .orElseThrow()
                        .detail()
                        .approval())
                .isEqualTo(new StepRow.Approval(true, "anna", "looks right", world.now - 1));
        assertThat(approve("x")).isEqualTo(ApproveStep.Answer.NOT_FOUND);
    }

    private ApproveStep.Answer approve(String step) {
        return world.handle(new ApproveStep("r", step, "anna", "looks right"));
    }
}
