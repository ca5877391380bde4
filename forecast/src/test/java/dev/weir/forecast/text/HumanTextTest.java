package dev.weir.forecast.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HumanTextTest {
    @ParameterizedTest
    @CsvSource({
        "0, 0 s",
        "1, 1 µs",
        "250000, 250 ms",
        "1000000, 1 s",
        "1500000, 1.5 s",
        "59999999, 1 m",
        "90000000, 1 m 30 s",
        "3600000000, 1 h",
        "7199999999, 2 h",
        "3540000000, 59 m",
        "5400000000, 1 h 30 m",
        "259205000000, 3 d 5 s",
        "277200000000, 3 d 5 h"
    })
    void a_time_has_its_two_largest_units(long micros, String words) {
        assertThat(HumanText.time(micros)).isEqualTo(words);
    }

    @ParameterizedTest
    @CsvSource({
        "5, 2000000, 2.5 per second",
        "1, 2000000, 30 per minute",
        "1, 86400000000, 1 per day",
        "1, 0, immediately"
    })
    void a_rate_has_a_readable_unit(long count, long micros, String words) {
        assertThat(HumanText.rate(count, micros)).isEqualTo(words);
    }
}
