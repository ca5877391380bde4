package dev.weir.core.run;

import static dev.weir.core.run.World.SECOND;
import static dev.weir.core.run.World.json;
import static dev.weir.core.run.World.step;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.command.CancelRun;
import dev.weir.core.definition.Action;
import dev.weir.core.definition.CancelPolicy;
import dev.weir.core.definition.FlowControl;
import dev.weir.core.definition.OnFailure;
import dev.weir.core.definition.RateLimit;
import dev.weir.core.definition.WorkflowLimits;
import dev.weir.core.expression.Template;
import dev.weir.core.state.CausalChain;
import dev.weir.core.state.EventRow;
import dev.weir.core.state.Move;
import dev.weir.core.state.RunLineage;
import dev.weir.core.state.RunRequest;
import dev.weir.core.state.RunState;
import dev.weir.core.state.StepState;
import dev.weir.core.state.UnitId;
import dev.weir.core.state.Update;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("S5")
class ChildRunsTest {
    private static final CausalChain AFTER_R =
            CausalChain.NONE.followedBy("r", new CausalChain.Link(CausalChain.Link.Kind.RUN, "r", "shop"));

    private static final WorkflowLimits ONE = new WorkflowLimits(1, null, null, 10);
    private final World world = new World();

    @Test
    @Tag("R3.5")
    void a_step_invokes_a_run_waits_for_it_and_gives_the_outputs_of_its_steps() {
        world.register("billing", WorkflowLimits.NONE, step("x").with("{'of': '${{ input.n }}'}"), step("y", "x"));
        var plan = world.register("shop", WorkflowLimits.NONE, invoke("bill", "billing", "{'n': 7}"), after("bill"));
        world.start("r", plan);
        assertThat(world.state("r", "bill")).isEqualTo(StepState.WAITING);
        assertThat(world.state("r")).isEqualTo(RunState.WAITING);
        var x = world.poll(5);
        assertThat(World.ids(x)).containsExactly("r.bill.1/x");
        assertThat(x.getFirst().input().value()).isEqualTo(json("{'of': 7}"));
        RunLineage origin =
                world.org.findRun("r.bill.1").orElseThrow().request().lineage();
        assertThat(origin).isEqualTo(new RunLineage(null, UnitId.of("r", "bill"), "r", 1, null, AFTER_R));
        world.complete(x.getFirst(), "1");
        world.restart();
        world.complete(world.poll(1).getFirst(), "2");
        assertThat(world.poll(1).getFirst().input().value()).isEqualTo(json("{'b': {'x': 1, 'y': 2}}"));
    }

    @Test
    void a_run_lends_its_place_to_the_run_that_it_waits_for_so_that_they_do_not_wait_for_each_other() {
        var again = world.register("self", ONE, step("s").action(new Action.Invoke("leaf", Template.emptyObject())));
        world.register("leaf", ONE, step("l").action(new Action.Invoke("deep", Template.emptyObject())));
        world.register("deep", ONE, step("d"));
        world.limitRuns(1);
        world.start("r", again);
        world.start("other", again);
        var d = world.poll(5);
        assertThat(World.ids(d)).containsExactly("r.s.1.l.1/d");
        assertThat(world.state("other")).isEqualTo(RunState.QUEUED);
        world.restart();
        assertThat(world.state("other")).isEqualTo(RunState.QUEUED);
        world.complete(d.getFirst());
        assertThat(world.state("r")).isEqualTo(RunState.COMPLETED);
        assertThat(world.pollIds(5)).containsExactly("other.s.2.l.2/d");
    }

    @Test
    @Tag("S1")
    void the_place_is_lent_to_one_run_at_a_time() {
        var plan = world.register(
                "many",
                WorkflowLimits.NONE,
                step("s")
                        .action(new Action.Invoke("leaf", Template.emptyObject()))
                        .items("[1, 2, 3]", null));
        world.register("leaf", WorkflowLimits.NONE, step("a"));
        world.limitRuns(1);
        world.start("r", plan);
        for (int i = 0; i < 3; i++) {
            var one = world.poll(5);
            assertThat(one).hasSize(1);
            world.restart();
            world.complete(one.getFirst());
        }
        assertThat(world.state("r")).isEqualTo(RunState.COMPLETED);
    }

