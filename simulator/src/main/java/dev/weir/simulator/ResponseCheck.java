package dev.weir.simulator;

import static dev.weir.simulator.Violation.require;

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
    private final TraceState traceState;
    private final Set<Coverage> coverage;
    /** Claims that ended with a report, by unit and fence. */
    private final Set<String> reports = new HashSet<>();
    /** Claims whose workers have asked for input. */
    private final Set<String> inputRequests = new HashSet<>();
    /** Reports whose workers were told that they were applied. */
    private final Set<String> applied = new HashSet<>();
    /** The number of committed extensions of each claim, and the number of them that its worker was told about. */
    private final Map<String, Integer> extensions = new HashMap<>();

    private final Map<String, Integer> confirmedExtensions = new HashMap<>();

    ResponseCheck(TraceState traceState, Set<Coverage> coverage) {
        this.traceState = traceState;
        this.coverage = coverage;
    }

    /** Notes the commit of a report that ended a claim. */
    void noteReport(UnitId unit, long fence) {
        reports.add(claimId(unit, fence));
    }

    /** Notes the commit of a worker's request for input. */
    void noteInputRequest(UnitId unit, long fence) {
        inputRequests.add(claimId(unit, fence));
    }

    /** Notes the commit of a longer lease. */
    void noteExtension(UnitId unit, long fence) {
        extensions.merge(claimId(unit, fence), 1, Integer::sum);
    }

    void checkReport(Fact.Reported reported) {
        String claim = claimId(reported.unit(), reported.fence());
        boolean committed = reports.contains(claim) || inputRequests.contains(claim);
        switch (reported.answer()) {
            case APPLIED -> {
                require(committed, "S7", "%s was told that its report is applied, and it is not kept", claim);
                boolean first = applied.add(claim) || inputRequests.contains(claim);
                require(first, "S6", "%s was told twice that its report is applied", claim);
            }
            case REPLAYED ->
                require(committed, "S7", "%s was told that its report was known, and it is not kept", claim);
            case UPDATE_CONFLICT ->
                require(committed, "S7", "%s is said to conflict with a report that is not kept", claim);
            case CLAIM_SUPERSEDED -> coverage.add(Coverage.REPORT_LATE);
            case RUN_TERMINAL -> {}
            case MAY_HOLD_SECRETS -> require(false, "S9", "%s was told about secrets, and its step has none", claim);
            case NOT_FOUND -> require(!committed, "S7", "%s is said to be unknown, and its report is kept", claim);
        }
    }

    void checkHeartbeat(Fact.HeartbeatAnswered heartbeat) {
        if (heartbeat.answer() instanceof Heartbeat.Answer.Extended) {
            String claim = claimId(heartbeat.unit(), heartbeat.fence());
            int confirmed = confirmedExtensions.merge(claim, 1, Integer::sum);
            int extended = extensions.getOrDefault(claim, 0);
            Claim live = traceState.liveClaims.get(heartbeat.unit());
            boolean isLive = live != null && live.fence() == heartbeat.fence();
            require(
                    confirmed <= extended || inputRequests.contains(claim),
                    isLive ? "S7" : "S6",
                    "%s was told %s times that its claim lasts, and it was extended %s times",
                    claim,
                    confirmed,
                    extended);
        }
    }

    void checkStart(Fact.StartAnswered answered) {
        boolean committed = traceState.runs.containsKey(answered.run());
        switch (answered.answer()) {
            case StartOutcome.Started ignored ->
                require(committed, "S7", "run %s is said to have started", answered.run());
            case StartOutcome.Existing ignored -> require(committed, "S7", "run %s is said to exist", answered.run());
            case StartOutcome.OtherBody ignored -> require(false, "S7", "run %s is said to be another", answered.run());
            case StartOutcome.Closed ignored ->
                require(!committed, "S7", "run %s is said to be refused", answered.run());
            case StartOutcome.QueueFull full ->
                require(!committed, "S7", "run %s was refused (%s), but it exists", answered.run(), full);
            case StartOutcome.Refused refused -> require(false, "S7", "run %s: %s", answered.run(), refused);
            case StartOutcome.UnknownWorkflow unknown -> require(false, "S7", "run %s: %s", answered.run(), unknown);
        }
    }

    private static String claimId(UnitId unit, long fence) {
        return unit + "#" + fence;
    }
}
