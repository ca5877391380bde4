package dev.weir.core.definition;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CronScheduleTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "0 6 * * *",
                " 0  6 * * * ",
                "*/15 9-17 * * MON-FRI",
                "0 0 1,15 * *",
                "5-50/5,59 0 31 dec 7",
                "0 0 * jan-mar sun,6"
            })
    void five_fields_of_values_ranges_lists_steps_and_names_are_a_schedule(String schedule) {
        assertThat(CronSchedule.findProblem(schedule)).isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "banana        | 'banana', which has 1",
                "0 6 * *       | which has 4",
                "0 0 6 * * *   | which has 6",
                "@daily        | which has 1",
                "60 1 1 1 1    | '60' as the minute (from 0 to 59)",
                "0 25 * * *    | '25' as the hour",
                "0 0 0 * *     | '0' as the day of the month (from 1 to 31)",
                "0 0 * 13 *    | '13' as the month",
                "0 0 * * 8     | '8' as the day of the week",
                "0 0 * mai *   | 'mai' as the month",
                "0 17-9 * * *  | '17-9' as the hour",
                "*/0 * * * *   | '*/0' as the minute",
                "1,,2 * * * *  | '1,,2' as the minute",
                "1/2/3 * * * * | '1/2/3' as the minute",
                "-1 * * * *    | '-1' as the minute",
                "0 6 L * *     | 'L' as the day of the month",
                "0 0 31 2 *    | a date that never comes"
            })
    void an_invalid_schedule_is_reported_with_its_wrong_field(String schedule, String found) {
        assertThat(CronSchedule.findProblem(schedule)).contains(found);
    }

    @Test
    void a_schedule_has_a_bound() {
        assertThat(CronSchedule.findProblem("0 ".repeat(500))).contains("1000 characters");
    }
}
