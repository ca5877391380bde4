package dev.weir.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Tests that decisions do not depend on the order of hash sets and of {@code Set.of}, which differs between virtual
 * machines.
 */
class TwoMachinesTest {
    private static final int SEEDS = 150;
    private static final int SECONDS_MAX = 120;

    @Test
    void two_virtual_machines_live_through_a_seed_alike() throws IOException, InterruptedException {
        Process other = start();
        try {
            String here = String.valueOf(traces());
            String there = new String(other.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(other.waitFor(SECONDS_MAX, TimeUnit.SECONDS)).isTrue();
            assertThat(there.strip()).isEqualTo(here);
        } finally {
            other.destroyForcibly();
        }
    }

    /** Starts the other virtual machine. It runs too briefly to gain from the optimising compiler. */
    private static Process start() throws IOException {
        var java = Path.of(System.getProperty("java.home"), "bin", "java");
        return new ProcessBuilder(
                        java.toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Other.class.getName())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private static long traces() {
        long traces = 0;
        for (long seed = 1; seed <= SEEDS; seed++) {
            traces = traces * 31 + Simulation.run(seed).digest();
        }
        return traces;
    }

    /** The program of the other virtual machine. */
    static final class Other {
        private Other() {}

        public static void main(String[] args) {
            System.out.println(traces());
        }
    }
}
