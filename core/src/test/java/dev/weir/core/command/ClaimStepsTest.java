package dev.weir.core.command;

import static dev.weir.core.run.World.LEASE;
import static dev.weir.core.run.World.plan;
import static dev.weir.core.run.World.step;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.admission.Poll;
import dev.weir.core.definition.FlowControl;
import dev.weir.core.definition.RunLimits;
import dev.weir.core.plan.ConcurrencyProfile;
import dev.weir.core.run.World;
import dev.weir.core.state.RunState;
import dev.weir.core.state.UnitId;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R2.5")
class ClaimStepsTest {
    private final World world = new World();

    @Test
    @Tag("R2.2")
    void module_defaults_of_a_worker_apply_to_its_own_claim() {
        var slots = new RunLimits(null, null, 4, RunLimits.DEFAULT_TICK_INTERVAL);
        world.start("r", plan(slots, step("a"), step("b"), step("c")));
        var serves = List.of(new ClaimWork.ServedModule("m", new ConcurrencyProfile(4, false)));
        var answer = world.handle(new ClaimSteps("q", "worker", "r", serves, Set.of(), 9, LEASE));
        assertThat(World.ids(((ClaimSteps.Answer.Claimed) answer).assignments()))
                .containsExactly("r/a");
    }

    @Test
    @Tag("R2.4")
    void chosen_steps_are_claimed_at_once_under_every_limit_with_the_state_of_the_run() {
        var key = FlowControl.parallelism("k", 1);
        world.start("r", plan(step("a").keys(key), step("b").keys(key), step("c")));
        var claimed = claim("q1", Set.of("b", "c"));
        assertThat(World.ids(claimed.assignments())).containsExactly("r/b", "r/c");
        assertThat(claimed.state()).isEqualTo(RunState.RUNNING);
        assertThat(claimed.running()).containsExactly(UnitId.of("r", "b"), UnitId.of("r", "c"));
        assertThat(claim("q2", Set.of("a")).assignments()).isEmpty();
        assertThat(claim("q1", Set.of("b", "c"))).isEqualTo(claimed);
    }

    @Test
    void a_worker_gets_steps_of_its_modules_only() {
        world.start("r", plan(step("a")));
        var other = new ClaimSteps("q", "worker", "r", Set.of("other"), Set.of(), 9, LEASE);
        assertThat(((ClaimSteps.Answer.Claimed) world.handle(other)).assignments())
                .isEmpty();
        assertThat(World.ids(claim("q2", Set.of()).assignments())).containsExactly("r/a");
    }

    @Test
    void one_claim_is_given_so_much_as_an_answer_can_hold() {
        var steps = new World.StepBuilder[45];
        for (int i = 0; i < steps.length; i++) {
            steps[i] = step("s" + i).with("{'x':'${{ input }}'}");
        }
        world.start("r", plan(steps), "{'text':'" + "x".repeat(250_000) + "'}");
        world.advanceAll();
        var all = new ClaimSteps("q", "worker", "r", Set.of(), Set.of(), 500, LEASE);
        assertThat(((ClaimSteps.Answer.Claimed) world.handle(all)).assignments())
                .hasSize(Poll.RESPONSE_SIZE_MAX / 250_000 + 1);
    }

    @Test
    void a_run_that_does_not_live_is_not_found() {
        var unknown = new ClaimSteps("q", "worker", "x", Set.of(), Set.of(), 9, LEASE);
        assertThat(world.handle(unknown)).isEqualTo(new ClaimSteps.Answer.NotFound());
    }

    private ClaimSteps.Answer.Claimed claim(String request, Set<String> steps) {
        var claim = new ClaimSteps(request, "worker", "r", Set.of(), steps, 9, LEASE);
        return (ClaimSteps.Answer.Claimed) world.handle(claim);
    }
}
