package dev.weir.cli.rig;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Statistics of a storm, for people. */
final class RigStatistics {
    private static final double NANOS_PER_SECOND = 1e9;

    private final List<Duration> nodeStarts = new ArrayList<>();
    private final List<Duration> postgresStarts = new ArrayList<>();
    private final List<Duration> recoveries = new ArrayList<>();
    private long faultNanos;
    private long drainNanos;
    private long totalNanos;
    private long epoch;

    void nodeStarted(Duration after) {
        nodeStarts.add(after);
    }

    void postgresStarted(Duration after) {
        postgresStarts.add(after);
    }

    void recovered(Duration after) {
        recoveries.add(after);
    }

    void setFaultTime(long taken) {
        faultNanos = taken;
    }

    void setDrainTime(long taken) {
        drainNanos = taken;
    }

    void setTotalTime(long taken) {
        totalNanos = taken;
    }

    void epoch(long reached) {
        epoch = reached;
    }

    long epoch() {
        return epoch;
    }

    /** Returns the statistics as a small table. */
    String table(Evidence evidence) {
        var text = new StringBuilder("\n");
        for (Fault fault : Fault.values()) {
            var live = evidence.injectedFaults().stream()
                    .filter(injected -> injected.fault() == fault)
                    .mapToInt(FaultTrap.InjectedFault::live)
                    .summaryStatistics();
            text.append(String.format(
                    "%-62s %3d times, %d to %d live claims%n",
                    fault.description, live.getCount(), live.getMin(), live.getMax()));
        }
        long lost =
                evidence.claims().stream().filter(ClientLog.ClaimRecord::lost).count();
        text.append(String.format(
                "%d runs, %d steps and items, %d grants, %d reports, %d claims lost or forgotten by their workers,"
                        + " %d limit changes%n",
                evidence.runs().size(),
                evidence.steps().size(),
                evidence.grants().size(),
                evidence.claims().size() - lost,
                lost,
                evidence.limitChanges().size()));
        text.append(String.format(
                "%.0f s: %.0f s of faults, %.0f s until all had ended; the shard was taken %d times%n",
                seconds(totalNanos), seconds(faultNanos), seconds(drainNanos), epoch));
        text.append("a node answered after ").append(range(nodeStarts));
        text.append(", PostgreSQL was back after ").append(range(postgresStarts));
        text.append(", the next " + ChaosRun.REPORTS_BETWEEN + " reports were answered within ")
                .append(range(recoveries));
        return text.append('\n').toString();
    }

    private static double seconds(long nanos) {
        return nanos / NANOS_PER_SECOND;
    }

    private static String range(List<Duration> times) {
        return times.isEmpty()
                ? "-"
                : String.format(
                        "%.1f to %.1f s",
                        seconds(Collections.min(times).toNanos()),
                        seconds(Collections.max(times).toNanos()));
    }
}
