package dev.weir.bench.database;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** Rounds of several contenders in turn, so that what disturbs the machine disturbs all of them. */
final class Interleaved {
    /** Rounds before those that count: the compilers of both programs have a lot to do at first. */
    static final int WARM_UPS = 6;

    private final Server server;
    private final Map<Contender, List<Round>> rounds = new LinkedHashMap<>();
    private final Map<Contender, Integer> jobs = new LinkedHashMap<>();

    Interleaved(Server server) {
        this.server = server;
    }

    /** Adds a contender, and how many jobs a round of it has. */
    Interleaved add(Contender contender, int jobsOfRound) {
        rounds.put(contender, new ArrayList<>());
        jobs.put(contender, jobsOfRound);
        return this;
    }

    /** Runs each contender to warm up, then so many rounds. */
    Interleaved run(int count) throws Exception {
        for (int round = 1 - WARM_UPS; round <= count; round++) {
            for (Map.Entry<Contender, List<Round>> entry : rounds.entrySet()) {
                Round measured = Round.of(server, entry.getKey(), jobs.getOrDefault(entry.getKey(), 1));
                System.err.printf(
                        "  %-12s %s: %s (%s)%n",
                        round <= 0 ? "warming up" : "round " + round,
                        entry.getKey().name(),
                        measured,
                        Machine.load());
                if (round > 0) {
                    entry.getValue().add(measured);
                }
            }
        }
        return this;
    }

    double median(Contender contender, ToDoubleFunction<Round> figure) {
        @Nullable List<Round> of = rounds.get(contender);
        if (of == null) {
            throw new IllegalArgumentException("expected a contender that was added, found " + contender.name());
        }
        return Round.median(of, figure);
    }

    /** The one ÷ the other, by their medians. */
    double ratio(Contender one, Contender other, ToDoubleFunction<Round> figure) {
        return median(one, figure) / median(other, figure);
    }
}
