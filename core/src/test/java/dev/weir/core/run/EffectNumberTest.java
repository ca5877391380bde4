package dev.weir.core.run;

import static dev.weir.core.run.World.SECOND;
import static dev.weir.core.run.World.json;
import static dev.weir.core.run.World.plan;
import static dev.weir.core.run.World.step;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.command.Assignment;
import dev.weir.core.command.ProvideInput;
import dev.weir.core.command.ResumeRun;
import dev.weir.core.command.UpdateStep;
import dev.weir.core.definition.OnFailure;
import dev.weir.core.state.RunState;
import dev.weir.core.state.StepRow;
import dev.weir.core.state.Update;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The effect number stays the same while the outcome of the last attempt is unknown, and grows otherwise. Fences always
 * grow.
 */
@Tag("S8")
class EffectNumberTest {
    private final World world = new World();
    private Assignment first;

    @BeforeEach
    void claimed() {
        world.start(
                "r",
                plan(step("a")
                        .retry(2, Duration.ofSeconds(1))
                        .timeout(Duration.ofSeconds(40))
                        .onFailure(OnFailure.PAUSE)));
        first = world.poll(1).getFirst();
        assertThat(first.effect()).isEqualTo(StepRow.FIRST_EFFECT);
    }

    /** Returns the claim after the first one. The organisation is restored from its rows in between. */
    private Assignment next() {
        world.restart();
        world.passTime(10 * SECOND);
        Assignment next = world.poll(1).getFirst();
        assertThat(next.claim().fence()).isGreaterThan(first.claim().fence());
        return next;
    }

    @Test
    void an_expired_lease_keeps_the_number() {
        world.passTime(World.LEASE);
        assertThat(next().effect()).isEqualTo(first.effect());
    }

    @Test
    void a_timeout_keeps_the_number_and_counts_as_an_attempt() {
        for (int i = 0; i < 4; i++) {
            world.passTime(10 * SECOND);
            world.heartbeat(first);
        }
        Assignment next = next();
        assertThat(next.attempt()).isEqualTo(2);
        assertThat(next.effect()).isEqualTo(first.effect());
    }

    @Test
    void a_report_of_a_failure_changes_the_number() {
        world.fail(first, "no");
        assertThat(next().effect()).isGreaterThan(first.effect());
    }

    @Test
    void a_failure_whose_outcome_is_unknown_keeps_the_number() {
        var unit = first.claim().unit();
        var failed = new Update.Failed("no response", false);
        assertThat(world.handle(new UpdateStep(unit, first.claim().fence(), failed, true, false)))
                .isEqualTo(UpdateStep.Answer.APPLIED);
        assertThat(next().effect()).isEqualTo(first.effect());
    }

    @Test
    void a_rescheduled_step_has_another_number_although_it_is_the_same_attempt() {
        world.update(first, new Update.Rescheduled(SECOND));
        Assignment next = next();
        assertThat(next.attempt()).isEqualTo(first.attempt());
        assertThat(next.effect()).isGreaterThan(first.effect());
    }

    @Test
    void a_step_that_asked_for_input_continues_with_another_number() {
        world.update(first, new Update.NeedsInput(json("'which?'")));
        world.handle(new ProvideInput(first.claim().unit(), json("7")));
        assertThat(next().effect()).isGreaterThan(first.effect());
    }

    @Test
    void a_resumed_step_has_another_number_although_it_is_attempt_one_again() {
        world.update(first, new Update.Failed("no", true));
        assertThat(world.state("r")).isEqualTo(RunState.PAUSED);
        world.handle(new ResumeRun("r"));
        Assignment next = next();
        assertThat(next.attempt()).isEqualTo(1);
        assertThat(next.effect()).isGreaterThan(first.effect());
    }

    @Test
    void a_step_that_is_resumed_after_timeouts_has_another_number() {
        Assignment claim = first;
        for (int tries = 0; tries < 2; tries++) {
            for (int i = 0; i < 4; i++) {
                world.passTime(10 * SECOND);
                world.heartbeat(claim);
            }
            if (tries == 0) {
                world.passTime(10 * SECOND);
                claim = world.poll(1).getFirst();
            }
        }
        assertThat(world.state("r")).isEqualTo(RunState.PAUSED);
        world.handle(new ResumeRun("r"));
        assertThat(next().effect()).isGreaterThan(first.effect());
    }

    @Test
    void a_repeated_or_late_report_does_not_change_the_number() {
        world.passTime(World.LEASE);
        world.fail(first, "too late");
        Assignment next = next();
        assertThat(next.effect()).isEqualTo(first.effect());
        world.fail(next, "no");
        world.fail(next, "no");
        assertThat(world.org.findStep(first.claim().unit()).orElseThrow().effect())
                .isEqualTo(first.effect() + 1);
    }
}
