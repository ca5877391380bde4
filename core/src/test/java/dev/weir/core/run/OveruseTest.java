package dev.weir.core.run;

import static dev.weir.core.run.World.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.admission.KeySlice;
import dev.weir.core.admission.Overuse;
import dev.weir.core.admission.OveruseSlice;
import dev.weir.core.command.PinKey;
import dev.weir.core.command.UnpinKey;
import dev.weir.core.explain.OrganisationQueries;
import dev.weir.core.limit.Moment;
import dev.weir.core.limit.Rate;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests of the check that no key has more in use than it allowed. */
@Tag("R3.2")
class OveruseTest {
    private static OveruseSlice overuse(World world) {
        return new OrganisationQueries(world.org, world.now).overuse(KeySlice.START, 100);
    }

    @Test
    void a_capacity_that_an_operator_lowers_under_what_runs_is_not_overused() {
        World world = KeyWorld.parallelism(1, 5).world;
        world.handle(PinKey.of(KeyWorld.KEY, 3, null, Moment.NEVER));
        assertThat(world.poll(9)).hasSize(3);
        world.handle(new UnpinKey(KeyWorld.KEY));
        assertThat(overuse(world).checked()).isEqualTo(1);
        assertThat(overuse(world).capacities()).isEmpty();
    }

    @Test
    void a_rate_that_ends_with_its_pin_is_not_overused() {
        World world = KeyWorld.rate(1, Duration.ofHours(1), 5).world;
        world.handle(PinKey.of(KeyWorld.KEY, null, Rate.sliding(4, 3_600 * SECOND), world.now + SECOND));
        assertThat(world.poll(9)).hasSize(4);
        world.passTime(2 * SECOND);
        assertThat(overuse(world).rates()).isEmpty();
        world.restart();
        assertThat(overuse(world).rates()).isEmpty();
    }

    @Test
    void after_a_restart_a_lowered_capacity_is_reported_as_unproved_until_usage_has_fallen() {
        World world = KeyWorld.parallelism(1, 5).world;
        world.handle(PinKey.of(KeyWorld.KEY, 2, null, Moment.NEVER));
        var running = world.poll(9);
        world.handle(new UnpinKey(KeyWorld.KEY));
        world.restart();
        assertThat(overuse(world).capacities()).containsExactly(new Overuse(KeyWorld.KEY, 2, 1, false));
        world.complete(running.getFirst());
        assertThat(overuse(world).capacities()).isEmpty();
    }

    @Test
    void the_slices_together_check_each_key_once() {
        World world = KeyWorld.parallelism(1, 1).world;
        var all = new OrganisationQueries(world.org, world.now);
        OveruseSlice first = all.overuse(KeySlice.START, 1);
        assertThat(first.end()).isNotEqualTo(KeySlice.END);
        OveruseSlice rest = all.overuse(first.end(), 100);
        assertThat(first.checked() + rest.checked()).isEqualTo(1);
        assertThat(rest.end()).isEqualTo(KeySlice.END);
    }
}
