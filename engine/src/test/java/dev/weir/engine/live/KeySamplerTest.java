package dev.weir.engine.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.limit.LimitId;
import dev.weir.core.state.Move;
import dev.weir.engine.live.ChangeEvent.KeyLevel;
import dev.weir.engine.live.KeySeries.Sample;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Tests the samples of keys, with levels that the test sets. */
class KeySamplerTest {
    private final Map<String, Integer> waiting = new HashMap<>();
    private final List<List<String>> queries = new ArrayList<>();

    private CompletableFuture<List<KeyLevel>> read(String org, List<String> keys) {
        queries.add(keys);
        return CompletableFuture.completedFuture(keys.stream()
                .map(key -> new KeyLevel(key, waiting.getOrDefault(key, 0), 0, null, false, false, 0))
                .toList());
    }

    private static List<Move> touch(String... keys) {
        List<Move> moves = new ArrayList<>();
        for (String key : keys) {
            moves.add(new Move.KeyResumed(new LimitId.Key(key), 0));
        }
        return moves;
    }

    @Test
    void a_key_is_sampled_while_it_is_in_use_and_read_only_after_a_commit() throws Exception {
        var sampler = new KeySampler(this::read, KeySampler.BYTES_MAX);
        waiting.put("k", 3);
        sampler.record(0, "acme", touch("k"));
        sampler.sample(100);
        sampler.sample(101);
        sampler.sample(102);
        assertThat(queries).as("no commit, no query").hasSize(1);
        waiting.put("k", 0);
        sampler.record(0, "acme", touch("k"));
        sampler.sample(103);
        sampler.sample(104);
        assertThat(sampler.find("acme", "k").orElseThrow())
                .containsExactly(
                        new Sample(100, 3, 0, 0),
                        new Sample(101, 3, 0, 0),
                        new Sample(102, 3, 0, 0),
                        new Sample(103, 0, 0, 0),
                        new Sample(104, 0, 0, 0));
        assertThat(sampler.find("other", "k")).isEmpty();
    }

    @Test
    void a_trend_has_the_most_waiting_steps_of_each_minute_and_counts_the_newest_starts() {
        var series = new KeySeries("k");
        series.add(new Sample(600, 7, 0, 1));
        series.add(new Sample(602, 3, 0, 1));
        series.add(new Sample(606, 5, 0, 2));
        series.add(new Sample(608, 0, 0, 0));

        KeyTrend trend = series.trend(608, 30);

        assertThat(trend.waiting()).hasSize(60).endsWith(0, 7, 5);
        assertThat(trend.started()).isEqualTo(4);
        assertThat(trend.measured()).as("since the key was first used").hasSeconds(90);
        assertThat(series.trend(608, 3).started()).isEqualTo(2);
        assertThat(trend.isQuiet()).isFalse();
        assertThat(new KeySeries("idle").trend(608, 30).isQuiet()).isTrue();
    }

    @Test
    void the_pace_of_an_organisation_is_that_of_the_last_slot() throws Exception {
        var sampler = new KeySampler(this::read, KeySampler.BYTES_MAX);
        sampler.record(0, "acme", touch("k"));
        sampler.sample(100);
        assertThat(sampler.latestStarts("acme")).as("nothing was granted").isZero();
        assertThat(sampler.latestStarts("other")).isZero();
    }

    @Test
    void the_counts_of_a_slot_are_kept_apart_and_old_slots_disappear() throws Exception {
        var keys = new OrganisationKeys(0, new java.util.concurrent.atomic.AtomicInteger());
        keys.count("k", true);
        keys.count("k", true);
        keys.count("k", false);
        assertThat(keys.takeStarts()).containsExactly(Map.entry("k", 2));
        assertThat(keys.takeStarts()).isEmpty();

        var series = new KeySeries("k");
        for (int slot = 0; slot < 1_000; slot++) {
            series.add(new Sample(slot, 0, 0, slot));
        }
        assertThat(series.samples(999))
                .hasSize(KeySeries.SLOTS_MAX)
                .startsWith(new Sample(640, 0, 0, 640))
                .endsWith(new Sample(999, 0, 0, 999));
        assertThat(series.removeOld(1_300)).isFalse();
        assertThat(series.removeOld(1_360)).isTrue();
    }

    @Test
    void idle_organisations_are_forgotten_after_an_hour() throws Exception {
        var sampler = new KeySampler(this::read, KeySampler.BYTES_MAX);
        sampler.record(0, "acme", touch("k"));
        sampler.sample(100);
        assertThat(sampler.bytes()).isPositive();
        sampler.sample(100 + 2L * KeySeries.SLOTS_MAX);
        assertThat(sampler.bytes()).isZero();
        assertThat(sampler.find("acme", "k")).isEmpty();
    }

    @Test
    void levels_are_read_in_small_parts() throws Exception {
        var sampler = new KeySampler(this::read, KeySampler.BYTES_MAX);
        for (int i = 0; i < 1_000; i++) {
            sampler.record(0, "acme", touch("key-" + i));
        }
        sampler.sample(100);
        assertThat(queries).hasSize(10).allSatisfy(keys -> assertThat(keys).hasSize(KeyReader.KEYS_MAX));
    }

    @Test
    void the_busiest_keys_are_kept_and_a_large_organisation_does_not_displace_a_small_one() throws Exception {
        long bytesMax = 200_000;
        var sampler = new KeySampler(this::read, bytesMax);
        sampler.record(0, "small", touch("only"));
        for (int i = 0; i < 1_000; i++) {
            waiting.put("key-" + i, i);
            sampler.record(0, "large", touch("key-" + i));
        }
        sampler.sample(100);
        assertThat(sampler.bytes()).isBetween(bytesMax / 2, bytesMax);
        assertThat(sampler.find("small", "only")).isPresent();
        assertThat(sampler.find("large", "key-999")).isPresent();
        assertThat(sampler.find("large", "key-5")).isEmpty();
    }

    @Test
    void a_full_hour_of_sixty_four_megabytes_holds_thousands_of_keys() {
        var series = new KeySeries("a-key-of-usual-length");
        for (int slot = 0; slot < 2 * KeySeries.SLOTS_MAX; slot++) {
            series.add(new Sample(slot, 1, 1, 1));
        }
        assertThat(KeySampler.BYTES_MAX / series.bytes()).isGreaterThan(10_000);
    }

    @Test
    void the_keys_that_are_counted_at_once_are_bounded() {
        var counted = new java.util.concurrent.atomic.AtomicInteger();
        var keys = new OrganisationKeys(0, counted);
        for (int i = 0; i < OrganisationKeys.COUNTED_MAX + 10; i++) {
            keys.count("key-" + i, true);
        }
        assertThat(keys.takeStarts()).hasSize(OrganisationKeys.COUNTED_MAX);
        assertThat(counted).hasValue(0);
    }
}
