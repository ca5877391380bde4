package dev.weir.engine.shard;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BatchDelayTest {
    private final BatchDelay delay = new BatchDelay();

    @BeforeEach
    void messages_take_10_microseconds_to_decide_and_20_to_write() {
        for (int i = 0; i < 50; i++) {
            delay.recordDecision(100, 1_000);
            delay.recordWrite(100, 2_000);
        }
    }

    @Test
    void a_batch_waits_while_its_messages_can_still_be_decided_before_the_write_ends() {
        // Writing 1,000 messages takes 20 ms. Deciding 500 takes 5 ms, or 7.5 ms with the safety factor.
        assertThat(delay.canWait(500, 1_000, 0)).isTrue();
        assertThat(delay.canWait(500, 1_000, 12_500 - BatchDelay.SAFETY_MARGIN_MICROS - 1))
                .isTrue();
        assertThat(delay.canWait(500, 1_000, 12_500 - BatchDelay.SAFETY_MARGIN_MICROS))
                .isFalse();
    }

    @Test
    void a_larger_batch_starts_sooner() {
        assertThat(delay.canWait(500, 1_000, 9_000)).isTrue();
        assertThat(delay.canWait(1_000, 1_000, 9_000)).isFalse();
    }

    @Test
    void a_batch_does_not_wait_while_a_small_batch_is_written() {
        assertThat(delay.canWait(0, 10, 0)).isFalse();
    }

    @Test
    void a_batch_does_not_wait_before_the_first_measurement() {
        assertThat(new BatchDelay().canWait(0, 1_000, 0)).isFalse();
    }

    @Test
    void a_single_very_slow_write_is_not_measured() {
        delay.recordWrite(100, 30_000_000);
        assertThat(delay.canWait(500, 1_000, 35_000)).isFalse();
    }

    @Test
    void the_delay_follows_recent_measurements() {
        for (int i = 0; i < 20; i++) {
            delay.recordWrite(100, 200);
        }
        assertThat(delay.canWait(500, 1_000, 0)).isFalse();
    }

    @Test
    void a_small_batch_does_not_change_the_cost_per_message() {
        for (int i = 0; i < 20; i++) {
            delay.recordWrite(1, 2_000);
            delay.recordDecision(0, 1_000_000);
        }
        assertThat(delay.canWait(500, 1_000, 12_500)).isFalse();
        assertThat(delay.canWait(500, 1_000, 12_000)).isTrue();
    }
}
