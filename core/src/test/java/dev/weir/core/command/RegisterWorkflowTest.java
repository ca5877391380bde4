package dev.weir.core.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.core.command.RegisterWorkflow.Answer;
import dev.weir.core.definition.FlowControl;
import dev.weir.core.definition.InvalidDefinition;
import dev.weir.core.definition.Workflow;
import dev.weir.core.plan.Plan;
import dev.weir.core.run.Decision;
import dev.weir.core.run.Organisation;
import dev.weir.core.run.World;
import dev.weir.core.state.MemoryRows;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R0.13")
class RegisterWorkflowTest {
    private final Organisation org = new Organisation();

    @Test
    void new_content_is_a_new_version_and_the_same_content_is_not() {
        assertThat(register("a").answer()).isEqualTo(new Answer.Registered(1));
        assertThat(register("a").answer()).isEqualTo(new Answer.Unchanged(1));
        assertThat(register("b").answer()).isEqualTo(new Answer.Registered(2));
        assertThat(register("a").answer())
                .as("the content of the first is not the newest")
                .isEqualTo(new Answer.Registered(3));
    }

    @Test
    void registering_the_same_content_makes_no_move() {
        register("a");
        assertThat(register("a").moves()).isEmpty();
    }

    @Test
    void versions_are_known_again_after_a_restart() {
        var memoryRows = new MemoryRows();
        memoryRows.apply(register("a").moves());
        memoryRows.apply(register("b").moves());
        var restored = Organisation.restore(memoryRows.rows(1), 1);
        assertThat(restored.rows()).isEqualTo(org.rows());
        assertThat(restored.findWorkflow("flow").orElseThrow().version()).isEqualTo(2);
    }

    @Test
    void a_live_run_keeps_its_limits_when_its_workflow_is_registered_again_and_a_later_run_has_the_new_ones() {
        var world = new World();
        Workflow narrow = limited(1);
        Workflow wide = limited(2);
        world.handle(new RegisterWorkflow(narrow));
        world.start("live", Plan.of(narrow, 1));
        List<Assignment> first = world.poll(9);
        assertThat(World.ids(first)).containsExactly("live/a");

        assertThat(world.handle(new RegisterWorkflow(wide))).isEqualTo(new Answer.Registered(2));
        world.advance();
        assertThat(world.pollIds(9)).as("new limits under the live run").isEmpty();
        world.start("later", Plan.of(wide, 2));
        List<Assignment> second = world.poll(9);
        assertThat(World.ids(second)).containsExactly("later/a", "later/b");
        world.restart();

        assertThat(world.pollIds(9)).as("after a restart").isEmpty();
        world.complete(first.getFirst());
        List<Assignment> other = world.poll(9);
        assertThat(World.ids(other)).containsExactly("live/b");
        world.complete(other.getFirst());
        assertThat(world.pollIds(9))
                .as("items, made under the old definition after the new one was there")
                .containsExactly("live/each/0");
        second.forEach(world::complete);
        assertThat(world.pollIds(9)).containsExactly("later/each/0", "later/each/1");
    }

    /** Two steps and then items, under three limits of the same value: of the run, of the items, and of a key. */
    private static Workflow limited(int max) {
        var key = FlowControl.parallelism("k-${{ run.id }}", max);
        return World.plan(
                        World.maxSteps(max),
                        World.step("a").keys(key),
                        World.step("b").keys(key),
                        World.step("each", "a", "b").items("[1,2,3]", max).keys(key))
                .workflow();
    }

    @Test
    void a_workflow_that_is_too_large_is_refused() {
        var large = Workflow.named("flow").description("x".repeat(300_000)).build();
        assertThatThrownBy(() -> new RegisterWorkflow(large))
                .isInstanceOf(InvalidDefinition.class)
                .hasMessageContaining("at most 262144 bytes");
    }

    private Decision<Answer> register(String step) {
        return org.handle(new RegisterWorkflow(workflow(step)), 1);
    }

    private static Workflow workflow(String step) {
        return World.plan(World.step(step)).workflow();
    }
}
