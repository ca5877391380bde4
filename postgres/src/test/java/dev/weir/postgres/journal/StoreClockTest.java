package dev.weir.postgres.journal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("L2")
class StoreClockTest {
    private static final long SECOND = 1_000_000;
    private static final long HOUR = 3_600 * SECOND;

    private long monotonic;
    private final StoreClock clock = new StoreClock(() -> monotonic);

    @Test
    void time_is_that_of_the_store_and_never_goes_back() {
        assertThat(clock.observe(HOUR)).isEqualTo(HOUR);
        monotonic += SECOND;
        assertThat(clock.observe(HOUR + 2 * SECOND)).isEqualTo(HOUR + 2 * SECOND);
        clock.advanceTo(HOUR + 2 * SECOND + 1_000);
        monotonic += 10;
        assertThat(clock.observe(HOUR + 2 * SECOND + 10))
                .as("what was decided ahead is a little later")
                .isEqualTo(HOUR + 2 * SECOND + 1_000);
    }

    @Test
    void time_continues_after_the_clock_of_the_store_was_set_back() {
        long time = clock.observe(2 * HOUR);
        for (int i = 1; i <= 5; i++) {
            monotonic += SECOND;
            assertThat(clock.observe(HOUR + i * SECOND)).isEqualTo(time + i * SECOND);
        }
        assertThat(clock.observe(3 * HOUR)).isEqualTo(3 * HOUR);
    }

    @Test
    void time_continues_from_the_last_written_time_although_the_clock_is_behind() {
        clock.advanceTo(2 * HOUR);
        monotonic += SECOND;
        assertThat(clock.observe(HOUR)).isEqualTo(2 * HOUR + SECOND);
        monotonic += SECOND;
        assertThat(clock.observe(HOUR + SECOND)).isEqualTo(2 * HOUR + 2 * SECOND);
    }
}
