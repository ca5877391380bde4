package dev.weir.server.view;

import dev.weir.core.admission.LimitSnapshot;
import dev.weir.core.explain.KeySnapshot;
import dev.weir.core.limit.Moment;
import dev.weir.core.limit.Rate;
import dev.weir.engine.live.KeyTrend;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * The pace at which the steps that wait for a key start, and the time at which none is left if nothing else arrives.
 *
 * @param startsPerMinute absent if no step waits, or if the pace is not known yet
 * @param emptyAt absent if nothing starts at this pace, or while the key is stopped
 */
public record BacklogPace(
        @Nullable Double startsPerMinute, @Nullable Instant emptyAt) {
    /** The shortest and the longest time in which starts are counted. */
    static final Duration MEASURED_MIN = Duration.ofMinutes(5);

    static final Duration MEASURED_MAX = Duration.ofHours(1);

    private static final double MINUTE_MICROS = 60_000_000;
    private static final BacklogPace UNKNOWN = new BacklogPace(null, null);

    /** Returns the time in which starts of a key are counted: two periods of its rate, so that bursts even out. */
    public static Duration period(@Nullable Rate rate) {
        Duration two = rate == null ? MEASURED_MIN : Duration.of(2 * rate.period(), ChronoUnit.MICROS);
        return two.compareTo(MEASURED_MIN) < 0 ? MEASURED_MIN : two.compareTo(MEASURED_MAX) > 0 ? MEASURED_MAX : two;
    }

    public static BacklogPace of(KeySnapshot key, @Nullable KeyTrend trend, long now) {
        LimitSnapshot limit = key.limit();
        if (limit.waiting() == 0 || trend == null || trend.measured().isZero()) {
            return UNKNOWN;
        }
        double perMinute = perMinute(limit, trend);
        return new BacklogPace(round(perMinute), limit.paused() ? null : emptyAt(limit.waiting(), perMinute, now));
    }

    /** The measured pace, which cannot stay above the rate. A rate with a longer period is its own best measure. */
    private static double perMinute(LimitSnapshot limit, KeyTrend trend) {
        double measured = trend.started() * MINUTE_MICROS / Moment.micros(trend.measured());
        Rate rate = limit.rate();
        if (rate == null) {
            return measured;
        }
        double allowed = rate.count() * MINUTE_MICROS / rate.period();
        boolean isTooLong = 2 * rate.period() > Moment.micros(MEASURED_MAX);
        return isTooLong && limit.rateUsed() >= rate.count() ? allowed : Math.min(measured, allowed);
    }

    private static double round(double perMinute) {
        return Math.round(perMinute * 100) / 100.0;
    }

    private static @Nullable Instant emptyAt(int waiting, double perMinute, long now) {
        double micros = waiting / perMinute * MINUTE_MICROS;
        return micros < Moment.micros(Duration.ofDays(365)) ? Moment.toInstant(now + (long) micros) : null;
    }
}
