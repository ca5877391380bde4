package dev.weir.simulator;

import static dev.weir.simulator.Violation.unless;

import dev.weir.core.command.Heartbeat;
import dev.weir.core.state.Claim;
import dev.weir.core.state.UnitId;
import dev.weir.engine.request.StartOutcome;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Compares the answers that workers and callers received with the committed facts. */
final class ResponseCheck {
    private final TraceState tally;
    private final Set<Coverage> seen;
    /** Claims that ended with a report, by unit and fence. */
    private final Set<String> reports = new HashSet<>();
    /** Claims whose workers have asked for input. */
    private final Set<String> questions = new HashSet<>();
    /** Reports whose workers were told that they were applied. */
    private final Set<String> applied = new HashSet<>();
    /** The number of committed extensions of each claim, and the number of them that its worker was told about. */
    private final Map<String, Integer> extensions = new HashMap<>();

    private final Map<String, Integer> extensionsTold = new HashMap<>();

    ResponseCheck(TraceState tally, Set<Coverage> seen) {
        this.tally = tally;
        this.seen = seen;
    }

    /** Notes the commit of a report that ended a claim. */
    void reportKept(UnitId unit, long fence) {
        reports.add(claim(unit, fence));
    }

    /** Notes the commit of a worker's request for input. */
    void questionKept(UnitId unit, long fence) {
        questions.add(claim(unit, fence));
    }

    /** Notes the commit of a longer lease. */
    void extensionKept(UnitId unit, long fence) {
        extensions.merge(claim(unit, fence), 1, Integer::sum);
    }

    void reported(Fact.Reported reported) {
        String claim = claim(reported.unit(), reported.fence());
        boolean kept = reports.contains(claim) || questions.contains(claim);
        switch (reported.answer()) {
            case APPLIED -> {
                unless(kept, "S7", "%s was told that its report is applied, and it is not kept", claim);
                boolean first = applied.add(claim) || questions.contains(claim);
                unless(first, "S6", "%s was told twice that its report is applied", claim);
            }
            case REPLAYED -> unless(kept, "S7", "%s was told that its report was known, and it is not kept", claim);
            case UPDATE_CONFLICT -> unless(kept, "S7", "%s is said to conflict with a report that is not kept", claim);
            case CLAIM_SUPERSEDED -> seen.add(Coverage.REPORT_LATE);
            case RUN_TERMINAL -> {}
            case MAY_HOLD_SECRETS -> unless(false, "S9", "%s was told about secrets, and its step has none", claim);
            case NOT_FOUND -> unless(!kept, "S7", "%s is said to be unknown, and its report is kept", claim);
        }
    }

    void beaten(Fact.Beaten beaten) {
        if (beaten.answer() instanceof Heartbeat.Answer.Extended) {
            String claim = claim(beaten.unit(), beaten.fence());
            int told = extensionsTold.merge(claim, 1, Integer::sum);
            int done = extensions.getOrDefault(claim, 0);
            Claim live = tally.live.get(beaten.unit());
            boolean lives = live != null && live.fence() == beaten.fence();
            unless(
                    told <= done || questions.contains(claim),
                    lives ? "S7" : "S6",
                    "%s was told %s times that its claim lasts, and it was extended %s times",
                    claim,
                    told,
                    done);
        }
    }

    void started(Fact.StartAnswered answered) {
        boolean kept = tally.runs.containsKey(answered.run());
        switch (answered.answer()) {
            case StartOutcome.Started ignored -> unless(kept, "S7", "run %s is said to have started", answered.run());
            case StartOutcome.Existing ignored -> unless(kept, "S7", "run %s is said to exist", answered.run());
            case StartOutcome.OtherBody ignored -> unless(false, "S7", "run %s is said to be another", answered.run());
            case StartOutcome.Refused refused -> unless(false, "S7", "run %s: %s", answered.run(), refused);
            case StartOutcome.UnknownWorkflow unknown -> unless(false, "S7", "run %s: %s", answered.run(), unknown);
        }
    }

    private static String claim(UnitId unit, long fence) {
        return unit + "#" + fence;
    }
}