    @Test
    @Tag("S3")
    void invoking_waits_for_the_limits_of_its_step_and_starts_count() {
        var slow = new FlowControl(
                Template.of("k"), null, new RateLimit(1, Duration.ofSeconds(10), RateLimit.Window.SLIDING), 1, 1);
        var limits = new WorkflowLimits(null, 2, null, 10);
        var plan = world.register(
                "many",
                WorkflowLimits.NONE,
                step("s")
                        .action(new Action.Invoke("leaf", Template.emptyObject()))
                        .items("[1, 2, 3]", null)
                        .keys(slow));
        world.register("leaf", limits, step("a"));
        world.start("r", plan);
        assertThat(world.org.rows().runs()).hasSize(2);
        world.passTime(9 * SECOND);
        assertThat(world.org.rows().runs()).hasSize(2);
        world.passTime(20 * SECOND);
        assertThat(world.org.rows().runs()).hasSize(4);
        assertThat(world.state("r.s.2.1")).isEqualTo(RunState.QUEUED);
        world.passTime(31 * SECOND);
        assertThat(world.state("r.s.2.1")).isEqualTo(RunState.RUNNING);
    }

    @Test
    @Tag("R1.9")
    void a_cancel_is_inherited_and_the_step_ends_when_the_run_has() {
        world.register("leaf", ONE, step("a"), step("b", "a"));
        var plan = world.register(
                "shop",
                WorkflowLimits.NONE,
                invoke("s", "leaf", "{}"),
                after("s").when("always()"));
        world.start("r", plan);
        var a = world.poll(1).getFirst();
        world.handle(new CancelRun("r", CancelPolicy.ALLOW_FINISH, "enough"));
        world.advance();
        assertThat(world.state("r", "s")).isEqualTo(StepState.WAITING);
        world.restart();
        world.complete(a);
        assertThat(world.state("r.s.1")).isEqualTo(RunState.CANCELLED);
        assertThat(world.state("r", "s")).isEqualTo(StepState.CANCELLED);
        assertThat(world.pollIds(5)).containsExactly("r/after");
    }

    @Test
    void a_run_that_is_still_queued_is_cancelled_at_once() {
        world.register("leaf", ONE, step("a"));
        var plan = world.register("shop", WorkflowLimits.NONE, invoke("s", "leaf", "{}"));
        world.start("first", plan);
        world.start("r", plan);
        assertThat(world.state("r.s.1")).isEqualTo(RunState.QUEUED);
        world.handle(new CancelRun("r", null, "enough"));
        assertThat(world.state("r")).isEqualTo(RunState.CANCELLED);
        assertThat(world.state("first.s.1")).isEqualTo(RunState.RUNNING);
    }

    @Test
    void a_run_that_fails_or_is_cancelled_by_itself_fails_the_step() {
        world.register("leaf", WorkflowLimits.NONE, step("a"));
        var plan = world.register(
                "shop",
                WorkflowLimits.NONE,
                invoke("s", "leaf", "{}").onFailure(OnFailure.CONTINUE),
                step("after", "s").with("{'e': '${{ steps.s.error }}'}"));
        world.start("r", plan);
        world.update(world.poll(1).getFirst(), new Update.Failed("no", true));
        assertThat(world.poll(1).getFirst().input().value().toString()).contains("run r.s.1 failed", "no");
        world.start("q", plan);
        world.handle(new CancelRun("q.s.1", null, "by hand"));
        world.advance();
        assertThat(world.state("q", "s")).isEqualTo(StepState.FAILED);
    }

