package dev.weir.testkit.simulator;

import dev.weir.core.life.Makespan;
import dev.weir.core.life.Waited;
import dev.weir.engine.records.Records;

/** Sees that the time of every run that has ended is put down to something, and none of it twice. */
final class Accounting {
    private Accounting() {}

    static void check(Records records, Iterable<String> runs) {
        for (String run : runs) {
            records.makespan(Cluster.ORG, run).ifPresent(spent -> check(run, spent));
        }
    }

    private static void check(String run, Makespan spent) {
        long at = spent.from();
        for (Makespan.Leg leg : spent.path()) {
            Violation.unless(leg.from() == at, "RX.3", "run %s: expected a leg from %s on, found %s", run, at, leg);
            at = leg.to();
        }
        Violation.unless(at == spent.to(), "RX.3", "run %s: expected a path to its end, found %s", run, spent);
        for (Makespan.Leg leg : spent.steps()) {
            Violation.unless(leg.work() >= 0, "RX.3", "run %s: expected no more waits than time, found %s", run, leg);
        }
        long sum = spent.work() + Waited.total(spent.waited());
        Violation.unless(
                sum == spent.to() - spent.from(), "RX.3", "run %s: expected parts of the whole, found %s", run, spent);
    }
}
