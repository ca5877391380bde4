package dev.weir.core.life;

import static dev.weir.core.life.World.plan;
import static dev.weir.core.life.World.step;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R0.16")
class ResumeRunTest {
    private final World world = new World();

    @Test
    void a_resumed_run_goes_on_where_it_was() {
        world.start("r", plan(step("a")));
        world.handle(new PauseRun("r"));
        assertThat(world.polled(1)).isEmpty();
        assertThat(world.handle(new ResumeRun("r"))).isEqualTo(ResumeRun.Answer.RESUMED);
        assertThat(world.polled(1)).containsExactly("r/a");
        assertThat(world.handle(new ResumeRun("r"))).isEqualTo(ResumeRun.Answer.NOT_PAUSED);
        assertThat(world.handle(new ResumeRun("x"))).isEqualTo(ResumeRun.Answer.NOT_FOUND);
    }
}