    @Test
    @Tag("R4.6")
    void a_chain_that_is_too_long_ends_and_is_not_put_off() {
        var limits = new WorkflowLimits(null, null, null, 3);
        var plan = world.register("loop", limits, invoke("s", "loop", "{}"));
        world.start("r", plan);
        world.advance();
        assertThat(world.state("r")).isEqualTo(RunState.FAILED);
        assertThat(world.moves.stream().filter(Move.RunAccepted.class::isInstance))
                .hasSize(4);
        assertThat(world.moves.toString()).contains("cascade_detected");
        assertThat(world.org.rows().runs()).isEmpty();
    }

    @Test
    void an_unregistered_workflow_cannot_be_invoked() {
        world.register("billing", WorkflowLimits.NONE, step("a"));
        var plan = world.register("shop", WorkflowLimits.NONE, invoke("s", "biling", "{}"));
        world.start("r", plan);
        assertThat(world.state("r")).isEqualTo(RunState.FAILED);
        assertThat(world.moves.toString()).contains("workflow not found: biling");
    }

    @Test
    void a_run_whose_key_cannot_be_rendered_from_its_input_is_not_invoked() {
        var perKey = new WorkflowLimits(
                null, null, new WorkflowLimits.PerKey(Template.of("${{ input.order }}"), 1, null), 10);
        world.register("leaf", perKey, step("a"));
        var plan = world.register("shop", WorkflowLimits.NONE, invoke("s", "leaf", "{'colour': 'red'}"));
        world.start("r", plan);
        assertThat(world.state("r")).isEqualTo(RunState.FAILED);
        assertThat(world.moves.toString()).contains("run r.s.1", "order");
    }

    @Test
    void ids_of_invoked_runs_have_a_bound_however_deep_the_chain() {
        String longest = "r".repeat(RunRequest.RUN_CHARS_MAX);
        world.register("leaf", WorkflowLimits.NONE, step("a"));
        world.start(longest, world.register("shop", WorkflowLimits.NONE, invoke("s", "leaf", "{}")));
        assertThat(world.pollIds(1)).containsExactly("run-1.s.1/a");
    }

    @Test
    void outputs_that_are_too_large_together_fail_the_step() {
        world.register("leaf", WorkflowLimits.NONE, step("a"), step("b"));
        var plan = world.register("shop", WorkflowLimits.NONE, invoke("s", "leaf", "{}"));
        world.start("r", plan);
        String half = "'" + "x".repeat(Update.OUTPUT_CHARS_MAX / 2) + "'";
        world.poll(2).forEach(work -> world.complete(work, half));
        assertThat(world.state("r")).isEqualTo(RunState.FAILED);
        assertThat(world.moves.toString()).contains("expected outputs of at most 262144 characters");
    }

    @Test
    void an_event_is_emitted_once_with_what_led_to_it_and_the_step_is_done() {
        var emit = new Action.Emit("closed", Template.of(json("{'n': '${{ input.n }}'}")));
        var plan = world.register(
                "shop", WorkflowLimits.NONE, step("tell").action(emit).keys(FlowControl.parallelism("k", 1)));
        world.start("r", plan, "{'n': 3}");
        assertThat(world.state("r")).isEqualTo(RunState.COMPLETED);
        var lineage = new RunLineage(null, null, "r", 1, null, AFTER_R);
        var event = new EventRow(
                1, "weir.r.1.tell.1", "closed", null, json("{'n': 3}"), UnitId.of("r", "tell"), lineage, world.now);
        assertThat(world.moves.stream().filter(Move.EventReceived.class::isInstance))
                .containsExactly(new Move.EventReceived(event, world.now));
        assertThat(world.org.limits(world.now)).allMatch(limit -> limit.used() == 0);
    }

    private static World.StepBuilder invoke(String id, String workflow, String input) {
        return step(id).action(new Action.Invoke(workflow, Template.of(json(input))));
    }

    private static World.StepBuilder after(String need) {
        return step("after", need).with("{'b': '${{ steps." + need + ".output }}'}");
    }
}
