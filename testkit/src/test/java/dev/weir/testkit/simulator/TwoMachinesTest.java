package dev.weir.testkit.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The order of hash sets and of {@code Set.of} differs from one virtual machine to the next; decisions must not. */
class TwoMachinesTest {
    private static final int SEEDS = 150;
    private static final int SECONDS_MAX = 120;

    @Test
    void two_virtual_machines_live_through_a_seed_alike() throws IOException, InterruptedException {
        assertThat(elsewhere()).isEqualTo(String.valueOf(traces()));
    }

    private static String elsewhere() throws IOException, InterruptedException {
        var java = Path.of(System.getProperty("java.home"), "bin", "java");
        Process other = new ProcessBuilder(
                        java.toString(), "-cp", System.getProperty("java.class.path"), Other.class.getName())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            String said = new String(other.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(other.waitFor(SECONDS_MAX, TimeUnit.SECONDS)).isTrue();
            return said.strip();
        } finally {
            other.destroyForcibly();
        }
    }

    private static long traces() {
        long traces = 0;
        for (long seed = 1; seed <= SEEDS; seed++) {
            traces = traces * 31 + Simulation.run(seed).trace();
        }
        return traces;
    }

    /** What the other virtual machine runs. */
    static final class Other {
        private Other() {}

        public static void main(String[] args) {
            System.out.println(traces());
        }
    }
}
