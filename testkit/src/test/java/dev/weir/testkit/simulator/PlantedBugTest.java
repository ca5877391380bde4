package dev.weir.testkit.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.invoke.MethodHandle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A simulator that finds nothing must be able to: each planted bug has to be caught. */
class PlantedBugTest {
    private static final long SEEDS_MAX = 2_000;

    @ParameterizedTest
    @EnumSource
    @SuppressWarnings("CatchAndPrintStackTrace")
    void is_caught_within_two_thousand_seeds(PlantedBug bug) throws Throwable {
        MethodHandle simulation = bug.simulation();
        Throwable caught = null;
        long seed = 0;
        while (caught == null && seed < SEEDS_MAX) {
            seed++;
            try {
                Object unused = simulation.invoke(seed);
            } catch (RuntimeException e) {
                caught = e;
            }
        }
        assertThat(caught).as("%s within %s seeds", bug, SEEDS_MAX).isNotNull();
        System.out.printf("planted %s: caught by seed %d: %s%n", bug, seed, caught);
    }
}
