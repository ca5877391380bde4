package dev.weir.core.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EndedRunsTest {
    private final EndedRuns ended = new EndedRuns();

    @Test
    void the_runs_that_ended_last_are_remembered() {
        for (int i = 0; i <= EndedRun.RUNS_MAX; i++) {
            ended.add(new EndedRun("r" + i, RunState.COMPLETED, 0, Map.of()));
        }
        assertThat(ended.find("r0")).isEmpty();
        assertThat(ended.find("r1")).isPresent();
        assertThat(ended.all()).hasSize(EndedRun.RUNS_MAX);
    }

    @Test
    void large_runs_are_forgotten_sooner_but_never_the_last_one() {
        for (int i = 0; i < 3; i++) {
            Map<UnitId, EndedRun.Report> reports = new HashMap<>();
            for (int item = 0; item <= EndedRun.UNITS_MAX / 2; item++) {
                reports.put(new UnitId("r" + i, "s", item), new EndedRun.Report(1, item));
            }
            ended.add(new EndedRun("r" + i, RunState.COMPLETED, 0, reports));
        }
        assertThat(ended.all()).extracting(EndedRun::run).containsExactly("r2");
    }
}
