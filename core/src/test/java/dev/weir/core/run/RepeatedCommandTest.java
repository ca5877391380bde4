package dev.weir.core.run;

import static dev.weir.core.run.World.json;
import static dev.weir.core.run.World.plan;
import static dev.weir.core.run.World.step;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.command.AbandonStep;
import dev.weir.core.command.ApproveStep;
import dev.weir.core.command.Command;
import dev.weir.core.command.ProvideInput;
import dev.weir.core.command.RevokeApproval;
import dev.weir.core.command.SkipStep;
import dev.weir.core.definition.OnFailure;
import dev.weir.core.state.UnitId;
import dev.weir.core.state.Update;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Repeated decisions of people. The same words get the same answer and change nothing; different words are refused. */
@Tag("S6")
class RepeatedCommandTest {
    private final World world = new World();

    /** Decides a command, and repeats it at once and after a restart. */
    private <A> void decideAgain(Command<A> command, A answer) {
        assertThat(world.handle(command)).isEqualTo(answer);
        changesNothing(command, answer);
        world.restart();
        changesNothing(command, answer);
    }

    private <A> void changesNothing(Command<A> command, A answer) {
        world.passTime(1);
        var decision = world.org.handle(command, world.now);
        assertThat(decision.answer()).isEqualTo(answer);
        assertThat(decision.moves()).isEmpty();
    }

    @Test
    void a_repeated_approval_or_revocation_changes_nothing() {
        world.start("r", plan(step("a").gate()));
        decideAgain(new ApproveStep("r", "a", "ann", null), ApproveStep.Answer.APPROVED);
        decideAgain(new RevokeApproval("r", "a", "ben", "wait"), RevokeApproval.Answer.REVOKED);
        assertThat(world.handle(new RevokeApproval("r", "a", "ann", "wait")))
                .isEqualTo(RevokeApproval.Answer.NOT_APPROVED);
    }

    @Test
    void a_repeated_skip_changes_nothing() {
        world.start("r", plan(step("a").optional(), step("b", "a")));
        decideAgain(new SkipStep("r", "a"), SkipStep.Answer.SKIPPED);
    }

    @Test
    void repeated_input_and_a_repeated_abandonment_change_nothing() {
        world.start("r", plan(step("a"), step("b").onFailure(OnFailure.CONTINUE)));
        world.poll(2).forEach(each -> world.update(each, new Update.NeedsInput(json("1"))));
        decideAgain(new ProvideInput(UnitId.of("r", "a"), json("{'n': 1}")), ProvideInput.Answer.PROVIDED);
        decideAgain(new AbandonStep(UnitId.of("r", "b"), "ann", "enough"), AbandonStep.Answer.ABANDONED);
        assertThat(world.handle(new AbandonStep(UnitId.of("r", "b"), "ann", "other")))
                .isEqualTo(AbandonStep.Answer.NOT_WAITING);
    }
}
