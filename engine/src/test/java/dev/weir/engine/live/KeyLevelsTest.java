package dev.weir.engine.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.engine.live.ChangeEvent.KeyLevel;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests that changes of keys are combined. */
class KeyLevelsTest {
    private static final long ROUND = KeyLevels.ROUND.toNanos();

    private final List<List<String>> queries = new ArrayList<>();
    private int used;
    private final KeyLevels levels = new KeyLevels("acme", this::read, () -> {}, 0);

    private CompletableFuture<List<KeyLevel>> read(String org, List<String> keys) {
        queries.add(List.copyOf(keys));
        return CompletableFuture.completedFuture(keys.stream()
                .map(key -> new KeyLevel(key, 0, used, null, false, false, 0))
                .toList());
    }

    @Test
    void a_key_that_is_used_all_the_time_is_read_once_per_round() {
        for (int i = 0; i < 1_000; i++) {
            used = i + 1;
            levels.touch(List.of("k"));
            levels.advance(i * ROUND / 100, null);
            levels.takeChanged();
        }
        assertThat(queries).hasSizeBetween(9, 12);
    }

    @Test
    void a_level_that_has_not_changed_is_not_reported_again() {
        used = 1;
        levels.touch(List.of("k"));
        levels.advance(ROUND, null);
        assertThat(levels.takeChanged()).extracting(KeyLevel::used).containsExactly(1);
        levels.touch(List.of("k"));
        levels.advance(3 * ROUND, null);
        assertThat(levels.takeChanged()).isEmpty();
        used = 0;
        levels.touch(List.of("k"));
        levels.advance(5 * ROUND, null);
        assertThat(levels.takeChanged()).extracting(KeyLevel::used).containsExactly(0);
    }

    @Test
    void many_keys_are_read_in_small_parts() {
        levels.touch(IntStream.range(0, 250).mapToObj(i -> "key-" + i).toList());
        for (int i = 0; i < 5; i++) {
            levels.advance(ROUND, null);
            levels.takeChanged();
        }
        assertThat(queries).extracting(List::size).containsExactly(100, 100, 50);
    }

    @Test
    void only_watched_keys_are_read_and_none_without_readers() {
        levels.touch(List.of("a", "b"));
        levels.advance(ROUND, Set.of("b"));
        assertThat(queries).containsExactly(List.of("b"));
        levels.takeChanged();
        levels.touch(List.of("a", "b"));
        assertThat(levels.advance(3 * ROUND, Set.of())).isEqualTo(Long.MAX_VALUE);
        assertThat(queries).hasSize(1);
    }
}
