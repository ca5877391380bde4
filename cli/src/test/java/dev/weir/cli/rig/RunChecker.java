package dev.weir.cli.rig;

import dev.weir.cli.rig.ClientLog.AcceptedRun;
import dev.weir.cli.rig.ClientLog.LimitChange;
import dev.weir.cli.rig.ClientLog.Unit;
import dev.weir.cli.rig.Evidence.Event;
import dev.weir.cli.rig.Evidence.Run;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Checks that nothing acknowledged is lost: runs, their steps, and changes of limits. */
final class RunChecker {
    private static final String COMPLETED = "c";

    private final Evidence evidence;
    private final List<String> findings = new ArrayList<>();

    private RunChecker(Evidence evidence) {
        this.evidence = evidence;
    }

    static List<String> check(Evidence evidence) {
        var checker = new RunChecker(evidence);
        checker.checkRuns();
        checker.checkSteps();
        checker.checkConcurrentRuns();
        evidence.limitChanges().forEach(checker::checkChange);
        return checker.findings;
    }

    private void checkRuns() {
        Map<String, Run> byId = new HashMap<>();
        for (Run run : evidence.runs()) {
            if (byId.put(run.id(), run) != null) {
                findings.add("two runs with one id: " + run);
            }
        }
        for (AcceptedRun started : evidence.acceptedRuns()) {
            Run run = byId.remove(started.run());
            if (run == null) {
                findings.add("answered and lost: run " + started.run());
            } else if (!run.state().equals(COMPLETED)) {
                findings.add("not completed: " + run);
            }
        }
        byId.values().forEach(run -> findings.add("nobody was told of " + run));
    }

    private void checkSteps() {
        Map<Evidence.RowKey, Unit> units = evidence.units();
        Set<Unit> done = new HashSet<>();
        for (Evidence.Step step : evidence.steps()) {
            Unit unit = units.get(step.key());
            if (!step.state().equals(COMPLETED)) {
                findings.add("not completed: " + Evidence.name(unit) + ", " + step);
            }
            if (unit != null && !done.add(unit)) {
                findings.add("ended twice: " + Evidence.name(unit));
            }
        }
        for (AcceptedRun started : evidence.acceptedRuns()) {
            for (Load.Task task : Load.tasks(started.workflow())) {
                for (int i = 0; i < task.units(); i++) {
                    var unit = new Unit(started.run(), task.step(), task.items() == 0 ? -1 : i);
                    if (!done.contains(unit)) {
                        findings.add("never ended: " + Evidence.name(unit));
                    }
                }
            }
        }
    }

    /**
     * Checks the limit on concurrent runs. A run counts from its start to its end; one that ends makes room for one
     * that starts in the same instant.
     */
    private void checkConcurrentRuns() {
        record Change(long at, int by) {}
        List<Change> changes = new ArrayList<>();
        for (Run run : evidence.runs()) {
            if (run.workflow().equals("queue")) {
                changes.add(new Change(run.startedAt(), 1));
                changes.add(new Change(run.endedAt(), -1));
            }
        }
        changes.sort(Comparator.comparingLong(Change::at).thenComparingInt(Change::by));
        int now = 0;
        for (Change change : changes) {
            now += change.by;
            if (now > Load.QUEUE_RUNS) {
                findings.add("runs at once: " + now + " of " + Load.QUEUE_RUNS + " of queue at " + change.at);
            }
        }
    }

    /**
     * Checks that the log has a change from before its answer, so that grants after the answer follow it in the
     * log.
     */
    private void checkChange(LimitChange changed) {
        boolean pinned = changed.parallelism() != 0 || changed.rate() != 0;
        boolean logged = evidence.events().stream()
                .anyMatch(event -> event.limit().equals(changed.limit())
                        && event.at() <= changed.answeredAt()
                        && (pinned ? isPin(event, changed) : event.kind().equals("unpinned")));
        boolean wasPinned = evidence.events().stream()
                .anyMatch(event -> event.limit().equals(changed.limit()) && event.at() <= changed.answeredAt());
        if (!logged && (pinned || wasPinned)) {
            findings.add("answered and lost: " + changed);
        }
    }

    private static boolean isPin(Event event, LimitChange changed) {
        return event.kind().equals("pinned")
                && event.value().path("parallelism").asInt(0) == changed.parallelism()
                && event.value().path("rate").path(0).asInt(0) == changed.rate()
                && event.at() >= changed.requestedAt();
    }
}
