package dev.weir.core.command;

import static dev.weir.core.run.World.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.limit.Moment;
import dev.weir.core.run.KeyWorld;
import dev.weir.core.run.World;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R3.7")
class PauseKeyTest {
    private final KeyWorld keys = KeyWorld.parallelism(1, 2);
    private final World world = keys.world;

    @Test
    void nothing_starts_under_a_paused_key_and_what_runs_goes_on() {
        var first = world.poll(9).getFirst();
        world.handle(new PauseKey(KeyWorld.KEY, Moment.NEVER));
        assertThat(world.complete(first)).isEqualTo(UpdateStep.Answer.APPLIED);
        assertThat(world.pollIds(9)).isEmpty();
        assertThat(world.org.rows().operators().pauses()).containsEntry(KeyWorld.KEY, Moment.NEVER);
    }

    @Test
    void a_pause_ends_by_itself() {
        world.handle(new PauseKey(KeyWorld.KEY, world.now + 5 * SECOND));
        assertThat(world.pollIds(9)).isEmpty();
        world.passTime(5 * SECOND);
        assertThat(world.org.rows().operators().pauses()).isEmpty();
        assertThat(world.pollIds(9)).containsExactly("r0/a");
    }
}
