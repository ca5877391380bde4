package dev.weir.cli.rig;

import dev.weir.cli.rig.ClientLog.AcceptedRun;
import dev.weir.cli.rig.ClientLog.ClaimRecord;
import dev.weir.cli.rig.ClientLog.LimitChange;
import dev.weir.cli.rig.Evidence.Event;
import dev.weir.cli.rig.Evidence.Run;
import dev.weir.cli.rig.Evidence.Step;
import dev.weir.cli.rig.FaultTrap.InjectedFault;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Records of a storm with planted errors. */
final class TamperedEvidence {
    private static final long LONGER_NANOS = 5_000_000_000L;

    private final Evidence real;

    TamperedEvidence(Evidence real) {
        this.real = real;
    }

    private Evidence withEvents(UnaryOperator<List<Event>> change) {
        return new Evidence(
                change.apply(new ArrayList<>(real.events())),
                real.runs(),
                real.steps(),
                real.claims(),
                real.acceptedRuns(),
                real.limitChanges(),
                real.injectedFaults(),
                real.leftovers());
    }

    private Evidence withRows(List<Run> runs, List<Step> steps) {
        return new Evidence(
                real.events(),
                runs,
                steps,
                real.claims(),
                real.acceptedRuns(),
                real.limitChanges(),
                real.injectedFaults(),
                real.leftovers());
    }

    private Evidence withClaims(UnaryOperator<List<ClaimRecord>> change) {
        return new Evidence(
                real.events(),
                real.runs(),
                real.steps(),
                change.apply(new ArrayList<>(real.claims())),
                real.acceptedRuns(),
                real.limitChanges(),
                real.injectedFaults(),
                real.leftovers());
    }

    private Evidence withClientLog(List<AcceptedRun> started, List<LimitChange> changed) {
        return new Evidence(
                real.events(),
                real.runs(),
                real.steps(),
                real.claims(),
                started,
                changed,
                real.injectedFaults(),
                real.leftovers());
    }

    private Evidence withFaults(List<InjectedFault> injected, Map<String, Long> leftovers) {
        return new Evidence(
                real.events(),
                real.runs(),
                real.steps(),
                real.claims(),
                real.acceptedRuns(),
                real.limitChanges(),
                injected,
                leftovers);
    }

    Evidence withoutReleases(String module) {
        Set<Evidence.RowKey> keys = new HashSet<>();
        real.grants().stream().filter(grant -> grant.module().equals(module)).forEach(grant -> keys.add(grant.key()));
        return withEvents(all -> {
            all.removeIf(event -> event.isRelease() && keys.contains(event.key()));
            return all;
        });
    }

    Evidence withoutGrants(String module) {
        return withEvents(all -> {
            all.removeIf(event -> event.isGrant() && event.module().equals(module));
            return all;
        });
    }

    Evidence withCompressedTime() {
        long first = real.events().getFirst().at();
        return withEvents(all -> {
            all.replaceAll(event -> at(event, first + (event.at() - first) / 100));
            return all;
        });
    }

    Evidence withTimeGoingBack() {
        return withEvents(all -> {
            all.set(all.size() - 1, at(all.getLast(), 0));
            return all;
        });
    }

    private static Event at(Event event, long at) {
        return new Event(
                at, event.kind(), event.key(), event.fence(), event.limitNeeds(), event.limit(), event.value());
    }

    Evidence pinnedToOne(String limit) {
        JsonNode value = JsonMapper.shared().createObjectNode().put("parallelism", 1);
        Event first = real.events().getFirst();
        return withEvents(all -> {
            all.removeIf(event -> event.limit().equals(limit));
            all.addFirst(new Event(first.at(), "pinned", first.key(), 0, first.limitNeeds(), limit, value));
            return all;
        });
    }

    Evidence grantedTwice() {
        return withEvents(all -> {
            int index = all.indexOf(real.grants().getFirst());
            all.add(index + 1, all.get(index));
            return all;
        });
    }

    Evidence releasedTwice() {
        return withEvents(all -> {
            Event release = all.stream().filter(Event::isRelease).findFirst().orElseThrow();
            all.add(all.indexOf(release) + 1, release);
            return all;
        });
    }

    Evidence withEqualFences() {
        return withEvents(all -> {
            all.replaceAll(event -> new Event(
                    event.at(), event.kind(), event.key(), 1, event.limitNeeds(), event.limit(), event.value()));
            return all;
        });
    }

