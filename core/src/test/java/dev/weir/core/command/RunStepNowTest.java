package dev.weir.core.command;

import static dev.weir.core.run.World.plan;
import static dev.weir.core.run.World.step;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.definition.FlowControl;
import dev.weir.core.run.KeyWorld;
import dev.weir.core.run.World;
import dev.weir.core.state.StepState;
import dev.weir.core.state.UnitId;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R2.14")
class RunStepNowTest {
    private final World world = KeyWorld.parallelism(1, 3).world;

    private RunStepNow.Answer runNow(String run, String step) {
        return runNow(UnitId.of(run, step));
    }

    private RunStepNow.Answer runNow(UnitId unit) {
        var answer = world.handle(new RunStepNow(unit));
        world.advance();
        return answer;
    }

    @Test
    void a_step_goes_ahead_of_older_ones_and_never_exceeds_its_limit() {
        var first = world.poll(9);
        assertThat(World.ids(first)).containsExactly("r0/a");
        assertThat(runNow("r2", "a")).isEqualTo(RunStepNow.Answer.AHEAD);
        assertThat(world.pollIds(9)).as("the key is full").isEmpty();
        world.complete(first.getFirst());
        assertThat(world.pollIds(9)).containsExactly("r2/a");
    }

    @Test
    void a_restart_keeps_the_order() {
        assertThat(runNow("r2", "a")).isEqualTo(RunStepNow.Answer.AHEAD);
        world.restart();
        assertThat(world.pollIds(9)).containsExactly("r2/a");
    }

    @Test
    void a_retry_goes_ahead_again() {
        world.start(
                "again", plan(step("a").keys(FlowControl.parallelism("k", 1)).retry(2, Duration.ofSeconds(1))));
        runNow("again", "a");
        world.poll(1).forEach(claim -> world.fail(claim, "once"));
        world.passTime(2 * World.SECOND);
        assertThat(world.pollIds(9)).containsExactly("again/a");
    }

    @Test
    void one_item_of_a_fan_out_can_be_chosen() {
        world.start("f", plan(step("s").items("[1, 2, 3]", 1)));
        assertThat(runNow("f", "s")).isEqualTo(RunStepNow.Answer.HAS_ITEMS);
        assertThat(runNow(new UnitId("f", "s", 2))).isEqualTo(RunStepNow.Answer.AHEAD);
        assertThat(world.pollIds(1)).containsExactly("f/s/2");
    }

    @Test
    void a_repeated_request_changes_nothing() {
        assertThat(runNow("r1", "a")).isEqualTo(RunStepNow.Answer.AHEAD);
        var decision = world.org.handle(new RunStepNow(UnitId.of("r1", "a")), world.now);
        assertThat(decision.answer()).isEqualTo(RunStepNow.Answer.AHEAD);
        assertThat(decision.moves()).isEmpty();
    }

    @Test
    void a_step_that_is_not_ready_is_refused() {
        world.start("n", plan(step("a"), step("b", "a"), step("g").gate()));
        assertThat(runNow("n", "b")).isEqualTo(RunStepNow.Answer.NOT_READY);
        assertThat(runNow("n", "g")).isEqualTo(RunStepNow.Answer.NOT_READY);
        assertThat(runNow("n", "x")).isEqualTo(RunStepNow.Answer.NOT_FOUND);
        assertThat(runNow("n", "a")).isEqualTo(RunStepNow.Answer.AHEAD);
        var claimed = world.poll(1).getFirst();
        assertThat(runNow("n", "a")).isEqualTo(RunStepNow.Answer.RUNNING);
        world.complete(claimed);
        assertThat(world.state("n", "a")).isEqualTo(StepState.COMPLETED);
        assertThat(runNow("n", "a")).isEqualTo(RunStepNow.Answer.ENDED);
    }
}
