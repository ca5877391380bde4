package dev.weir.simulator;

import dev.weir.core.explain.CriticalPath;
import dev.weir.core.state.WaitEntry;
import dev.weir.engine.records.Records;

/** Checks that the whole time of every ended run is attributed to something, and none of it twice. */
final class WaitAccountingCheck {
    private WaitAccountingCheck() {}

    static void check(Records records, Iterable<String> runs) {
        for (String run : runs) {
            records.makespan(SimulatedCluster.ORG, run).ifPresent(spent -> check(run, spent));
        }
    }

    private static void check(String run, CriticalPath spent) {
        long at = spent.from();
        for (CriticalPath.Leg leg : spent.path()) {
            Violation.unless(leg.from() == at, "RX.3", "run %s: expected a leg from %s on, found %s", run, at, leg);
            at = leg.to();
        }
        Violation.unless(at == spent.to(), "RX.3", "run %s: expected a path to its end, found %s", run, spent);
        for (CriticalPath.Leg leg : spent.steps()) {
            Violation.unless(leg.work() >= 0, "RX.3", "run %s: expected no more waits than time, found %s", run, leg);
        }
        long sum = spent.work() + WaitEntry.total(spent.waited());
        Violation.unless(
                sum == spent.to() - spent.from(), "RX.3", "run %s: expected parts of the whole, found %s", run, spent);
    }
}
