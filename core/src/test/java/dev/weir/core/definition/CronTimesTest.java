package dev.weir.core.definition;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CronTimesTest {
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

    /** Returns the times of a schedule after one time, up to another one. */
    private static List<String> times(String schedule, String after, String until) {
        CronTimes times = CronSchedule.times(schedule);
        List<String> found = new ArrayList<>();
        Instant last = Instant.parse(until);
        for (Instant time = times.next(Instant.parse(after), BERLIN).orElseThrow();
                !time.isAfter(last);
                time = times.next(time, BERLIN).orElseThrow()) {
            found.add(time.toString());
        }
        return found;
    }

    @Test
    void a_time_follows_the_time_zone_in_summer_and_winter() {
        assertThat(times("0 6 * * *", "2026-03-28T00:00:00Z", "2026-03-30T00:00:00Z"))
                .containsExactly("2026-03-28T05:00:00Z", "2026-03-29T04:00:00Z");
    }

    @Test
    void a_time_that_the_clock_skips_comes_once_at_the_end_of_the_gap() {
        assertThat(times("30 2 * * *", "2026-03-28T12:00:00Z", "2026-03-30T12:00:00Z"))
                .containsExactly("2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z");
        assertThat(times("0,30 2 * * *", "2026-03-28T12:00:00Z", "2026-03-29T12:00:00Z"))
                .containsExactly("2026-03-29T01:00:00Z");
    }

    @Test
    void a_time_that_the_clock_repeats_comes_once_the_first_time() {
        assertThat(times("30 2 * * *", "2026-10-24T12:00:00Z", "2026-10-26T12:00:00Z"))
                .containsExactly("2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z");
    }

    @Test
    void a_schedule_for_every_hour_follows_the_clock() {
        assertThat(times("30 * * * *", "2026-10-24T23:45:00Z", "2026-10-25T03:00:00Z"))
                .containsExactly("2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z", "2026-10-25T02:30:00Z");
        assertThat(times("30 * * * *", "2026-03-29T00:00:00Z", "2026-03-29T02:00:00Z"))
                .containsExactly("2026-03-29T00:30:00Z", "2026-03-29T01:30:00Z");
    }

    @Test
    void a_day_of_the_month_and_a_day_of_the_week_are_alternatives() {
        assertThat(times("0 0 13 * fri", "2026-11-01T00:00:00Z", "2026-11-21T00:00:00Z"))
                .containsExactly("2026-11-05T23:00:00Z", "2026-11-12T23:00:00Z", "2026-11-19T23:00:00Z");
        assertThat(times("0 0 * * 0", "2026-11-01T12:00:00Z", "2026-11-09T00:00:00Z"))
                .containsExactly("2026-11-07T23:00:00Z");
    }

    @Test
    void ranges_steps_and_names_select_times() {
        assertThat(times("*/20 9-10 * nov mon-fri", "2026-11-06T09:15:00Z", "2026-11-09T08:30:00Z"))
                .containsExactly(
                        "2026-11-06T09:20:00Z", "2026-11-06T09:40:00Z", "2026-11-09T08:00:00Z", "2026-11-09T08:20:00Z");
    }

    @Test
    void the_29th_of_february_comes_after_years() {
        assertThat(CronSchedule.times("0 12 29 2 *").next(Instant.parse("2096-03-01T00:00:00Z"), BERLIN))
                .contains(Instant.parse("2104-02-29T11:00:00Z"));
    }
}
