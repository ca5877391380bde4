package dev.weir.core.command;

import static dev.weir.core.run.World.plan;
import static dev.weir.core.run.World.step;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.run.World;
import dev.weir.core.state.RunState;
import dev.weir.core.state.StepState;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R2.11")
class SkipStepTest {
    private final World world = new World();

    @Test
    void an_optional_step_that_has_not_started_is_skipped_and_its_dependents_go_on() {
        world.start("r", plan(step("a").optional(), step("b", "a")));
        assertThat(skip("a")).isEqualTo(SkipStep.Answer.SKIPPED);
        assertThat(skip("a")).as("the same again").isEqualTo(SkipStep.Answer.SKIPPED);
        assertThat(world.pollIds(9)).containsExactly("r/b");
    }

    @Test
    void a_blocked_optional_step_can_be_skipped_before_its_turn() {
        world.start("r", plan(step("a"), step("b", "a").optional(), step("c", "b")));
        assertThat(skip("b")).isEqualTo(SkipStep.Answer.SKIPPED);
        assertThat(world.pollIds(9)).containsExactlyInAnyOrder("r/a", "r/c");
    }

    @Test
    void a_step_of_a_queued_run_can_be_skipped_and_nothing_starts_before_its_run() {
        world.handle(StartRun.of("r", plan(step("a").optional(), step("b", "a")), World.json("{}")));
        assertThat(world.handle(new SkipStep("r", "a"))).isEqualTo(SkipStep.Answer.SKIPPED);
        assertThat(world.state("r", "b")).isEqualTo(StepState.BLOCKED);
        assertThat(world.pollIds(9)).containsExactly("r/b");
    }

    @Test
    void a_fanned_out_step_is_skipped_with_all_its_items() {
        world.start("r", plan(step("s").items("[1, 2]", 1).optional()));
        assertThat(skip("s")).isEqualTo(SkipStep.Answer.SKIPPED);
        assertThat(world.pollIds(9)).isEmpty();
        assertThat(world.state("r")).isEqualTo(RunState.COMPLETED);
    }

    @Test
    void a_required_or_started_step_is_not_skipped() {
        world.start("r", plan(step("a"), step("b").optional()));
        assertThat(skip("a")).isEqualTo(SkipStep.Answer.NOT_OPTIONAL);
        world.poll(9);
        assertThat(skip("b")).isEqualTo(SkipStep.Answer.STARTED);
        assertThat(skip("x")).isEqualTo(SkipStep.Answer.NOT_FOUND);
    }

    private SkipStep.Answer skip(String step) {
        var answer = world.handle(new SkipStep("r", step));
        world.advance();
        return answer;
    }
}
