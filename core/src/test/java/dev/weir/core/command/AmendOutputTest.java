package dev.weir.core.command;

import static dev.weir.core.run.World.json;
import static dev.weir.core.run.World.plan;
import static dev.weir.core.run.World.step;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.definition.CancelPolicy;
import dev.weir.core.definition.FlowControl;
import dev.weir.core.definition.OnFailure;
import dev.weir.core.limit.LimitId;
import dev.weir.core.run.Organisation;
import dev.weir.core.run.World;
import dev.weir.core.state.RunState;
import dev.weir.core.state.StepState;
import dev.weir.core.state.Update;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R2.11")
class AmendOutputTest {
    private static final String SCHEMA = "{'type': 'object', 'required': ['parcels']}";
    private final World world = new World();

    @Test
    void an_output_that_does_not_fit_blocks_what_needs_it_until_it_is_amended() {
        var key = FlowControl.parallelism("k", 1);
        world.start(
                "r",
                plan(
                        step("a").outputSchema(SCHEMA).keys(key),
                        step("b", "a").with("{'p': '${{ steps.a.output.parcels }}'}")));
        var a = world.poll(1).getFirst();
        assertThat(world.complete(a, "{'x': 1}")).isEqualTo(UpdateStep.Answer.APPLIED);
        assertThat(world.complete(a, "{'x': 1}")).isEqualTo(UpdateStep.Answer.REPLAYED);
        assertThat(world.state("r", "a")).isEqualTo(StepState.WAITING);
        assertThat(world.state("r")).isEqualTo(RunState.WAITING);
        assertThat(world.org.limits(world.now))
                .filteredOn(limit -> limit.limit().equals(new LimitId.Key("k")))
                .allMatch(limit -> limit.used() == 0);
        world.org = Organisation.restore(world.org.rows(), world.now);
        assertThat(amend("{}")).isInstanceOf(AmendOutput.Answer.DoesNotFit.class);
        assertThat(amend("{'parcels': 3}")).isEqualTo(new AmendOutput.Answer.Amended());
        assertThat(world.poll(1).getFirst().input().value()).isEqualTo(json("{'p': 3}"));
        assertThat(amend("{'parcels': 3}")).as("the same again").isEqualTo(new AmendOutput.Answer.Amended());
        assertThat(amend("{'parcels': 4}")).isEqualTo(new AmendOutput.Answer.NotWaiting());
    }

    @Test
    void the_output_of_a_fan_out_is_judged_as_a_whole() {
        world.start(
                "r",
                plan(step("a").items("[1, 2]", null).outputSchema("{'items': {'type': 'number'}}"), step("b", "a")));
        var items = world.poll(2);
        world.complete(items.get(0), "1");
        world.complete(items.get(1), "'two'");
        assertThat(world.pollIds(1)).isEmpty();
        world.org = Organisation.restore(world.org.rows(), world.now);
        amend("[1, 2]");
        assertThat(world.pollIds(1)).containsExactly("r/b");
    }

    @Test
    void a_value_that_a_later_step_requires_can_be_added_to_an_existing_output() {
        world.start(
                "r",
                plan(step("a"), step("b", "a").requires("steps.a.output.n").with("{'n': '${{ steps.a.output.n }}'}")));
        world.complete(world.poll(1).getFirst(), "{}");
        assertThat(world.pollIds(1)).isEmpty();
        assertThat(amend("{'m': 1}")).isEqualTo(new AmendOutput.Answer.Amended());
        assertThat(world.pollIds(1)).isEmpty();
        amend("{'n': 1}");
        world.org = Organisation.restore(world.org.rows(), world.now);
        assertThat(world.poll(1).getFirst().input().value()).isEqualTo(json("{'n': 1}"));
    }

    @Test
    void while_items_are_made_outputs_stay_as_they_are() {
        world.start(
                "r",
                plan(
                        step("a"),
                        step("b", "a").requires("steps.a.output.x"),
                        step("c", "a").items("range(steps.a.output.n)", null)));
        world.complete(world.poll(1).getFirst(), "{'n': 3000}");
        assertThat(amend("{'x': 1}")).isEqualTo(new AmendOutput.Answer.MakingItems());
        world.restart();
        while (world.org.nextWakeup() <= world.now) {
            world.advance();
        }
        assertThat(amend("{'x': 1}")).isEqualTo(new AmendOutput.Answer.Amended());
        assertThat(World.ids(world.pollAll())).hasSize(3_001).contains("r/b");
    }

    @Test
    void a_step_that_failed_or_was_skipped_can_be_given_the_output_that_another_requires() {
        world.start(
                "r",
                plan(
                        step("a").onFailure(OnFailure.CONTINUE),
                        step("s").when("false"),
                        step("b", "a", "s")
                                .requires("steps.a.output.n", "steps.s.output.m")
                                .with("{'n': '${{ steps.a.output.n }}', 'was': '${{ steps.a.state }}'}")));
        world.update(world.poll(1).getFirst(), new Update.Failed("no parcels", true));
        assertThat(world.state("r")).isEqualTo(RunState.WAITING);
        assertThat(amend("{'n': 3}")).isEqualTo(new AmendOutput.Answer.Amended());
        assertThat(amend("{'n': 3}")).as("the same again").isEqualTo(new AmendOutput.Answer.Amended());
        assertThat(world.pollIds(1)).isEmpty();
        world.restart();
        assertThat(world.handle(new AmendOutput("r", "s", json("{'m': 1}"), "anna")))
                .isEqualTo(new AmendOutput.Answer.Amended());
        world.restart();
        assertThat(world.state("r", "a")).isEqualTo(StepState.FAILED);
        assertThat(world.state("r", "s")).isEqualTo(StepState.SKIPPED);
        assertThat(world.poll(1).getFirst().input().value()).isEqualTo(json("{'n': 3, 'was': 'failed'}"));
        assertThat(amend("{'n': 4}")).isEqualTo(new AmendOutput.Answer.NotWaiting());
    }

    @Test
    void an_invalid_output_is_dropped_when_its_step_is_skipped() {
        world.start(
                "r",
                plan(
                        step("a").outputSchema(SCHEMA).optional(),
                        step("b", "a").with("{'seen': '${{ steps.a.output }}'}")));
        world.complete(world.poll(1).getFirst(), "{'x': 1}");
        assertThat(world.handle(new SkipStep("r", "a"))).isEqualTo(SkipStep.Answer.SKIPPED);
        assertThat(world.poll(1).getFirst().input().value()).isEqualTo(json("{'seen': null}"));
    }

    @Test
    void an_invalid_output_does_not_keep_an_ending_run_from_its_end() {
        world.start("r", plan(step("a").outputSchema(SCHEMA), step("b")));
        var both = world.poll(2);
        world.complete(both.get(0), "1");
        world.handle(new CancelRun("r", CancelPolicy.ALLOW_FINISH, "enough"));
        world.complete(both.get(1), "1");
        assertThat(world.state("r")).isEqualTo(RunState.CANCELLED);
    }

    private AmendOutput.Answer amend(String output) {
        return world.handle(new AmendOutput("r", "a", json(output), "anna"));
    }
}
