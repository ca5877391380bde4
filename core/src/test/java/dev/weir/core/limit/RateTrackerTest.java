package dev.weir.core.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("S3")
@Tag("R3.2")
class RateTrackerTest {
    private static final LimitId.Shared KEY = new LimitId.Key("k");
    private static final int ROUNDS = 300;

    @Test
    void an_exact_rate_admits_just_when_counting_through_all_starts_would() {
        for (int seed = 0; seed < ROUNDS; seed++) {
            var random = new Random(seed);
            var rate = Rate.sliding(1 + random.nextInt(20), 1 + random.nextInt(2_000));
            var tracker = new RateTracker(32);
            var usage = tracker.usage(rate);
            List<LimitStart> starts = new ArrayList<>();
            long now = 0;
            for (int i = 0; i < 200; i++) {
                now += random.nextInt(300);
                int cost = 1 + random.nextInt(rate.count());
                long counted = counted(starts, rate, now);
                assertThat(usage.used(now)).isEqualTo(counted);
                long fits = usage.fitsAt(rate.count(), cost, now);
                assertThat(fits).isEqualTo(firstFit(starts, rate, cost, now));
                if (fits == now) {
                    starts.add(start(tracker, now, cost, rate));
                }
            }
        }
    }

    @Test
    void a_rate_in_buckets_never_admits_too_much_and_is_late_by_a_bucket_at_most() {
        for (int seed = 0; seed < ROUNDS; seed++) {
            var random = new Random(seed);
            int exactStarts = 16;
            var rate = Rate.sliding(exactStarts + 1 + random.nextInt(50), 1_000);
            long width = Math.ceilDiv(rate.period(), exactStarts);
            var tracker = new RateTracker(exactStarts);
            var usage = tracker.usage(rate);
            List<LimitStart> starts = new ArrayList<>();
            long now = 0;
            for (int i = 0; i < 400; i++) {
                now += random.nextInt(30);
                assertThat(usage.used(now)).isGreaterThanOrEqualTo(counted(starts, rate, now));
                assertThat(usage.used(now)).isLessThanOrEqualTo(counted(starts, rate, now - width));
                if (usage.fitsAt(rate.count(), 1, now) == now) {
                    starts.add(start(tracker, now, 1, rate));
                }
            }
        }
    }

    @Test
    void a_tracker_rebuilt_from_the_starts_equals_the_original() {
        for (int seed = 0; seed < ROUNDS; seed++) {
            var random = new Random(seed);
            List<Rate> rates =
                    List.of(Rate.sliding(5, 700), Rate.sliding(100, 900), Rate.fixed(3, 400), Rate.fixed(50, 1_100));
            var original = new RateTracker(16);
            rates.forEach(original::usage);
            List<LimitStart> starts = new ArrayList<>();
            long now = 0;
            for (int i = 0; i < 150; i++) {
                now += random.nextInt(60);
                Rate rate = rates.get(random.nextInt(rates.size()));
                if (original.usage(rate).used(now) < rate.count()) {
                    starts.add(start(original, now, 1, rate));
                }
            }
            var rebuilt = new RateTracker(16);
            rates.forEach(rebuilt::usage);
            starts.forEach(rebuilt::restore);
            for (long later = now; later < now + 1_500; later += 50) {
                for (Rate rate : rates) {
                    assertThat(rebuilt.usage(rate).used(later))
                            .isEqualTo(original.usage(rate).used(later));
                    assertThat(rebuilt.usage(rate).fitsAt(rate.count(), 1, later))
                            .isEqualTo(original.usage(rate).fitsAt(rate.count(), 1, later));
                }
            }
        }
    }

    @Test
    void a_large_rate_that_comes_late_counts_unknown_starts_at_their_latest_possible_time() {
        var tracker = new RateTracker(4);
        var small = Rate.sliding(4, 10);
        for (int i = 0; i < 12; i++) {
            start(tracker, 100L * i, 1, small);
        }
        var large = Rate.sliding(20, 10_000);
        assertThat(tracker.usage(large).used(1_100))
                .as("all twelve, four of them known")
                .isEqualTo(12);
    }