    Evidence withoutNeedsOf(String module) {
        return withEvents(all -> {
            all.replaceAll(event -> event.isGrant() && event.module().equals(module) ? withoutNeeds(event) : event);
            return all;
        });
    }

    private static Event withoutNeeds(Event event) {
        ObjectNode ask = ((ObjectNode) event.limitNeeds()).deepCopy();
        ask.remove("needs");
        return new Event(event.at(), event.kind(), event.key(), event.fence(), ask, event.limit(), event.value());
    }

    Evidence withoutRuns(String id) {
        var runs = new ArrayList<>(real.runs());
        runs.removeIf(run -> run.id().equals(id));
        return withRows(runs, real.steps());
    }

    Evidence notCompleted(String id) {
        var runs = new ArrayList<>(real.runs());
        runs.replaceAll(run -> run.id().equals(id)
                ? new Run(run.number(), id, run.workflow(), "f", run.startedAt(), run.endedAt())
                : run);
        return withRows(runs, real.steps());
    }

    Evidence startedAtOnce(String workflow) {
        var runs = new ArrayList<>(real.runs());
        runs.replaceAll(run -> run.workflow().equals(workflow)
                ? new Run(run.number(), run.id(), workflow, run.state(), 1, run.endedAt())
                : run);
        return withRows(runs, real.steps());
    }

    Evidence withoutSteps() {
        return withRows(real.runs(), List.of());
    }

    Evidence withOtherResult() {
        JsonNode other = JsonMapper.shared().createObjectNode();
        return withRows(
                real.runs(),
                real.steps().stream()
                        .map(step -> new Step(step.key(), step.state(), step.fence(), other))
                        .toList());
    }

    Evidence keptUnderOldFence() {
        return withRows(
                real.runs(),
                real.steps().stream()
                        .map(step -> new Step(step.key(), step.state(), step.fence() - 1, step.last()))
                        .toList());
    }

    Evidence handedOutTwice() {
        return withClaims(all -> {
            all.add(appliedClaim(all));
            return all;
        });
    }

    /** Returns an attempt whose first report was applied. */
    private static ClaimRecord appliedClaim(List<ClaimRecord> claims) {
        return claims.stream()
                .filter(claim -> claim.answers().contains("applied"))
                .findFirst()
                .orElseThrow();
    }

    Evidence withoutBody() {
        return withClaims(all -> {
            all.remove(appliedClaim(all));
            return all;
        });
    }

    Evidence withAnswers(List<String> answers) {
        return withClaims(all -> {
            all.replaceAll(claim -> claim.equals(appliedClaim(real.claims())) ? change(claim, 0, answers) : claim);
            return all;
        });
    }

    Evidence withLongerBodies(String module) {
        return withClaims(all -> {
            all.replaceAll(
                    claim -> claim.module().equals(module) ? change(claim, LONGER_NANOS, claim.answers()) : claim);
            return all;
        });
    }

    private static ClaimRecord change(ClaimRecord claim, long longer, List<String> answers) {
        return new ClaimRecord(
                claim.worker(),
                claim.module(),
                claim.unit(),
                claim.fence(),
                claim.attempt(),
                claim.startedAt(),
                claim.endedAt() + longer,
                claim.failed(),
                claim.nonce(),
                answers);
    }

    Evidence withoutStarts(String run) {
        return withClientLog(
                real.acceptedRuns().stream()
                        .filter(started -> !started.run().equals(run))
                        .toList(),
                real.limitChanges());
    }

    Evidence withChange() {
        return withClientLog(real.acceptedRuns(), List.of(new LimitChange("key:shared", 99, 0, 0, Long.MAX_VALUE)));
    }

    Evidence withLeftover(String kind) {
        Map<String, Long> leftovers = new HashMap<>(real.leftovers());
        leftovers.put(kind, 1L);
        return withFaults(real.injectedFaults(), leftovers);
    }

    Evidence withoutFault(Fault fault) {
        var injected = new ArrayList<>(real.injectedFaults());
        injected.remove(injected.stream()
                .filter(one -> one.fault() == fault)
                .findFirst()
                .orElseThrow());
        return withFaults(injected, real.leftovers());
    }

    Evidence withFewLive() {
        return withFaults(
                real.injectedFaults().stream()
                        .map(one -> new InjectedFault(one.fault(), FaultTrap.LIVE_MIN - 1, one.answered()))
                        .toList(),
                real.leftovers());
    }
}
