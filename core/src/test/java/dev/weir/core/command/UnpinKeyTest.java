package dev.weir.core.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.limit.Moment;
import dev.weir.core.run.KeyWorld;
import dev.weir.core.run.World;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R3.7")
class UnpinKeyTest {
    private final World world = KeyWorld.parallelism(2, 3).world;

    @Test
    void the_steps_own_values_are_in_force_again() {
        world.handle(PinKey.of(KeyWorld.KEY, 1, null, Moment.NEVER));
        assertThat(world.pollIds(9)).containsExactly("r0/a");
        assertThat(world.handle(new UnpinKey(KeyWorld.KEY))).isEqualTo(UnpinKey.Answer.UNPINNED);
        assertThat(world.pollIds(9)).containsExactly("r1/a");
        assertThat(world.handle(new UnpinKey(KeyWorld.KEY))).isEqualTo(UnpinKey.Answer.NOT_PINNED);
    }
}
