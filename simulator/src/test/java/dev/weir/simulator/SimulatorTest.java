package dev.weir.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Simulates new seeds in every test run. {@code -Dseeds=N} sets their number, and {@code -Dseed=S} replays one. */
@Tag("S1")
@Tag("S2")
@Tag("S3")
@Tag("S4")
@Tag("S5")
@Tag("S6")
@Tag("S10")
@Tag("L5")
@Tag("L6")
@Tag("L7")
class SimulatorTest {
    private static final int SEEDS = Integer.getInteger("seeds", 20_000);
    /**
     * Seeds that run twice. A tenth of an ordinary test run is enough to show whether a trace depends on more than the
     * seed.
     */
    private static final int SEEDS_RUN_TWICE = 500;
    /** The part of all seeds in which each kind of situation, and each pair of kinds of limits, must occur. */
    private static final double SHARE_MIN = 0.05;

    @Test
    void every_promise_holds_in_every_seed_and_a_seed_that_runs_twice_gives_one_trace() throws IOException {
        Long replayed = Long.getLong("seed");
        if (replayed != null) {
            replay(replayed);
            return;
        }
        long first = ThreadLocalRandom.current().nextLong() >>> 16;
        var failures = new ConcurrentLinkedQueue<AssertionError>();
        List<Simulation.Outcome> outcomes = LongStream.range(first, first + SEEDS)
                .parallel()
                .mapToObj(seed -> simulate(seed, seed < first + SEEDS_RUN_TWICE, failures))
                .flatMap(List::stream)
                .toList();
        AssertionError failure = failures.peek();
        if (failure != null) {
            throw failure;
        }
        assertEnoughHappened(outcomes);
    }

    /** Replays one seed, and writes its trace to a file. */
    private static void replay(long seed) throws IOException {
        Path file = Path.of("target", "trace-" + seed + ".txt");
        try (var writer = Files.newBufferedWriter(file)) {
            System.out.println("the trace of seed " + seed + " goes to " + file.toAbsolutePath());
            Simulation.runWithListener(seed, line -> {
                try {
                    writer.write(line);
                    writer.newLine();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }

    private static List<Simulation.Outcome> simulate(long seed, boolean repeat, Queue<AssertionError> failures) {
        if (!failures.isEmpty()) {
            return List.of();
        }
        try {
            Simulation.Outcome once = Simulation.run(seed);
            if (repeat) {
                assertThat(Simulation.run(seed)).isEqualTo(once);
            }
            return List.of(once);
        } catch (RuntimeException | AssertionError e) {
            String replay = "replay it with: mvn verify -pl simulator -am -Dseed=" + seed;
            failures.add(new AssertionError("seed " + seed + " breaks a promise; " + replay, e));
            return List.of();
        }
    }

    private static void assertEnoughHappened(List<Simulation.Outcome> outcomes) {
        List<Integer> sizes =
                outcomes.stream().map(Simulation.Outcome::facts).sorted().toList();
        assertThat(sizes.get(sizes.size() / 2)).as("median facts of a seed").isGreaterThanOrEqualTo(100);
        List<String> rare = new ArrayList<>();
        Map<Coverage, Double> parts = new EnumMap<>(Coverage.class);
        for (Coverage kind : Coverage.values()) {
            double share = share(outcomes, kind, kind);
            parts.put(kind, share);
            for (Coverage other : Coverage.values()) {
                boolean pair = kind.isLimit() && other.isLimit() && other.compareTo(kind) >= 0;
                if ((pair || kind == other) && share(outcomes, kind, other) < SHARE_MIN) {
                    rare.add(kind + " with " + other + ": " + share(outcomes, kind, other));
                }
            }
        }
        System.out.printf(
                "%d seeds, median %d facts; part of the seeds with each kind: %s%n",
                outcomes.size(), sizes.get(sizes.size() / 2), parts);
        assertThat(rare)
                .as("kinds and pairs in less than 5 %% of the seeds; %s", parts)
                .isEmpty();
    }

    private static double share(List<Simulation.Outcome> outcomes, Coverage one, Coverage other) {
        long both = IntStream.range(0, outcomes.size())
                .filter(i -> outcomes.get(i).coverage().contains(one)
                        && outcomes.get(i).coverage().contains(other))
                .count();
        return (double) both / outcomes.size();
    }
}
