package dev.weir.core.command;

import static dev.weir.core.run.World.plan;
import static dev.weir.core.run.World.step;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.admission.RunOverrides;
import dev.weir.core.definition.RunLimits;
import dev.weir.core.definition.Workflow;
import dev.weir.core.definition.WorkflowLimits;
import dev.weir.core.limit.FieldChange;
import dev.weir.core.limit.Moment;
import dev.weir.core.run.World;
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
        override(null, 2);
        var b = world.poll(9).getFirst();
        override(null, 1);
        assertThat(world.org.running("r")).as("lowering stops nothing").hasSize(2);
        world.complete(a);
        assertThat(world.pollIds(9)).isEmpty();
        override(null, null);
        world.complete(b);
        assertThat(world.pollIds(9)).containsExactly("r/c");
    }

    @Test
    void an_override_of_a_queued_run_counts_from_its_start() {
        var one = new WorkflowLimits(1, null, null, 10);
        var plan = plan(RunLimits.NONE, one, Workflow.Policy.DEFAULT, step("a"), step("b"));
        world.start("first", plan);
        world.start("r", plan);
        override(1, null);
        world.poll(9).forEach(world::complete);
        assertThat(world.pollIds(9)).containsExactly("r/a");
    }

    @Test
    void a_change_of_one_value_keeps_the_other_and_all_cleared_is_none() {
        world.start("r", plan(step("a"), step("b"), step("c")));
        override(3, 2);

        change(new FieldChange.Replace<>(1), new FieldChange.Keep<>(), Moment.NEVER);

        assertThat(overrides()).isEqualTo(RunOverrides.of(1, 2));
        assertThat(world.poll(9)).hasSize(1);
        change(new FieldChange.Clear<>(), new FieldChange.Keep<>(), Moment.NEVER);
        assertThat(overrides()).isEqualTo(RunOverrides.of(null, 2));
        assertThat(world.poll(9)).hasSize(1);
        change(new FieldChange.Keep<>(), new FieldChange.Clear<>(), Moment.NEVER);
        assertThat(overrides()).isNull();
        assertThat(world.poll(9)).hasSize(1);
    }

    @Test
    void a_temporary_value_covers_the_lasting_one_until_its_time_is_over() {
        world.start("r", plan(step("a"), step("b"), step("c"), step("d")));
        override(null, 2);
        change(new FieldChange.Keep<>(), new FieldChange.Replace<>(4), world.now + 60 * World.SECOND);
        change(new FieldChange.Keep<>(), new FieldChange.Replace<>(1), world.now + 5 * World.SECOND);
        assertThat(world.poll(9)).hasSize(1);

        world.restart();
        world.passTime(5 * World.SECOND);

        assertThat(world.poll(9)).as("the lasting value shows again").hasSize(1);
        override(null, 3);
        assertThat(world.poll(9)).hasSize(1);
    }

    private @Nullable RunOverrides overrides() {
        return world.org.findRun("r").orElseThrow().overrides();
    }

    private void override(@Nullable Integer maxSteps, @Nullable Integer maxSlots) {
        handle(OverrideRun.replacing("r", maxSteps, maxSlots));
    }

    private void change(FieldChange<Integer> maxSteps, FieldChange<Integer> maxSlots, long until) {
        handle(new OverrideRun("r", new OverrideRun.Values(maxSteps, maxSlots, until, false)));
    }

    private void handle(OverrideRun command) {
        assertThat(world.handle(command)).isEqualTo(OverrideRun.Answer.OVERRIDDEN);
        world.advance();
    }
}
