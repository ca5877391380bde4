package dev.weir.core.command;

import static dev.weir.core.run.World.plan;
import static dev.weir.core.run.World.step;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.run.World;
import dev.weir.core.state.StepState;
import java.util.List;
import org.junit.jupiter.api.Test;

class EndPollTest {
    private final World world = new World();

    @Test
    void a_poll_that_has_ended_is_given_nothing_and_ends_once() {
        world.handle(new ClaimWork("q", "worker", List.of(new ClaimWork.ServedModule("m")), 5, World.LEASE));
        assertThat(world.handle(new EndPoll("q"))).isTrue();
        assertThat(world.handle(new EndPoll("q"))).isFalse();
        world.start("r", plan(step("a")));
        assertThat(world.state("r", "a")).isEqualTo(StepState.READY);
    }
}
