package dev.weir.core.command;

import static dev.weir.core.run.World.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.limit.FieldChange;
import dev.weir.core.limit.Moment;
import dev.weir.core.limit.Pin;
import dev.weir.core.limit.Rate;
import dev.weir.core.run.KeyWorld;
import dev.weir.core.run.Organisation;
import dev.weir.core.run.World;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R3.7")
class PinKeyTest {
    private final World world = KeyWorld.parallelism(1, 5).world;

    @Test
    void a_pin_beats_the_steps_values_at_once_and_ends_by_itself() {
        world.handle(PinKey.of(KeyWorld.KEY, 3, null, world.now + 60 * SECOND));
        var running = world.poll(9);
        assertThat(World.ids(running)).containsExactly("r0/a", "r1/a", "r2/a");
        world.handle(PinKey.of(KeyWorld.KEY, 1, null, Moment.NEVER));
        world.complete(running.get(0));
        world.complete(running.get(1));
        assertThat(world.pollIds(9))
                .as("lowering stops nothing, and starts nothing")
                .isEmpty();
        world.complete(running.get(2));
        assertThat(world.pollIds(9)).containsExactly("r3/a");
    }

    @Test
    void a_field_that_is_not_named_keeps_its_value_and_all_cleared_is_unpinned() {
        world.handle(PinKey.of(KeyWorld.KEY, 3, null, Moment.NEVER));
        world.handle(PinKey.of(KeyWorld.KEY, null, Rate.sliding(2, SECOND), Moment.NEVER));
        assertThat(pin().parallelism(world.now)).isEqualTo(3);

        var period = new PinKey.Values(
                new FieldChange.Keep<>(),
                new FieldChange.Keep<>(),
                new FieldChange.Replace<>(9 * SECOND),
                new FieldChange.Keep<>(),
                Moment.NEVER);
        world.handle(new PinKey(KeyWorld.KEY, period));
        assertThat(pin().rate(world.now)).isEqualTo(Rate.sliding(2, 9 * SECOND));

        assertThat(world.handle(clear(new FieldChange.Clear<>(), new FieldChange.Keep<>())))
                .isEqualTo(PinKey.Answer.PINNED);
        assertThat(pin()).isEqualTo(new Pin(null, Rate.sliding(2, 9 * SECOND), Moment.NEVER));
        assertThat(world.handle(clear(new FieldChange.Keep<>(), new FieldChange.Clear<>())))
                .isEqualTo(PinKey.Answer.UNPINNED);
        assertThat(world.org.rows().operators().pins()).isEmpty();
        assertThat(world.handle(new PinKey(KeyWorld.KEY, period))).isEqualTo(PinKey.Answer.NO_RATE);
    }

    @Test
    void a_newer_temporary_value_replaces_the_older_one_and_then_the_lasting_one_shows_again() {
        world.handle(PinKey.of(KeyWorld.KEY, 2, null, Moment.NEVER));
        world.handle(PinKey.of(KeyWorld.KEY, 4, null, world.now + 60 * SECOND));
        world.handle(PinKey.of(KeyWorld.KEY, 3, Rate.sliding(9, SECOND), world.now + 5 * SECOND));
        var running = world.poll(9);
        assertThat(running).hasSize(3);

        world.restart();
        world.passTime(5 * SECOND);

        assertThat(pin().parallelism(world.now)).isEqualTo(2);
        assertThat(pin().rate(world.now)).isNull();
        world.complete(running.getFirst());
        assertThat(world.pollIds(9)).isEmpty();
        world.complete(running.get(1));
        assertThat(world.pollIds(9)).hasSize(1);
    }

    private Pin pin() {
        return Objects.requireNonNull(world.org.rows().operators().pins().get(KeyWorld.KEY));
    }

    private static PinKey clear(FieldChange<Integer> parallelism, FieldChange<Integer> rate) {
        var values =
                new PinKey.Values(parallelism, rate, new FieldChange.Keep<>(), new FieldChange.Keep<>(), Moment.NEVER);
        return new PinKey(KeyWorld.KEY, values);
    }

    @Test
    void a_pin_survives_a_restart() {
        world.handle(PinKey.of(KeyWorld.KEY, 2, null, Moment.NEVER));
        world.org = Organisation.restore(world.org.rows(), world.now);
        assertThat(world.pollIds(9)).containsExactly("r0/a", "r1/a");
    }
}
