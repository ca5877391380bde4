package dev.weir.core.command;

import static dev.weir.core.run.World.step;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.plan.Plan;
import dev.weir.core.run.World;
import dev.weir.core.state.Move;
import dev.weir.core.state.RunState;
import dev.weir.core.state.WorkflowAvailability;
import org.junit.jupiter.api.Test;

class SetWorkflowAvailabilityTest {
    private final World world = new World();
    private final Plan plan = World.plan(step("a"), step("b", "a"));

    private boolean set(WorkflowAvailability availability) {
        boolean found = world.handle(new SetWorkflowAvailability(plan.workflow().name(), availability));
        world.advanceAll();
        return found;
    }

    @Test
    void runs_of_a_paused_workflow_stay_queued_and_started_ones_go_on() {
        world.handle(new RegisterWorkflow(plan.workflow()));
        world.start("old", plan);
        assertThat(set(WorkflowAvailability.PAUSED)).isTrue();
        world.start("new", plan);
        assertThat(world.state("new")).isEqualTo(RunState.QUEUED);
        world.complete(world.poll(1).getFirst());
        assertThat(world.pollIds(5)).containsExactly("old/b");
        world.restart();
        world.advanceAll();
        assertThat(world.state("new")).isEqualTo(RunState.QUEUED);
        set(WorkflowAvailability.OPEN);
        assertThat(world.state("new")).isEqualTo(RunState.RUNNING);
    }

    @Test
    void an_archived_workflow_refuses_starts_until_it_is_opened() {
        world.handle(new RegisterWorkflow(plan.workflow()));
        set(WorkflowAvailability.ARCHIVED);
        set(WorkflowAvailability.ARCHIVED);
        assertThat(world.moves)
                .filteredOn(Move.AvailabilityChanged.class::isInstance)
                .hasSize(1);
        world.restart();
        assertThat(world.start("r", plan)).isInstanceOf(StartRun.Answer.Closed.class);
        set(WorkflowAvailability.OPEN);
        assertThat(world.start("r", plan)).isInstanceOf(StartRun.Answer.Accepted.class);
    }

    @Test
    void an_unknown_workflow_is_not_found() {
        assertThat(set(WorkflowAvailability.PAUSED)).isFalse();
    }
}
