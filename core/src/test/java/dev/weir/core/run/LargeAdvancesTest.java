package dev.weir.core.run;

import static dev.weir.core.run.World.plan;
import static dev.weir.core.run.World.step;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.admission.Admission;
import dev.weir.core.definition.Action;
import dev.weir.core.definition.FlowControl;
import dev.weir.core.state.RunState;
import dev.weir.core.state.StepState;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Work that becomes possible all at once is done in parts, so that other organisations are served and each commit stays
 * small.
 */
@Tag("L5")
class LargeAdvancesTest {
    private static final int STARTS_MAX = Organisation.PASSES_MAX * Admission.JUDGEMENTS_MAX;

    private final World world = new World();

    /**
     * Advances until nothing is due now, and asserts that no part has more moves than the maximum. Returns the number
     * of parts.
     */
    private int parts(int movesMax) {
        int parts = 0;
        while (world.org.nextWakeup() <= world.now) {
            int before = world.moves.size();
            world.advance();
            assertThat(world.moves.size() - before).isLessThanOrEqualTo(movesMax);
            parts++;
            assertThat(parts).isLessThan(100);
        }
        return parts;
    }

    @Test
    void runs_that_a_raised_limit_admits_start_in_parts() {
        int runs = 3 * STARTS_MAX;
        world.limitRuns(1);
        for (int i = 0; i <= runs; i++) {
            world.start("r" + i, plan(step("a")));
        }
        assertThat(world.state("r" + runs)).isEqualTo(RunState.QUEUED);

        world.limitRuns(null);

        assertThat(parts(2 * STARTS_MAX)).isGreaterThan(2);
        for (int i = 0; i <= runs; i++) {
            assertThat(world.state("r" + i)).isEqualTo(RunState.RUNNING);
        }
    }

    @Test
    void timers_that_are_due_together_fire_in_parts() {
        int runs = 2 * Organisation.TIMERS_MAX + 10;
        for (int i = 0; i < runs; i++) {
            world.start("r" + i, plan(step("a").action(new Action.Sleep(Duration.ofSeconds(9)))));
        }
        world.now += 10 * World.SECOND;

        assertThat(parts(2 * Organisation.TIMERS_MAX)).isGreaterThan(1);
        for (int i = 0; i < runs; i++) {
            assertThat(world.state("r" + i)).isEqualTo(RunState.COMPLETED);
        }
    }

    @Test
    void items_that_cost_much_to_render_are_made_in_parts() {
        var costly =
                step("a").items("range(40)", null).with("{'n': '${{ range(9000).filter(x, x == index).size() }}'}");
        world.start("r", plan(costly));

        assertThat(parts(40)).isGreaterThan(1);
        assertThat(world.pollIds(100)).hasSize(40);
    }

    @Test
    void the_input_and_the_keys_of_a_step_share_one_budget() {
        String half = "range(7000).filter(x, x > 20000 || x > 30000).size()";
        var costly = step("a")
                .with("{'n': '${{ " + half + " }}'}")
                .keys(
                        FlowControl.parallelism("k-${{ " + half + " }}", 1),
                        FlowControl.parallelism("l-${{ " + half + " }}", 1));
        world.start("r", plan(costly));

        assertThat(world.state("r")).isEqualTo(RunState.FAILED);
    }

    /** Allocating all items at once would take more memory than tests have. */
    @Test
    void a_thousand_fan_outs_of_a_million_items_each_take_room_as_they_are_made() {
        var steps = new World.StepBuilder[1_000];
        for (int i = 0; i < steps.length; i++) {
            steps[i] = step("s" + i).items("range(1000000)", 1);
        }
        world.start("r", plan(steps));

        assertThat(world.state("r")).isEqualTo(RunState.RUNNING);
        assertThat(world.state("r", "s999")).isEqualTo(StepState.READY);
    }
}
