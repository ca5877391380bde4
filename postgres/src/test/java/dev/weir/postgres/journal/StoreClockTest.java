package dev.weir.postgres.journal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("L2")
class StoreClockTest {
    private static final long SECOND = 1_000_000;
    private static final long HOUR = 3_600 * SECOND;

    private long tick;
    private final StoreClock clock = new StoreClock(() -> tick);

    @Test
    void time_is_that_of_the_store_and_never_goes_back() {
        assertThat(clock.tells(HOUR)).isEqualTo(HOUR);
        tick += SECOND;
        assertThat(clock.tells(HOUR + 2 * SECOND)).isEqualTo(HOUR + 2 * SECOND);
        clock.atLeast(HOUR + 2 * SECOND + 1_000);
        tick += 10;
        assertThat(clock.tells(HOUR + 2 * SECOND + 10))
                .as("what was decided ahead is a little later")
                .isEqualTo(HOUR + 2 * SECOND + 1_000);
    }

    @Test
    void time_goes_on_where_the_stores_clock_was_set_back_until_that_has_caught_up() {
        long told = clock.tells(2 * HOUR);
        for (int i = 1; i <= 5; i++) {
            tick += SECOND;
            assertThat(clock.tells(HOUR + i * SECOND)).isEqualTo(told + i * SECOND);
        }
        assertThat(clock.tells(3 * HOUR)).isEqualTo(3 * HOUR);
    }

    @Test
    void time_goes_on_from_what_was_written_although_the_clock_is_behind_it() {
        clock.atLeast(2 * HOUR);
        tick += SECOND;
        assertThat(clock.tells(HOUR)).isEqualTo(2 * HOUR + SECOND);
        tick += SECOND;
        assertThat(clock.tells(HOUR + SECOND)).isEqualTo(2 * HOUR + 2 * SECOND);
    }
}
