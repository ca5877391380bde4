package dev.weir.core.run;

import static dev.weir.core.run.World.plan;
import static dev.weir.core.run.World.step;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.limit.Moment;
import dev.weir.core.plan.BuiltInModule;
import dev.weir.core.plan.LimitNeeds;
import dev.weir.core.state.RunRef;
import dev.weir.core.state.RunRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TimerQueueTest {
    private final TimerQueue timers = new TimerQueue();

    @Test
    void the_earliest_comes_first_however_timers_are_moved_and_cancelled() {
        var random = new Random(7);
        List<Run> runs = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            runs.add(run(i));
        }
        Map<Run, Long> expected = new HashMap<>();
        for (int i = 0; i < 20_000; i++) {
            Run run = runs.get(random.nextInt(runs.size()));
            if (random.nextInt(4) == 0) {
                timers.cancel(run);
                expected.remove(run);
            } else {
                long due = random.nextInt(50);
                timers.schedule(run, due);
                expected.put(run, due);
            }
            long earliest =
                    expected.values().stream().mapToLong(Long::longValue).min().orElse(Moment.NEVER);
            assertThat(timers.next()).isEqualTo(earliest);
        }
        long before = -1;
        for (Timer due = timers.takeDue(100); due != null; due = timers.takeDue(100)) {
            long at = Objects.requireNonNull(expected.remove((Run) due)) * 1_000 + ((Run) due).number();
            assertThat(at).as("by time, then by run").isGreaterThan(before);
            before = at;
        }
        assertThat(expected).isEmpty();
    }

    private static Run run(int number) {
        var request = RunRequest.of("r" + number, plan(step("a")), World.json("{}"));
        var ask = new LimitNeeds(BuiltInModule.RUNS, List.of(), 1, false, 0);
        return new Run(request, RunRef.accepted(request, number), ask, 0);
    }
}
