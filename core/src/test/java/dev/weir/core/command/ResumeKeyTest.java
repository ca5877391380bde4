package dev.weir.core.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.limit.Moment;
import dev.weir.core.run.KeyWorld;
import dev.weir.core.run.World;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R3.7")
class ResumeKeyTest {
    private final World world = KeyWorld.parallelism(1, 2).world;

    @Test
    void a_resumed_key_starts_its_waiters() {
        world.handle(new PauseKey(KeyWorld.KEY, Moment.NEVER));
        assertThat(world.pollIds(9)).isEmpty();
        assertThat(world.handle(new ResumeKey(KeyWorld.KEY))).isEqualTo(ResumeKey.Answer.RESUMED);
        assertThat(world.pollIds(9)).containsExactly("r0/a");
        assertThat(world.handle(new ResumeKey(KeyWorld.KEY))).isEqualTo(ResumeKey.Answer.NOT_PAUSED);
    }
}
