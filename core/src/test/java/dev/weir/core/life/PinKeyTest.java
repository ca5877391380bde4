package dev.weir.core.life;

import static dev.weir.core.life.World.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.limit.Moment;
import dev.weir.core.limit.Pin;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R3.7")
class PinKeyTest {
    private final World world = KeyWorld.parallelism(1, 5).world;

    @Test
    void a_pin_beats_the_steps_values_at_once_and_ends_by_itself() {
        world.handle(new PinKey(KeyWorld.KEY, new Pin(3, null, world.now + 60 * SECOND)));
        var running = world.poll(9);
        assertThat(World.ids(running)).containsExactly("r0/a", "r1/a", "r2/a");
        world.handle(new PinKey(KeyWorld.KEY, new Pin(1, null, Moment.NEVER)));
        world.complete(running.get(0));
        world.complete(running.get(1));
        assertThat(world.polled(9))
                .as("lowering stops nothing, and starts nothing")
                .isEmpty();
        world.complete(running.get(2));
        assertThat(world.polled(9)).containsExactly("r3/a");
    }

    @Test
    void a_pin_survives_a_restart() {
        world.handle(new PinKey(KeyWorld.KEY, new Pin(2, null, Moment.NEVER)));
        world.org = Organisation.restore(world.org.rows(), world.now);
        assertThat(world.polled(9)).containsExactly("r0/a", "r1/a");
    }
}
