package dev.weir.core.run;

import static dev.weir.core.run.World.plan;
import static dev.weir.core.run.World.step;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.core.plan.BuiltInModule;
import dev.weir.core.plan.LimitNeeds;
import dev.weir.core.plan.Plan;
import dev.weir.core.state.RunRef;
import dev.weir.core.state.RunRequest;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LiveRunsTest {
    private static final Plan PLAN = plan(step("a"));

    private final LiveRuns runs = new LiveRuns();

    private Run run(long number) {
        RunRequest request = RunRequest.of("r" + number, PLAN, World.json("{}"));
        var ask = new LimitNeeds(BuiltInModule.RUNS, List.of(), 1, false, 0);
        return new Run(request, RunRef.accepted(request, number), ask, 0);
    }

    private static List<Long> numbers(Iterable<Run> found) {
        return StreamSupport.stream(found.spliterator(), false).map(Run::number).toList();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void slices_equal_those_of_a_sorted_map_while_runs_are_added_and_removed(long seed) {
        var random = new SplittableRandom(seed);
        var expected = new TreeMap<Long, Run>();
        long next = 1;
        long after = 0;
        for (int i = 0; i < 3_000; i++) {
            int what = random.nextInt(10);
            if (what < 5) {
                Run run = run(next);
                next += 1 + random.nextInt(3);
                runs.add(run);
                expected.put(run.number(), run);
            } else if (what < 8 && !expected.isEmpty()) {
                Map.Entry<Long, Run> gone = expected.ceilingEntry(random.nextLong(expected.lastKey() + 1));
                runs.remove(gone.getValue());
                expected.remove(gone.getKey());
            } else {
                after = random.nextInt(5) == 0 ? random.nextLong(next) : after;
                long end = random.nextInt(5) == 0 ? Long.MAX_VALUE : after + random.nextInt(40);
                assertThat(numbers(runs.slice(after, end)))
                        .containsExactlyElementsOf(
                                expected.subMap(after, false, end, true).keySet());
                after = end == Long.MAX_VALUE ? 0 : end;
            }
            assertThat(runs.first())
                    .isEqualTo(expected.isEmpty() ? null : expected.firstEntry().getValue());
        }
        assertThat(numbers(runs)).containsExactlyElementsOf(expected.keySet());
        assertThat(expected.values()).allMatch(run -> runs.contains(run.id()) && run.equals(runs.find(run.id())));
    }

    @Test
    void all_slices_together_visit_each_run_once() {
        int many = 20_000;
        int slice = 100;
        for (int i = 1; i <= many; i++) {
            runs.add(run(i));
        }
        for (int after = 0; after < many; after += slice) {
            assertThat(runs.slice(after, after + slice)).hasSize(slice);
        }
        assertThat(runs.visitedCount()).isEqualTo(many);
    }

    @Test
    void runs_that_are_added_out_of_order_are_sorted() {
        for (long number : new long[] {5, 2, 9, 1, 7}) {
            runs.add(run(number));
        }
        assertThat(numbers(runs)).containsExactly(1L, 2L, 5L, 7L, 9L);
        assertThatThrownBy(() -> runs.add(run(7)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("run r7");
    }
}
