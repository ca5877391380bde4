package dev.weir.core.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.AbstractSet;
import java.util.Iterator;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SuggestionsTest {
    private final Suggestions suggestions = new Suggestions();
    private final Counted known = new Counted();

    /** Names of workflows that count how often they are iterated. */
    private static final class Counted extends AbstractSet<String> {
        private final Set<String> names = Set.of("greet", "part", "ship");
        private int iterations;

        @Override
        public Iterator<String> iterator() {
            iterations++;
            return names.iterator();
        }

        @Override
        public int size() {
            return names.size();
        }
    }

    @Test
    void a_name_is_searched_once_per_instant() {
        for (int item = 0; item < 1_000; item++) {
            assertThat(suggestions.nearest("great", known, 1)).contains("greet");
            assertThat(suggestions.nearest("nothing like it", known, 1)).isEmpty();
        }
        assertThat(known.iterations).isEqualTo(2);
    }

    @Test
    void only_a_few_names_are_searched_per_instant() {
        for (int start = 0; start < 500; start++) {
            var unused = suggestions.nearest("unknown-" + start, known, 1);
        }
        assertThat(known.iterations).isEqualTo(Suggestions.SEARCHES_MAX);
        assertThat(suggestions.nearest("great", known, 1)).isEmpty();
        assertThat(suggestions.nearest("great", known, 2)).contains("greet");
    }
}
