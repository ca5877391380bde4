package dev.weir.core.life;

import static dev.weir.core.life.World.LEASE;
import static dev.weir.core.life.World.SECOND;
import static dev.weir.core.life.World.plan;
import static dev.weir.core.life.World.step;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.admission.Poll;
import dev.weir.core.definition.RunLimits;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R2.4")
class ClaimWorkTest {
    private final World world = new World();

    @Test
    void a_poll_waits_until_there_is_work_and_is_answered_once() {
        assertThat(world.handle(poll("q", 5))).isEqualTo(new ClaimWork.Answer.Waits());
        assertThat(world.advance()).isEmpty();
        world.handle(StartRun.of("r", plan(step("a"), step("b")), World.json("{}")));
        assertThat(world.advance()).singleElement().satisfies(served -> {
            assertThat(served.request()).isEqualTo("q");
            assertThat(World.ids(served.assignments())).containsExactly("r/a", "r/b");
        });
        world.start("s", plan(step("a")));
        assertThat(world.state("s", "a")).as("the poll is over").isEqualTo(StepState.READY);
    }

    @Test
    void the_same_request_again_gives_the_same_claims() {
        world.start("r", plan(step("a"), step("b")));
        world.handle(poll("q", 1));
        var given = world.advance().getFirst().assignments();
        assertThat(world.handle(poll("q", 1))).isEqualTo(new ClaimWork.Answer.Again(given));
        assertThat(world.state("r", "b")).isEqualTo(StepState.READY);
    }

    @Test
    void one_poll_is_given_so_much_as_an_answer_can_hold_and_the_next_one_the_rest() {
        var steps = new World.StepBuilder[45];
        for (int i = 0; i < steps.length; i++) {
            steps[i] = step("s" + i).with("{'x':'${{ input }}'}");
        }
        world.start("r", plan(steps), "{'text':'" + "x".repeat(250_000) + "'}");
        int most = Poll.LOAD_MAX / 250_000 + 1;
        assertThat(world.poll(500)).hasSize(most);
        assertThat(world.state("r", "s" + most)).as("what is not given out").isEqualTo(StepState.READY);
        assertThat(world.poll(500)).hasSize(steps.length - most);
    }

    @Test
    void a_repeated_request_that_still_waits_is_one_poll() {
        world.handle(poll("q", 1));
        world.handle(poll("q", 1));
        world.start("r", plan(step("a"), step("b")));
        assertThat(world.state("r", "a")).isEqualTo(StepState.RUNNING);
        assertThat(world.state("r", "b")).isEqualTo(StepState.READY);
    }

    @Test
    void a_poll_that_has_ended_is_given_nothing() {
        world.handle(poll("q", 5));
        assertThat(world.handle(new EndPoll("q"))).isTrue();
        assertThat(world.handle(new EndPoll("q"))).isFalse();
        world.start("r", plan(step("a")));
        assertThat(world.state("r", "a")).isEqualTo(StepState.READY);
    }

    @Test
    @Tag("R2.2")
    void a_modules_profile_counts_where_the_step_does_not_say() {
        var slots = new RunLimits(null, null, 4, RunLimits.DEFAULT_TICK_INTERVAL);
        var serves = List.of(new ClaimWork.Serves("m", new ConcurrencyProfile(3, false)));
        world.handle(new ClaimWork("q", "worker", serves, 1, LEASE));
        world.handle(new EndPoll("q"));
        world.start("r", plan(slots, step("a"), step("b"), step("c").demand(1, null)));
        assertThat(world.polled(5)).containsExactly("r/a", "r/c");
    }

    @Test
    @Tag("R0.4")
    @Tag("R0.5")
    void a_tick_starts_at_most_its_cap_and_the_next_comes_by_itself() {
        var ticks = new RunLimits(null, 2, null, RunLimits.DEFAULT_TICK_INTERVAL);
        world.start("r", plan(ticks, step("a"), step("b"), step("c")));
        assertThat(world.polled(5)).containsExactly("r/a", "r/b");
        world.handle(poll("q", 5));
        assertThat(world.advance()).isEmpty();
        assertThat(world.org.nextWakeup()).isEqualTo(world.now + SECOND);
        world.now += SECOND;
        assertThat(world.advance()).hasSize(1);
    }

    private static ClaimWork poll(String request, int limit) {
        return new ClaimWork(request, "worker", List.of(new ClaimWork.Serves("m")), limit, LEASE);
    }
}
