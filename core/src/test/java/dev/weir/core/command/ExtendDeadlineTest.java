package dev.weir.core.command;

import static dev.weir.core.run.World.SECOND;
import static dev.weir.core.run.World.step;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.definition.CancelPolicy;
import dev.weir.core.definition.Deadline;
import dev.weir.core.definition.RunLimits;
import dev.weir.core.definition.Workflow;
import dev.weir.core.definition.WorkflowLimits;
import dev.weir.core.plan.Plan;
import dev.weir.core.run.Organisation;
import dev.weir.core.run.World;
import dev.weir.core.state.Move;
import dev.weir.core.state.RunState;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R4.13")
class ExtendDeadlineTest {
    private final World world = new World();

    @Test
    void a_run_is_warned_about_its_deadline_once_and_then_fails() {
        world.start("r", plan(Deadline.Action.FAIL));
        long deadline = world.now + 100 * SECOND;
        world.passTime(79 * SECOND);
        assertThat(warnings()).isZero();
        world.passTime(SECOND);
        assertThat(warnings()).isOne();
        world.org = Organisation.restore(world.org.rows(), world.now);
        world.passTime(19 * SECOND);
        assertThat(world.state("r")).isEqualTo(RunState.RUNNING);
        world.passTime(SECOND);
        assertThat(world.now).isEqualTo(deadline);
        assertThat(world.state("r")).isEqualTo(RunState.FAILED);
        assertThat(warnings()).isOne();
        assertThat(extend(deadline + 1)).isEqualTo(ExtendDeadline.Answer.NOT_FOUND);
    }

    @Test
    void a_deadline_can_cancel_instead() {
        world.start("r", plan(Deadline.Action.CANCEL));
        world.passTime(100 * SECOND);
        assertThat(world.state("r")).isEqualTo(RunState.CANCELLED);
    }

    @Test
    void more_time_counts_from_the_start_and_is_warned_of_again() {
        world.start("r", plan(Deadline.Action.FAIL));
        long started = world.now;
        world.passTime(90 * SECOND);
        assertThat(extend(started + 50 * SECOND)).isEqualTo(ExtendDeadline.Answer.NOT_LATER);
        assertThat(extend(started + 200 * SECOND)).isEqualTo(ExtendDeadline.Answer.EXTENDED);
        world.org = Organisation.restore(world.org.rows(), world.now);
        world.passTime(69 * SECOND);
        assertThat(warnings()).isOne();
        world.passTime(SECOND);
        assertThat(warnings()).isEqualTo(2);
        world.passTime(39 * SECOND);
        assertThat(world.state("r")).isEqualTo(RunState.RUNNING);
        world.passTime(SECOND);
        assertThat(world.state("r")).isEqualTo(RunState.FAILED);
    }

    @Test
    void a_run_without_a_deadline_or_in_its_ending_is_not_extended() {
        world.start("r", World.plan(step("a")));
        assertThat(extend(world.now + SECOND)).isEqualTo(ExtendDeadline.Answer.NO_DEADLINE);
        world.poll(1);
        world.handle(new CancelRun("r", null, "enough"));
        assertThat(extend(world.now + SECOND)).isEqualTo(ExtendDeadline.Answer.ENDING);
    }

    private static Plan plan(Deadline.Action action) {
        var policy = new Workflow.Policy(new Deadline(Duration.ofSeconds(100), action), CancelPolicy.ALLOW_FINISH, 0);
        return World.plan(RunLimits.NONE, WorkflowLimits.NONE, policy, step("a"));
    }

    private long warnings() {
        return world.moves.stream().filter(Move.DeadlineNear.class::isInstance).count();
    }

    private ExtendDeadline.Answer extend(long until) {
        return world.handle(new ExtendDeadline("r", until));
    }
}
