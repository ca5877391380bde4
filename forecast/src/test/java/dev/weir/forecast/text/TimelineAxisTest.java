package dev.weir.forecast.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.reading.WorkflowReader;
import dev.weir.forecast.Forecast;
import dev.weir.forecast.ForecastScenario;
import dev.weir.forecast.ScenarioRunner;
import org.junit.jupiter.api.Test;

class TimelineAxisTest {
    private static Forecast forecast(String steps) {
        var workflow =
                WorkflowReader.read("{workflow: w, steps: [" + steps + "]}").orThrow();
        return ScenarioRunner.run(ForecastScenario.of(workflow), ScenarioRunner.ProgressListener.NONE);
    }

    private static String labels(String steps) {
        return TimelineAxis.of(forecast(steps), 60).labels();
    }

    @Test
    void times_on_the_axis_are_round_and_the_end_is_named() {
        assertThat(labels("{ id: a, sleep: 10s }"))
                .isEqualTo("0 s         2 s         4 s         6 s         8 s     10 s");
    }

    @Test
    void columns_cover_the_whole_time_without_gaps() {
        var columns = TimelineAxis.of(forecast("{ id: a, uses: m }, { id: b, needs: [a], sleep: 9d }"), 60)
                .columns();
        assertThat(columns.getFirst().from()).isZero();
        for (int i = 1; i < columns.size(); i++) {
            assertThat(columns.get(i).from()).isEqualTo(columns.get(i - 1).to());
        }
        assertThat(columns.getLast().to()).isEqualTo((9 * 24 * 3_600 + 1) * 1_000_000L);
    }

    @Test
    void a_long_time_in_which_nothing_changes_is_cut_out_where_it_would_hide_the_rest() {
        assertThat(labels("{ id: a, uses: m }, { id: b, needs: [a], sleep: 3d }, { id: c, needs: [b], uses: m }"))
                .contains("///", "3 d 2 s");
        assertThat(labels("{ id: a, uses: m }, { id: b, needs: [a], sleep: 9s }"))
                .doesNotContain("/");
    }
}
