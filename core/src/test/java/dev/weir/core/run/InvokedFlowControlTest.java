package dev.weir.core.run;

import static dev.weir.core.run.World.json;
import static dev.weir.core.run.World.step;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.definition.Action;
import dev.weir.core.definition.FlowControl;
import dev.weir.core.definition.WorkflowLimits;
import dev.weir.core.expression.Template;
import dev.weir.core.plan.Plan;
import dev.weir.core.state.RunState;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests the flow control that a step sets for the run that it invokes. */
@Tag("R3.5")
class InvokedFlowControlTest {
    private final World world = new World();

    @Test
    void the_steps_of_an_invoked_run_inherit_the_block_of_the_call_site_instead_of_their_workflows() {
        world.register("leaf", WorkflowLimits.NONE, step("a"), step("b"));
        Plan plan = shop(FlowControl.parallelism("site-${{ input.n }}", 1));
        world.start("one", plan, "{'n': 7}");
        world.start("two", plan, "{'n': 7}");
        world.start("three", plan, "{'n': 8}");

        var granted = world.poll(9);

        assertThat(granted).as("one of each key").hasSize(2);
        assertThat(world.org.limits(world.now))
                .extracting(limit -> limit.limit().text())
                .contains("key:site-7");
        world.restart();
        assertThat(world.poll(9)).isEmpty();
        world.complete(granted.getFirst());
        assertThat(world.poll(9)).as("the place that was given back").hasSize(1);
    }

    @Test
    void a_rendered_key_is_data_and_nothing_in_it_is_evaluated() {
        world.register("leaf", WorkflowLimits.NONE, step("a"));
        world.start("r", shop(FlowControl.parallelism("k-${{ input.n }}", 1)), "{'n': '${{ run.id }}'}");

        assertThat(world.poll(1)).hasSize(1);
        assertThat(world.org.limits(world.now))
                .extracting(limit -> limit.limit().text())
                .contains("key:k-${{ run.id }}");
    }

    @Test
    void an_empty_block_takes_the_keys_of_the_invoked_workflow_away() {
        world.register("leaf", WorkflowLimits.NONE, step("a").keys());
        world.start("r", shop());

        assertThat(world.poll(1)).hasSize(1);
        assertThat(world.org.findRun("r.s.1").orElseThrow().request().flowControl())
                .isEmpty();
    }

    @Test
    void a_key_that_the_child_run_cannot_have_fails_the_step_and_says_why() {
        world.register("leaf", WorkflowLimits.NONE, step("a"));
        world.start("long", shop(FlowControl.parallelism("${{ input.n }}", 1)), "{'n': '" + "k".repeat(300) + "'}");
        world.start("list", shop(FlowControl.parallelism("${{ input.n }}", 1)), "{'n': [1]}");

        assertThat(world.state("long")).isEqualTo(RunState.FAILED);
        assertThat(world.state("list")).isEqualTo(RunState.FAILED);
        assertThat(world.moves.toString())
                .contains("flow_control of the child run: key: expected text of 1 to 256 bytes")
                .contains("flow_control of the child run: key: expected text, found '[1]'");
    }

    @Test
    void a_workflow_of_weir_itself_cannot_be_invoked() {
        var invoke = new Action.Invoke("weir.trigger", Template.of(json("{'url': 'http://127.0.0.1/'}")));
        world.start("r", world.register("shop", WorkflowLimits.NONE, step("s").action(invoke)));

        assertThat(world.state("r")).isEqualTo(RunState.FAILED);
        assertThat(world.moves.toString()).contains("found weir.trigger, which only Weir itself starts");
    }

    private Plan shop(FlowControl... keys) {
        var invoke = new Action.Invoke("leaf", Template.emptyObject(), List.of(keys));
        return world.register("shop", WorkflowLimits.NONE, step("s").action(invoke));
    }
}
