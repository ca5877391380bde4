package dev.weir.core.command;

import static dev.weir.core.run.World.json;
import static dev.weir.core.run.World.plan;
import static dev.weir.core.run.World.step;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.definition.FlowControl;
import dev.weir.core.definition.OnFailure;
import dev.weir.core.run.World;
import dev.weir.core.state.RunState;
import dev.weir.core.state.UnitId;
import dev.weir.core.state.Update;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R2.6")
class AbandonStepTest {
    private final World world = new World();

    @Test
    void an_abandoned_step_has_failed_for_good_and_gives_its_place_back() {
        var key = FlowControl.parallelism("k", 1);
        world.start("r", plan(step("a").keys(key)));
        var a = world.poll(1).getFirst();
        assertThat(abandon()).isEqualTo(AbandonStep.Answer.NOT_WAITING);
        world.update(a, new Update.NeedsInput(json("'which?'")));
        assertThat(abandon()).isEqualTo(AbandonStep.Answer.ABANDONED);
        assertThat(world.state("r")).isEqualTo(RunState.FAILED);
        assertThat(abandon()).isEqualTo(AbandonStep.Answer.NOT_FOUND);
        assertThat(world.complete(a)).isEqualTo(UpdateStep.Answer.RUN_TERMINAL);
        world.start("next", plan(step("a").keys(key)));
        assertThat(world.pollIds(1)).containsExactly("next/a");
    }

    @Test
    void an_abandoned_step_follows_its_on_failure_setting() {
        world.start(
                "r",
                plan(step("a").onFailure(OnFailure.CONTINUE), step("b", "a").with("{'e': '${{ steps.a.error }}'}")));
        world.update(world.poll(1).getFirst(), new Update.NeedsInput(json("'which?'")));
        abandon();
        assertThat(world.poll(1).getFirst().input().value()).isEqualTo(json("{'e': 'abandoned by anna: no idea'}"));
    }

    private AbandonStep.Answer abandon() {
        var answer = world.handle(new AbandonStep(UnitId.of("r", "a"), "anna", "no idea"));
        world.advance();
        return answer;
    }
}
