package dev.weir.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.invoke.MethodHandle;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests that the simulator can find bugs: each planted bug must be caught by the promise that it breaks. A seed that
 * fails in another way does not count, and the next one runs.
 */
class PlantedBugTest {
    private static final long SEEDS_MAX = 2_000;

    @ParameterizedTest
    @EnumSource
    void a_planted_bug_is_caught_by_the_promise_it_breaks_within_two_thousand_seeds(PlantedBug bug) throws Throwable {
        MethodHandle simulation = bug.simulation();
        Map<String, Integer> others = new TreeMap<>();
        String caught = null;
        long seed = 0;
        while (caught == null && seed < SEEDS_MAX) {
            seed++;
            try {
                Object unused = simulation.invoke(seed);
            } catch (RuntimeException e) {
                if (bug.isCaughtBy(e)) {
                    caught = e.getMessage();
                } else {
                    others.merge(PlantedBug.kind(e), 1, Integer::sum);
                }
            }
        }
        assertThat(caught)
                .as("%s within %s seeds; other failures: %s", bug, SEEDS_MAX, others)
                .isNotNull();
        System.out.printf("planted %s: caught by seed %d: %s; before: %s%n", bug, seed, caught, others);
    }
}
