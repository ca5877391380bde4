package dev.weir.core.run;

import static dev.weir.core.run.World.SECOND;
import static dev.weir.core.run.World.plan;
import static dev.weir.core.run.World.step;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.command.PauseKey;
import dev.weir.core.command.ResumeKey;
import dev.weir.core.definition.FlowControl;
import dev.weir.core.limit.LimitId;
import dev.weir.core.state.RunState;
import dev.weir.core.state.Update;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R3.11")
class KeyHoldsTest {
    private static final LimitId.Key KEY = new LimitId.Key("k");
    private final World world = new World();

    @Test
    void a_retry_after_holds_the_key_for_all_steps_across_a_restart() {
        failAfter(60 * SECOND);
        world.start("free", plan(step("x")));
        world.complete(world.poll(5).getFirst());
        assertThat(world.state("free")).isEqualTo(RunState.COMPLETED);
        world.restart();
        world.passTime(59 * SECOND);
        assertThat(world.pollIds(5)).isEmpty();
        world.passTime(SECOND);
        assertThat(world.pollIds(5)).containsExactly("r/a", "other/x");
    }

    @Test
    void a_shorter_time_does_not_cut_a_longer_one_short_and_a_day_is_the_most() {
        failAfter(Long.MAX_VALUE);
        world.passTime(24 * 3_600 * SECOND - 1);
        assertThat(world.org.limits(world.now))
                .filteredOn(limit -> limit.limit().equals(KEY))
                .allMatch(limit -> limit.paused());
        world.passTime(1);
        assertThat(world.org.limits(world.now))
                .filteredOn(limit -> limit.limit().equals(KEY))
                .noneMatch(limit -> limit.paused());
    }

    @Test
    void a_pause_by_an_operator_is_independent_of_a_retry_after_hold() {
        failAfter(60 * SECOND);
        world.handle(new PauseKey(KEY, world.now + 10 * SECOND));
        world.passTime(11 * SECOND);
        assertThat(world.pollIds(5)).doesNotContain("other/x");
        world.handle(new PauseKey(KEY, world.now + 200 * SECOND));
        world.passTime(100 * SECOND);
        assertThat(world.pollIds(5)).isEmpty();
        assertThat(world.handle(new ResumeKey(KEY))).isEqualTo(ResumeKey.Answer.RESUMED);
        assertThat(world.pollIds(5)).contains("other/x");
        assertThat(world.handle(new ResumeKey(KEY))).isEqualTo(ResumeKey.Answer.NOT_PAUSED);
    }

    @Test
    void resuming_ends_the_pause_and_the_hold_and_a_repeat_does_nothing() {
        failAfter(60 * SECOND);
        world.handle(new PauseKey(KEY, world.now + 10 * SECOND));
        assertThat(world.handle(new ResumeKey(KEY))).isEqualTo(ResumeKey.Answer.RESUMED);
        assertThat(world.org.rows().operators().pauses()).isEmpty();
        assertThat(world.org.rows().operators().holds()).isEmpty();
        assertThat(world.handle(new ResumeKey(KEY))).isEqualTo(ResumeKey.Answer.NOT_PAUSED);
        assertThat(world.pollIds(5)).contains("other/x");
    }

    @Test
    void holds_that_are_over_do_not_stay_in_memory_however_many_keys_come_and_go() {
        for (int i = 0; i < 10 * OperatorSettings.HOLDS_CLEANUP_MIN; i++) {
            var key = FlowControl.parallelism("k" + i, 5);
            world.start("r" + i, plan(step("a").keys(key).retry(1, Duration.ofSeconds(1))));
            world.update(world.poll(1).getFirst(), new Update.Failed("429", false, SECOND));
            world.now += 2 * SECOND;
        }
        assertThat(world.org.live.operatorSettings.holds).hasSizeLessThanOrEqualTo(OperatorSettings.HOLDS_CLEANUP_MIN);
    }

    private void failAfter(long retryAfter) {
        var key = FlowControl.parallelism("k", 5);
        world.start("r", plan(step("a").keys(key).retry(3, Duration.ofSeconds(1))));
        var a = world.poll(1).getFirst();
        world.start("other", plan(step("x").keys(key)));
        world.update(a, new Update.Failed("429", false, retryAfter));
    }
}
