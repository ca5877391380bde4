package dev.weir.server.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.admission.LimitSnapshot;
import dev.weir.core.explain.KeySnapshot;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Moment;
import dev.weir.core.limit.Rate;
import dev.weir.core.limit.Window;
import dev.weir.engine.live.KeyTrend;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class BacklogPaceTest {
    private static final long NOW = Moment.micros(Duration.ofDays(20_000));

    private static KeySnapshot key(int waiting, @Nullable Rate rate, long rateUsed, boolean paused) {
        return new KeySnapshot(
                new LimitSnapshot(
                        new LimitId.Key("k"),
                        waiting,
                        waiting,
                        NOW,
                        1,
                        1,
                        rate,
                        rateUsed,
                        NOW,
                        paused,
                        null,
                        List.of()),
                null,
                null);
    }

    private static KeyTrend trend(int started, Duration measured) {
        return new KeyTrend(List.of(), started, measured);
    }

    private static Rate rate(int count, Duration period) {
        return new Rate(count, Moment.micros(period), Window.SLIDING);
    }

    @Test
    void a_backlog_is_empty_when_its_steps_have_started_at_the_measured_pace() {
        var pace = BacklogPace.of(key(60, null, 0, false), trend(100, Duration.ofMinutes(5)), NOW);

        assertThat(pace.startsPerMinute()).isEqualTo(20);
        assertThat(pace.emptyAt()).isEqualTo(Moment.toInstant(NOW).plus(Duration.ofMinutes(3)));
    }

    @Test
    void a_burst_at_the_beginning_does_not_promise_more_than_the_rate_allows() {
        KeySnapshot key = key(10, rate(5, Duration.ofMinutes(1)), 5, false);

        var pace = BacklogPace.of(key, trend(5, Duration.ofSeconds(10)), NOW);

        assertThat(pace.startsPerMinute()).isEqualTo(5);
        assertThat(pace.emptyAt()).isEqualTo(Moment.toInstant(NOW).plus(Duration.ofMinutes(2)));
    }

    @Test
    void a_rate_with_a_period_of_hours_is_its_own_pace() {
        KeySnapshot key = key(12, rate(6, Duration.ofHours(6)), 6, false);

        var pace = BacklogPace.of(key, trend(0, Duration.ofHours(1)), NOW);

        assertThat(pace.emptyAt()).isEqualTo(Moment.toInstant(NOW).plus(Duration.ofHours(12)));
    }

    @Test
    void nothing_is_predicted_while_nothing_starts_waits_or_is_known() {
        assertThat(BacklogPace.of(key(4, null, 0, false), trend(0, Duration.ofMinutes(5)), NOW))
                .isEqualTo(new BacklogPace(0.0, null));
        assertThat(BacklogPace.of(key(4, null, 0, true), trend(9, Duration.ofMinutes(5)), NOW)
                        .emptyAt())
                .as("while the key is stopped")
                .isNull();
        assertThat(BacklogPace.of(key(0, null, 0, false), trend(9, Duration.ofMinutes(5)), NOW))
                .isEqualTo(new BacklogPace(null, null));
        assertThat(BacklogPace.of(key(4, null, 0, false), null, NOW)).isEqualTo(new BacklogPace(null, null));
    }

    @Test
    void the_pace_is_measured_over_two_periods_between_five_minutes_and_an_hour() {
        assertThat(BacklogPace.period(null)).isEqualTo(Duration.ofMinutes(5));
        assertThat(BacklogPace.period(rate(1, Duration.ofMinutes(10)))).isEqualTo(Duration.ofMinutes(20));
        assertThat(BacklogPace.period(rate(1, Duration.ofDays(1)))).isEqualTo(Duration.ofHours(1));
    }
}
