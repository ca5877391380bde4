package dev.weir.core.life;

import static dev.weir.core.life.World.json;
import static dev.weir.core.life.World.plan;
import static dev.weir.core.life.World.step;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.definition.CancelPolicy;
import dev.weir.core.definition.FlowControl;
import dev.weir.core.limit.LimitId;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R2.11")
class AmendOutputTest {
    private static final String SCHEMA = "{'type': 'object', 'required': ['parcels']}";
    private final World world = new World();

    @Test
    void an_output_that_does_not_fit_blocks_what_needs_it_until_it_is_mended() {
        var key = FlowControl.parallelism("k", 1);
        world.start(
                "r",
                plan(step("a").gives(SCHEMA).keys(key), step("b", "a").with("{'p': '${{ steps.a.output.parcels }}'}")));
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
        world.start("r", plan(step("a").items("[1, 2]", null).gives("{'items': {'type': 'number'}}"), step("b", "a")));
        var items = world.poll(2);
        world.complete(items.get(0), "1");
        world.complete(items.get(1), "'two'");
        assertThat(world.polled(1)).isEmpty();
        world.org = Organisation.restore(world.org.rows(), world.now);
        amend("[1, 2]");
        assertThat(world.polled(1)).containsExactly("r/b");
    }

    @Test
    void what_a_later_step_requires_can_be_put_into_an_output_that_is_there() {
        world.start(
                "r",
                plan(step("a"), step("b", "a").requires("steps.a.output.n").with("{'n': '${{ steps.a.output.n }}'}")));
        world.complete(world.poll(1).getFirst(), "{}");
        assertThat(world.polled(1)).isEmpty();
        assertThat(amend("{'m': 1}")).isEqualTo(new AmendOutput.Answer.Amended());
        assertThat(world.polled(1)).isEmpty();
        amend("{'n': 1}");
        world.org = Organisation.restore(world.org.rows(), world.now);
        assertThat(world.poll(1).getFirst().input().value()).isEqualTo(json("{'n': 1}"));
    }

    @Test
    void in_a_run_that_is_on_its_way_to_its_end_it_has_failed() {
        world.start("r", plan(step("a").gives(SCHEMA), step("b")));
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
