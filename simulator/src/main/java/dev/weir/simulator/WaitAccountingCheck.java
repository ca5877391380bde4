package dev.weir.simulator;

import dev.weir.core.explain.CriticalPath;
import dev.weir.core.state.WaitEntry;
import dev.weir.engine.records.Records;

/** Checks that the whole time of every ended run is attributed to something, and none of it twice. */
final class WaitAccountingCheck {
    private WaitAccountingCheck() {}

    static void check(Records records, Iterable<String> runs) {
        for (String run : runs) {
            records.criticalPath(SimulatedCluster.ORG, run).ifPresent(criticalPath -> check(run, criticalPath));
        }
    }

    private static void check(String run, CriticalPath criticalPath) {
        long position = criticalPath.from();
        for (CriticalPath.Leg leg : criticalPath.path()) {
            Violation.require(
                    leg.from() == position, "RX.3", "run %s: expected a leg from %s on, found %s", run, position, leg);
            position = leg.to();
        }
        Violation.require(
                position == criticalPath.to(),
                "RX.3",
                "run %s: expected a path to its end, found %s",
                run,
                criticalPath);
        for (CriticalPath.Leg leg : criticalPath.steps()) {
            Violation.require(leg.work() >= 0, "RX.3", "run %s: expected no more waits than time, found %s", run, leg);
        }
        long sum = criticalPath.work() + WaitEntry.total(criticalPath.waited());
        Violation.require(
                sum == criticalPath.to() - criticalPath.from(),
                "RX.3",
                "run %s: expected parts of the whole, found %s",
                run,
                criticalPath);
    }
}
