package dev.weir.core.command;

import static dev.weir.core.run.World.plan;
import static dev.weir.core.run.World.step;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.definition.Action;
import dev.weir.core.definition.FlowControl;
import dev.weir.core.run.Organisation;
import dev.weir.core.run.World;
import dev.weir.core.state.RunState;
import dev.weir.core.state.StepRow;
import dev.weir.core.state.UnitId;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R2.11")
class RevokeApprovalTest {
    private final World world = new World();

    @Test
    void an_approval_can_be_taken_back_before_the_step_has_started() {
        world.start("r", plan(step("a").gate().keys(FlowControl.parallelism("k", 1))));
        assertThat(revoke()).isEqualTo(RevokeApproval.Answer.NOT_APPROVED);
        approve();
        assertThat(revoke()).isEqualTo(RevokeApproval.Answer.REVOKED);
        assertThat(world.state("r")).isEqualTo(RunState.WAITING);
        assertThat(world.pollIds(1)).isEmpty();
        assertThat(world.org
                        .findStep(UnitId.of("r", "a"))
                        .orElseThrow()
                        .detail()
                        .approval())
                .isEqualTo(new StepRow.Approval(false, "ben", "not yet", world.now));
        approve();
        assertThat(world.pollIds(1)).containsExactly("r/a");
        assertThat(revoke()).isEqualTo(RevokeApproval.Answer.STARTED);
    }

    @Test
    void the_items_of_a_step_wait_with_it_also_across_a_restart() {
        world.start("r", plan(step("a").gate().items("[1, 2, 3]", 2)));
        approve();
        assertThat(revoke()).isEqualTo(RevokeApproval.Answer.REVOKED);
        world.org = Organisation.restore(world.org.rows(), world.now);
        assertThat(world.pollIds(5)).isEmpty();
        approve();
        assertThat(world.pollIds(1)).containsExactly("r/a/0");
        assertThat(revoke()).isEqualTo(RevokeApproval.Answer.STARTED);
        assertThat(world.pollIds(5)).containsExactly("r/a/1");
    }

    @Test
    void a_step_with_only_a_gate_completes_with_its_approval() {
        world.start("r", plan(step("a").action(new Action.GateOnly()).gate(), step("b", "a")));
        approve();
        assertThat(revoke()).isEqualTo(RevokeApproval.Answer.STARTED);
    }

    private void approve() {
        assertThat(world.handle(new ApproveStep("r", "a", "anna", null))).isEqualTo(ApproveStep.Answer.APPROVED);
        world.advance();
    }

    private RevokeApproval.Answer revoke() {
        var answer = world.handle(new RevokeApproval("r", "a", "ben", "not yet"));
        world.advance();
        return answer;
    }
}
