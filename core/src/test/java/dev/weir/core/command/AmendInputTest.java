package dev.weir.core.command;

import static dev.weir.core.run.World.json;
import static dev.weir.core.run.World.plan;
import static dev.weir.core.run.World.planWithInputSchema;
import static dev.weir.core.run.World.step;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.definition.Workflow;
import dev.weir.core.definition.WorkflowLimits;
import dev.weir.core.expression.Template;
import dev.weir.core.plan.Plan;
import dev.weir.core.run.Organisation;
import dev.weir.core.run.World;
import dev.weir.core.state.AwaitedEvent;
import dev.weir.core.state.RunLineage;
import dev.weir.core.state.RunRequest;
import dev.weir.core.state.RunState;
import dev.weir.core.state.StepState;
import dev.weir.core.state.UnitId;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("R2.11")
class AmendInputTest {
    private final World world = new World();

    @Test
    void input_that_does_not_fit_blocks_with_that_reason_until_it_is_amended() {
        var plan = planWithInputSchema(
                "{'type': 'object', 'required': ['order']}",
                step("a").with("{'o': '${{ input.order }}'}"),
                step("b").when("input.order > 1"));
        world.start("r", plan, "{}");
        assertThat(world.state("r")).isEqualTo(RunState.WAITING);
        assertThat(world.org.findStep(UnitId.of("r", "a")).orElseThrow().waitsFor())
                .isEqualTo(AwaitedEvent.MISSING_INPUT);
        assertThat(lacks("a")).contains("order");
        assertThat(amend("{'other': 1}")).isEqualTo(AmendInput.Answer.AMENDED);
        assertThat(world.pollIds(5)).isEmpty();
        world.org = Organisation.restore(world.org.rows(), world.now);
        assertThat(amend("{'order': 1}")).isEqualTo(AmendInput.Answer.AMENDED);
        var a = world.poll(5);
        assertThat(World.ids(a)).containsExactly("r/a");
        assertThat(a.getFirst().input().value()).isEqualTo(json("{'o': 1}"));
        assertThat(world.state("r", "b")).isEqualTo(StepState.SKIPPED);
        assertThat(world.org
                        .findStep(UnitId.of("r", "a"))
                        .orElseThrow()
                        .detail()
                        .dataProblem())
                .isNull();
        assertThat(amend("{'order': 1}")).as("the same again").isEqualTo(AmendInput.Answer.AMENDED);
        assertThat(amend("{'order': 2}")).isEqualTo(AmendInput.Answer.NOT_WAITING);
    }

    @Test
    void a_step_that_requires_a_value_waits_for_it_and_others_go_on() {
        world.start("r", plan(step("a").requires("input.address.street").gate(), step("b")), "{'address': {}}");
        assertThat(world.pollIds(5)).containsExactly("r/b");
        assertThat(lacks("a")).contains("input.address.street");
        amend("{'address': {'street': 'Elm'}}");
        assertThat(world.org.findStep(UnitId.of("r", "a")).orElseThrow().waitsFor())
                .isEqualTo(AwaitedEvent.GATE);
    }

    @Test
    void a_run_that_is_cancelled_or_failing_does_not_wait_for_a_remedy() {
        world.start(
                "r",
                plan(
                        step("a").requires("input.x"),
                        step("c", "a").when("always()").requires("input.x")));
        world.handle(new CancelRun("r", null, "enough"));
        assertThat(world.state("r")).isEqualTo(RunState.CANCELLED);
    }

    @Test
    void before_a_run_has_started_its_input_can_be_amended_at_once() {
        var request = StartRun.of("r", plan(step("a").with("{'x': '${{ input.x }}'}")), json("{}"));
        world.handle(request);
        assertThat(amend("{'x': 5}")).isEqualTo(AmendInput.Answer.AMENDED);
        world.advance();
        assertThat(world.poll(1).getFirst().input().value()).isEqualTo(json("{'x': 5}"));
        assertThat(world.handle(new AmendInput("x", json("1")))).isEqualTo(AmendInput.Answer.NOT_FOUND);
        assertThat(world.handle(request)).isInstanceOf(StartRun.Answer.Existing.class);
    }

