package dev.weir.core.expression;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class TextSearchTest {
    @Test
    void the_search_gives_the_same_result_as_string_contains() {
        var random = new SplittableRandom(7);
        for (int i = 0; i < 20_000; i++) {
            String text = random(random, 12);
            String part = random(random, 5);

            assertThat(TextSearch.contains(text, part))
                    .as("%s in %s", part, text)
                    .isEqualTo(text.contains(part));
        }
    }

    private static String random(SplittableRandom random, int most) {
        var text = new StringBuilder();
        for (int i = random.nextInt(most + 1); i > 0; i--) {
            text.append((char) ('a' + random.nextInt(2)));
        }
        return text.toString();
    }
}
