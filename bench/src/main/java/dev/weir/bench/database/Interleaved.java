package dev.weir.bench.database;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** Runs rounds of several contenders alternately, so that any disturbance of the machine affects all of them. */
final class Interleaved {
    /** Rounds before the counted ones, because the JIT compilers of both programs have much to do at first. */
    static final int WARM_UP_ROUNDS = 6;

    private final BenchDatabase server;
    private final Map<Contender, List<Round>> rounds = new LinkedHashMap<>();
    private final Map<Contender, Integer> jobs = new LinkedHashMap<>();

    Interleaved(BenchDatabase server) {
        this.server = server;
    }

    /** Adds a contender with the number of jobs in each of its rounds. */
    Interleaved add(Contender contender, int jobsOfRound) {
        rounds.put(contender, new ArrayList<>());
        jobs.put(contender, jobsOfRound);
        return this;
    }

    /** Warms up each contender, and then runs the given number of rounds. */
    Interleaved run(int count) throws Exception {
        for (int round = 1 - WARM_UP_ROUNDS; round <= count; round++) {
            for (Map.Entry<Contender, List<Round>> entry : rounds.entrySet()) {
                Round measured = Round.measure(server, entry.getKey(), jobs.getOrDefault(entry.getKey(), 1));
                System.err.printf(
                        "  %-12s %s: %s (%s)%n",
                        round <= 0 ? "warming up" : "round " + round,
                        entry.getKey().name(),
                        measured,
                        MachineLoad.describe());
                if (round > 0) {
                    entry.getValue().add(measured);
                }
            }
        }
        return this;
    }

    double median(Contender contender, ToDoubleFunction<Round> figure) {
        @Nullable List<Round> found = rounds.get(contender);
        if (found == null) {
            throw new IllegalArgumentException("expected a contender that was added, found " + contender.name());
        }
        return Round.median(found, figure);
    }

    /** The ratio of the medians of two contenders: the first divided by the second. */
    double ratio(Contender one, Contender other, ToDoubleFunction<Round> figure) {
        return median(one, figure) / median(other, figure);
    }
}
