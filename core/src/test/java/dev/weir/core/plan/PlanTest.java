package dev.weir.core.plan;

import static dev.weir.core.run.World.plan;
import static dev.weir.core.run.World.step;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.definition.FlowControl;
import dev.weir.core.run.World;
import dev.weir.core.state.StepRow;
import dev.weir.core.state.UnitId;
import org.junit.jupiter.api.Test;

class PlanTest {
    private final World world = new World();

    @Test
    void literal_limit_needs_are_one_object_for_all_runs() {
        Plan plan = plan(step("a").keys(FlowControl.parallelism("k", 1)));
        world.start("r0", plan);
        world.start("r1", plan);
        assertThat(row("r0").limitNeeds()).isSameAs(row("r1").limitNeeds());
        assertThat(row("r0").input()).isSameAs(row("r1").input());
    }

    @Test
    void limit_needs_that_depend_on_the_run_are_rendered_for_each_run() {
        Plan plan = plan(step("a").keys(FlowControl.parallelism("${{ run.id }}", 1)));
        world.start("r0", plan);
        world.start("r1", plan);
        assertThat(row("r0").limitNeeds()).asString().contains("r0");
        assertThat(row("r1").limitNeeds()).asString().contains("r1");
    }

    private StepRow row(String run) {
        return world.org.findStep(UnitId.of(run, "a")).orElseThrow();
    }
}
