package dev.weir.core.expression;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PatternSizeTest {
    private static final String[] PARTS = {
        "a",
        "[a-z]",
        "[^]a]",
        "[[:alpha:]]",
        "[]]",
        "[\\]]",
        "[[a]",
        "\\d",
        "\\.",
        "\\b",
        "\\p{Greek}",
        "\\pN",
        "\\x{41}",
        "\\Q((\\E",
        "(",
        "(?:",
        "(?P<n>",
        "(?i)",
        ")",
        "*",
        "+",
        "?",
        "*?",
        "{3}",
        "{2,}",
        "{1,4}",
        "{0,10}",
        "{100}",
        "{2}?",
        "|",
        "^",
        "$",
        ".",
        "{",
        "}",
        "-",
        ","
    };
    /** The states at the beginning and end of every program. The smallest patterns have no others. */
    private static final int FRAME_STATES = 2;

    @Test
    void no_pattern_is_compiled_to_more_states_than_computed() {
        var random = new Random(7);
        int compiled = 0;
        for (int i = 0; i < 100_000; i++) {
            var pattern = new StringBuilder();
            for (int part = random.nextInt(12); part >= 0; part--) {
                pattern.append(PARTS[random.nextInt(PARTS.length)]);
            }
            try {
                int states = Pattern.compile(pattern.toString()).programSize();
                assertThat(PatternSize.of(pattern.toString()) + FRAME_STATES)
                        .as(pattern.toString())
                        .isGreaterThanOrEqualTo(states);
                compiled++;
            } catch (PatternSyntaxException ignored) {
                // An invalid pattern is never compiled.
            }
        }
        assertThat(compiled).isGreaterThan(10_000);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
                "^[A-Za-z0-9._%+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\\.){1,8}[A-Za-z]{2,63}$",
                "^[a-z]{1,1000}$"
            })
    void patterns_that_people_write_are_not_too_large(String pattern) {
        assertThat(PatternSize.of(pattern)).isLessThan(LinearPattern.STATES_MAX);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"((((a{1000}){1000}){1000}){1000}){1000}", "a{999}(?i){999}", "(([a]{99}|\\){99}){99}){99}"})
    void repetitions_within_repetitions_multiply(String pattern) {
        assertThat(PatternSize.of(pattern)).isGreaterThan(LinearPattern.STATES_MAX);
    }

    @ParameterizedTest
    @ValueSource(strings = {"(", "{", "[[:", "\\p{", "[", "()", "a{1"})
    @Timeout(60)
    void a_long_pattern_is_measured_at_once(String part) {
        assertThat(PatternSize.of(part.repeat(200_000))).isGreaterThan(0);
    }
}
