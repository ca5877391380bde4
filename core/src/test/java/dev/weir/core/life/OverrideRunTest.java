package dev.weir.core.life;

import static dev.weir.core.life.World.plan;
import static dev.weir.core.life.World.step;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.admission.RunGate;
import dev.weir.core.definition.RunLimits;
import dev.weir.core.definition.Workflow;
import dev.weir.core.definition.WorkflowLimits;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R2.7")
class OverrideRunTest {
    private final World world = new World();

    @Test
    void a_runs_slots_can_be_raised_lowered_and_cleared_while_it_runs() {
        var slots = new RunLimits(null, null, 1, RunLimits.DEFAULT_TICK_INTERVAL);
        world.start("r", plan(slots, step("a"), step("b"), step("c"), step("d")));
        var a = world.poll(9).getFirst();
        override(new RunGate.Overrides(null, 2));
        var b = world.poll(9).getFirst();
        override(new RunGate.Overrides(null, 1));
        assertThat(world.org.running("r")).as("lowering stops nothing").hasSize(2);
        world.complete(a);
        assertThat(world.polled(9)).isEmpty();
        override(null);
        world.complete(b);
        assertThat(world.polled(9)).containsExactly("r/c");
    }

    @Test
    void an_override_of_a_queued_run_counts_from_its_start() {
        var one = new WorkflowLimits(1, null, null, 10);
        var plan = plan(RunLimits.NONE, one, Workflow.Policy.DEFAULT, step("a"), step("b"));
        world.start("first", plan);
        world.start("r", plan);
        override(new RunGate.Overrides(1, null));
        world.poll(9).forEach(world::complete);
        assertThat(world.polled(9)).containsExactly("r/a");
    }

    private void override(RunGate.@Nullable Overrides overrides) {
        assertThat(world.handle(new OverrideRun("r", overrides))).isEqualTo(OverrideRun.Answer.OVERRIDDEN);
        world.advance();
    }
}
