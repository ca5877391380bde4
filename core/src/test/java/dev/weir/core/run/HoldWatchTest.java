package dev.weir.core.run;

import static dev.weir.core.run.World.plan;
import static dev.weir.core.run.World.step;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.command.ResumeOrganisation;
import dev.weir.core.command.StartRun;
import dev.weir.core.command.SuspendOrganisation;
import dev.weir.core.plan.Plan;
import dev.weir.core.state.Move;
import dev.weir.core.state.RunLineage;
import dev.weir.core.state.RunRequest;
import dev.weir.core.state.RunState;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests that the holds of many queued runs are recorded in parts, and not again and again. */
@Tag("L5")
class HoldWatchTest {
    private static final int RUNS = 3 * HoldWatch.JUDGED_MAX;

    private final World world = new World();

    /** Starts runs that queue a second from now. */
    private void startDelayed(int runs) {
        Plan plan = plan(step("a"));
        var options = new RunRequest.Options(World.SECOND, List.of());
        for (int i = 0; i < runs; i++) {
            world.handle(new StartRun(new RunRequest(
                    "r" + i, plan, World.json("{}"), 0, null, new TreeMap<>(), options, RunLineage.NONE)));
        }
    }

    @Test
    void runs_that_could_start_cost_a_suspended_organisation_a_bounded_number_of_judgements() {
        startDelayed(RUNS);
        world.handle(new SuspendOrganisation("acme", "unpaid"));
        world.now += World.SECOND;
        world.advanceAll();
        for (int i = 0; i < 50; i++) {
            long before = world.org.live.holdWatch.judgements();
            world.advance();
            assertThat(world.org.live.holdWatch.judgements() - before).isLessThanOrEqualTo(HoldWatch.JUDGED_MAX);
        }
        world.handle(new ResumeOrganisation("acme"));
        world.advanceAll();
        assertThat(world.state("r" + (RUNS - 1))).isEqualTo(RunState.RUNNING);
    }

    @Test
    void holds_that_come_together_are_recorded_in_parts_and_none_is_forgotten() {
        world.limitRuns(1);
        startDelayed(RUNS);
        world.now += World.SECOND;
        do {
            long before = world.org.live.holdWatch.judgements();
            world.advance();
            assertThat(world.org.live.holdWatch.judgements() - before).isLessThanOrEqualTo(HoldWatch.JUDGED_MAX);
        } while (world.org.nextWakeup() <= world.now);
        assertThat(world.moves).filteredOn(Move.RunHeld.class::isInstance).hasSize(RUNS - 1);
    }
}