    @Test
    @Tag("RX.2")
    void the_predicted_time_of_the_nth_start_is_when_it_happens() {
        for (int seed = 0; seed < ROUNDS; seed++) {
            var random = new Random(seed);
            var rate = new Rate(
                    1 + random.nextInt(4),
                    100 + random.nextInt(100),
                    random.nextBoolean() ? Window.SLIDING : Window.FIXED);
            var tracker = new RateTracker();
            var usage = tracker.usage(rate);
            long now = 0;
            for (int i = 0; i < 5; i++) {
                now += random.nextInt(80);
                if (usage.fitsAt(rate.count(), 1, now) == now) {
                    tracker.record(now, 1, usage);
                }
            }
            List<Long> predicted = new ArrayList<>();
            for (int nth = 1; nth <= 12; nth++) {
                predicted.add(usage.nthFitsAt(rate, 1, nth, now));
            }
            List<Long> actual = new ArrayList<>();
            long at = now;
            for (int nth = 1; nth <= 12; nth++) {
                at = usage.fitsAt(rate.count(), 1, at);
                tracker.record(at, 1, usage);
                actual.add(at);
            }
            assertThat(predicted).as("seed %s, %s", seed, rate).isEqualTo(actual);
        }
    }

    @Test
    @Tag("S3")
    void a_large_rate_that_comes_late_counts_all_of_what_started_together() {
        var tracker = new RateTracker();
        int large = 1_000_000_000;
        for (int i = 0; i < 3; i++) {
            boolean unused = tracker.record(10, large, null);
        }

        assertThat(tracker.usage(Rate.sliding(large, 1_000)).used(20)).isEqualTo(3L * large);
    }

    @Test
    @Tag("R3.7")
    void a_reset_forgets_every_start() {
        var tracker = new RateTracker(4);
        var rates = List.of(Rate.sliding(2, 100), Rate.sliding(50, 100), Rate.fixed(2, 100));
        rates.forEach(tracker::usage);
        for (int i = 0; i < 10; i++) {
            start(tracker, i, 1, rates.getLast());
        }
        tracker.reset();
        for (Rate rate : rates) {
            assertThat(tracker.usage(rate).used(10)).isZero();
            assertThat(tracker.usage(rate).fitsAt(rate.count(), 1, 10)).isEqualTo(10);
        }
    }

    @Test
    void a_truncated_list_of_starts_still_shows_where_fixed_windows_begin() {
        var rate = Rate.fixed(3, 700);
        var original = new RateTracker();
        List<LimitStart> starts = new ArrayList<>();
        for (long at : List.of(0L, 600L, 710L, 1_300L)) {
            starts.add(start(original, at, 1, rate));
        }
        var rebuilt = new RateTracker();
        starts.subList(1, starts.size()).forEach(rebuilt::restore);
        assertThat(original.usage(rate).used(1_400)).isEqualTo(2);
        assertThat(rebuilt.usage(rate).used(1_400)).isEqualTo(2);
        assertThat(rebuilt.usage(rate).windowStart(1_400)).isEqualTo(710);
    }

    private static LimitStart start(RateTracker tracker, long at, int cost, Rate rate) {
        boolean opens = tracker.record(at, cost, tracker.usage(rate));
        return new LimitStart(KEY, at, cost, rate, opens);
    }

    private static long counted(List<LimitStart> starts, Rate rate, long now) {
        return starts.stream()
                .filter(start -> start.at() > now - rate.period())
                .mapToLong(LimitStart::cost)
                .sum();
    }

    private static long firstFit(List<LimitStart> starts, Rate rate, int cost, long now) {
        long at = now;
        while (counted(starts, rate, at) + cost > rate.count()) {
            at++;
        }
        return at;
    }
}