    private static Plan oneForEachKey() {
        var perKey = new WorkflowLimits.PerKey(Template.of("${{ input.k }}"), 1, null);
        var workflow = Workflow.named("keyed").limits(new WorkflowLimits(null, null, perKey, 10));
        return Plan.of(workflow.step("a").uses("m").build());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Tag("R4.1")
    void a_queued_run_is_limited_by_the_run_key_of_its_amended_input(boolean restarted) {
        world.start("first-a", oneForEachKey(), "{'k': 'a'}");
        world.start("first-b", oneForEachKey(), "{'k': 'b'}");
        world.start("r", oneForEachKey(), "{'k': 'a'}");
        world.start("later-b", oneForEachKey(), "{'k': 'b'}");
        assertThat(amend("{'k': 'b'}")).isEqualTo(AmendInput.Answer.AMENDED);
        if (restarted) {
            world.restart();
        }
        world.advance();
        assertThat(world.state("r")).isEqualTo(RunState.QUEUED);

        world.handle(new CancelRun("first-a", null, "done"));
        world.advance();
        assertThat(world.state("r")).as("a's place is not its own any more").isEqualTo(RunState.QUEUED);
        world.handle(new CancelRun("first-b", null, "done"));
        world.advance();
        assertThat(world.state("r")).as("it keeps its age").isEqualTo(RunState.RUNNING);
        assertThat(world.state("later-b")).isEqualTo(RunState.QUEUED);

        world.start("other-a", oneForEachKey(), "{'k': 'a'}");
        assertThat(world.state("other-a")).isEqualTo(RunState.RUNNING);
    }

    @Test
    @Tag("R4.1")
    void a_delayed_run_is_limited_by_the_key_of_its_amended_input_then() {
        world.start("first-b", oneForEachKey(), "{'k': 'b'}");
        var asked = StartRun.of("r", oneForEachKey(), json("{'k': 'a'}"));
        var options = new RunRequest.Options(5 * World.SECOND, List.of());
        world.handle(new StartRun(new RunRequest(
                "r",
                asked.request().plan(),
                asked.request().input(),
                0,
                null,
                new TreeMap<>(),
                options,
                RunLineage.NONE)));
        amend("{'k': 'b'}");
        world.passTime(6 * World.SECOND);
        assertThat(world.state("r")).isEqualTo(RunState.QUEUED);
        world.handle(new CancelRun("first-b", null, "done"));
        world.advance();
        assertThat(world.state("r")).isEqualTo(RunState.RUNNING);
    }

    @Test
    @Tag("R0.16")
    void a_paused_run_that_is_queued_stays_paused_though_it_asks_for_another_key() {
        world.start("first-a", oneForEachKey(), "{'k': 'a'}");
        world.start("r", oneForEachKey(), "{'k': 'a'}");
        world.handle(new PauseRun("r"));
        amend("{'k': 'b'}");
        world.advance();
        assertThat(world.state("r")).isEqualTo(RunState.PAUSED);
        world.handle(new ResumeRun("r"));
        world.advance();
        assertThat(world.state("r")).isEqualTo(RunState.RUNNING);
    }

    @Test
    void input_from_which_the_run_key_cannot_be_rendered_is_refused_and_changes_nothing() {
        world.start("first-a", oneForEachKey(), "{'k': 'a'}");
        world.start("r", oneForEachKey(), "{'k': 'a'}");
        assertThat(amend("{}")).isEqualTo(AmendInput.Answer.NO_RUN_KEY);
        assertThat(world.org.findRun("r").orElseThrow().detail().input()).isNull();
        world.handle(new CancelRun("first-a", null, "done"));
        world.advance();
        assertThat(world.state("r")).isEqualTo(RunState.RUNNING);
    }

    @Test
    @Tag("R1.1")
    void while_items_are_made_from_the_input_it_stays_as_it_is() {
        world.start("r", plan(step("a").items("range(input.n)", null), step("b").requires("input.x")), "{'n': 3000}");
        assertThat(amend("{'x': 1}")).isEqualTo(AmendInput.Answer.MAKING_ITEMS);
        assertThat(amend("{'n': 3000}")).as("what it has").isEqualTo(AmendInput.Answer.AMENDED);
        world.restart();
        while (world.org.nextWakeup() <= world.now) {
            world.advance();
        }
        assertThat(amend("{'x': 1}")).isEqualTo(AmendInput.Answer.AMENDED);
        world.restart();
        assertThat(World.ids(world.pollAll())).hasSize(3_001).contains("r/b");
    }

    private String lacks(String step) {
        return String.valueOf(
                world.org.findStep(UnitId.of("r", step)).orElseThrow().detail().dataProblem());
    }

    private AmendInput.Answer amend(String input) {
        return world.handle(new AmendInput("r", json(input)));
    }
}
