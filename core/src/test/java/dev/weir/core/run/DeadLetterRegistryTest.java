package dev.weir.core.run;

import static dev.weir.core.run.World.step;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.command.CloseDeadLetter;
import dev.weir.core.command.DeadLetterControl;
import dev.weir.core.definition.FlowControl;
import dev.weir.core.definition.OnFailure;
import dev.weir.core.state.DeadLetter;
import dev.weir.core.state.Move;
import dev.weir.core.state.Update;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R4.13")
class DeadLetterRegistryTest {
    private final World world = new World();

    private List<DeadLetter> letters() {
        return world.moves.stream()
                .filter(Move.DeadLettered.class::isInstance)
                .map(move -> ((Move.DeadLettered) move).letter())
                .toList();
    }

    private void failAll() {
        world.pollAll().forEach(claimed -> world.update(claimed, new Update.Failed("no paper", true)));
    }

    @Test
    void a_run_that_fails_for_good_has_one_dead_letter_with_the_keys_of_its_failed_step_first() {
        world.start(
                "r",
                World.plan(
                        step("a").keys(FlowControl.parallelism("ok", 1)),
                        step("b", "a").keys(FlowControl.parallelism("bad", 1))));
        world.pollAll().forEach(world::complete);
        failAll();
        assertThat(letters()).singleElement().satisfies(letter -> {
            assertThat(letter.number()).isEqualTo(1);
            assertThat(letter.content().subject()).isEqualTo("r");
            assertThat(letter.content().workflow()).isEqualTo("flow");
            assertThat(letter.content().keys()).containsExactly("bad", "ok");
            assertThat(letter.content().reason()).isEqualTo(DeadLetter.Reason.STEP_FAILED);
            assertThat(letter.content().text()).contains("no paper");
        });
    }

    @Test
    void a_run_that_tolerates_its_failure_has_none() {
        world.start("r", World.plan(step("a").onFailure(OnFailure.CONTINUE)));
        failAll();
        assertThat(letters()).isEmpty();
    }

    @Test
    void numbers_go_on_after_a_restart() {
        world.start("r1", World.plan(step("a")));
        failAll();
        world.restart();
        world.start("r2", World.plan(step("a")));
        failAll();
        assertThat(letters()).extracting(DeadLetter::number).containsExactly(1L, 2L);
        assertThat(world.org.rows().attention().openDeadLetters()).isEqualTo(2);
    }

    @Test
    void a_dead_letter_is_closed_once_and_audited_once() {
        world.start("r", World.plan(step("a")));
        failAll();
        var open = new DeadLetterControl.Closed(DeadLetter.State.OPEN, null);
        var redrive = new CloseDeadLetter(letters().getFirst(), open, DeadLetter.State.REDRIVEN, "r.retry-1");
        assertThat(world.handle(redrive).isNew()).isTrue();
        assertThat(world.handle(redrive).isNew()).isFalse();
        var discard = new CloseDeadLetter(letters().getFirst(), open, DeadLetter.State.DISCARDED, null);
        assertThat(world.handle(discard).closed().state()).isEqualTo(DeadLetter.State.REDRIVEN);
        assertThat(world.moves)
                .filteredOn(Move.DeadLetterClosed.class::isInstance)
                .hasSize(1);
        assertThat(world.moves).filteredOn(Move.Audited.class::isInstance).hasSize(1);
        assertThat(world.org.rows().attention().openDeadLetters()).isZero();
    }
}
