package dev.weir.cli.rig;

import dev.weir.cli.rig.ClientLog.ClaimRecord;
import dev.weir.cli.rig.ClientLog.Unit;
import dev.weir.cli.rig.Evidence.Event;
import dev.weir.cli.rig.Evidence.Grant;
import dev.weir.cli.rig.Evidence.RowKey;
import dev.weir.cli.rig.Evidence.Step;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Checks that every report counts once: as many were applied, under the fence that they named, as were answered so. */
final class ReportChecker {
    private final Evidence evidence;
    private final Map<RowKey, Unit> units;
    private final List<String> findings = new ArrayList<>();
    private final Map<Grant, ClaimRecord> claimRecords = new HashMap<>();

    private ReportChecker(Evidence evidence) {
        this.evidence = evidence;
        this.units = evidence.units();
    }

    static List<String> check(Evidence evidence) {
        var checker = new ReportChecker(evidence);
        checker.checkClaims();
        checker.checkAnswers();
        checker.checkResults();
        return checker.findings;
    }

    private Grant grant(Event event) {
        return new Grant(units.getOrDefault(event.key(), new Unit("unknown", "", -1)), event.fence());
    }

    /** Checks that no claim was given to two workers, and that every claim was granted. */
    private void checkClaims() {
        Set<Grant> granted = new HashSet<>();
        evidence.grants().forEach(event -> granted.add(grant(event)));
        for (ClaimRecord claimRecord : evidence.claims()) {
            var claim = new Grant(claimRecord.unit(), claimRecord.fence());
            ClaimRecord other = claimRecords.putIfAbsent(claim, claimRecord);
            if (other != null) {
                findings.add("handed out twice: " + claim + " to " + other.worker() + " and " + claimRecord.worker());
            }
            if (!granted.contains(claim)) {
                findings.add("handed out, but its grant is not in the log: " + claim);
            }
        }
    }

    private void checkAnswers() {
        Map<Grant, String> endings = new HashMap<>();
        for (Event event : evidence.events()) {
            if (event.isRelease() && endings.put(grant(event), event.kind()) != null) {
                findings.add("ended twice: " + grant(event));
            }
        }
        for (ClaimRecord claimRecord : evidence.claims()) {
            var claim = new Grant(claimRecord.unit(), claimRecord.fence());
            if (Collections.frequency(claimRecord.answers(), "applied") > 1) {
                findings.add("applied twice: " + claim + " was answered " + claimRecord.answers());
            }
            boolean reported = "reported".equals(endings.get(claim));
            boolean counted = !claimRecord.answers().isEmpty() && WorkerPool.APPLIED.containsAll(claimRecord.answers());
            if (counted != reported && !(reported && isLateRepeat(claimRecord))) {
                findings.add("the log says " + endings.get(claim) + " of " + claim + ", its worker was answered "
                        + claimRecord.answers());
            }
        }
        endings.forEach((claim, how) -> {
            if (how.equals("reported") && !claimRecords.containsKey(claim)) {
                findings.add("reported by nobody: " + claim);
            }
        });
    }

    /**
     * Returns true if the step was granted again before the report was repeated. The fence of the repeat is then old,
     * and the run may even have ended.
     */
    private boolean isLateRepeat(ClaimRecord claimRecord) {
        boolean late = claimRecord.answers().contains("claim_superseded")
                || claimRecord.answers().contains("run_terminal");
        return late
                && claimRecords.keySet().stream()
                        .anyMatch(other ->
                                other.unit().equals(claimRecord.unit()) && other.fence() > claimRecord.fence());
    }

    /** Checks that the stored result of a step is the last report, under the newest fence. */
    private void checkResults() {
        Map<RowKey, Long> newest = new HashMap<>();
        evidence.grants().forEach(event -> newest.merge(event.key(), event.fence(), Math::max));
        for (Step step : evidence.steps()) {
            Unit unit = units.get(step.key());
            if (unit == null) {
                continue; // a fan-out itself is not granted; its items are
            }
            if (step.fence() != newest.getOrDefault(step.key(), 0L)) {
                findings.add("kept under fence " + step.fence() + ", granted last under " + newest.get(step.key())
                        + ": " + Evidence.name(unit));
            }
            ClaimRecord claimRecord = claimRecords.get(new Grant(unit, step.fence()));
            String stored = step.last().path("output").path("nonce").asString("");
            if (claimRecord == null || !stored.equals(claimRecord.nonce())) {
                findings.add("kept " + step.last() + ", reported " + claimRecord + ": " + Evidence.name(unit));
            }
        }
    }
}
