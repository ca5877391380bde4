package dev.weir.cli.rig;

import dev.weir.cli.rig.Evidence.Event;
import dev.weir.cli.rig.Evidence.Run;
import dev.weir.cli.rig.Evidence.Step;
import dev.weir.cli.rig.Notes.Body;
import dev.weir.cli.rig.Notes.Changed;
import dev.weir.cli.rig.Notes.Started;
import dev.weir.cli.rig.Snare.Sprung;
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
final class Planted {
    private static final long LONGER_NANOS = 5_000_000_000L;

    private final Evidence real;

    Planted(Evidence real) {
        this.real = real;
    }

    private Evidence events(UnaryOperator<List<Event>> change) {
        return new Evidence(
                change.apply(new ArrayList<>(real.events())),
                real.runs(),
                real.steps(),
                real.bodies(),
                real.started(),
                real.changed(),
                real.sprung(),
                real.left());
    }

    private Evidence rows(List<Run> runs, List<Step> steps) {
        return new Evidence(
                real.events(), runs, steps, real.bodies(), real.started(), real.changed(), real.sprung(), real.left());
    }

    private Evidence bodies(UnaryOperator<List<Body>> change) {
        return new Evidence(
                real.events(),
                real.runs(),
                real.steps(),
                change.apply(new ArrayList<>(real.bodies())),
                real.started(),
                real.changed(),
                real.sprung(),
                real.left());
    }

    private Evidence notes(List<Started> started, List<Changed> changed) {
        return new Evidence(
                real.events(), real.runs(), real.steps(), real.bodies(), started, changed, real.sprung(), real.left());
    }

    private Evidence ending(List<Sprung> sprung, Map<String, Long> left) {
        return new Evidence(
                real.events(), real.runs(), real.steps(), real.bodies(), real.started(), real.changed(), sprung, left);
    }

    Evidence withoutReleases(String module) {
        Set<Evidence.RowKey> keys = new HashSet<>();
        real.grants().stream().filter(grant -> grant.module().equals(module)).forEach(grant -> keys.add(grant.key()));
        return events(all -> {
            all.removeIf(event -> event.released() && keys.contains(event.key()));
            return all;
        });
    }

    Evidence withoutGrants(String module) {
        return events(all -> {
            all.removeIf(event -> event.granted() && event.module().equals(module));
            return all;
        });
    }

    Evidence inAHundredthOfTheTime() {
        long first = real.events().getFirst().at();
        return events(all -> {
            all.replaceAll(event -> at(event, first + (event.at() - first) / 100));
            return all;
        });
    }

    Evidence backwards() {
        return events(all -> {
            all.set(all.size() - 1, at(all.getLast(), 0));
            return all;
        });
    }

    private static Event at(Event event, long at) {
        return new Event(at, event.kind(), event.key(), event.fence(), event.ask(), event.limit(), event.value());
    }

    Evidence pinnedToOne(String limit) {
        JsonNode value = JsonMapper.shared().createObjectNode().put("parallelism", 1);
        Event first = real.events().getFirst();
        return events(all -> {
            all.removeIf(event -> event.limit().equals(limit));
            all.addFirst(new Event(first.at(), "pinned", first.key(), 0, first.ask(), limit, value));
            return all;
        });
    }

    Evidence grantedTwice() {
        return events(all -> {
            int place = all.indexOf(real.grants().getFirst());
            all.add(place + 1, all.get(place));
            return all;
        });
    }

    Evidence releasedTwice() {
        return events(all -> {
            Event release = all.stream().filter(Event::released).findFirst().orElseThrow();
            all.add(all.indexOf(release) + 1, release);
            return all;
        });
    }

    Evidence withEqualFences() {
        return events(all -> {
            all.replaceAll(event ->
                    new Event(event.at(), event.kind(), event.key(), 1, event.ask(), event.limit(), event.value()));
            return all;
        });
    }

    Evidence withoutNeedsOf(String module) {
        return events(all -> {
            all.replaceAll(event -> event.granted() && event.module().equals(module) ? withoutNeeds(event) : event);
            return all;
        });
    }

    private static Event withoutNeeds(Event event) {
        ObjectNode ask = ((ObjectNode) event.ask()).deepCopy();
        ask.remove("needs");
        return new Event(event.at(), event.kind(), event.key(), event.fence(), ask, event.limit(), event.value());
    }

    Evidence withoutRuns(String id) {
        var runs = new ArrayList<>(real.runs());
        runs.removeIf(run -> run.id().equals(id));
        return rows(runs, real.steps());
    }

    Evidence notCompleted(String id) {
        var runs = new ArrayList<>(real.runs());
        runs.replaceAll(run -> run.id().equals(id)
                ? new Run(run.number(), id, run.workflow(), "f", run.startedAt(), run.endedAt())
                : run);
        return rows(runs, real.steps());
    }

    Evidence startedAtOnce(String workflow) {
        var runs = new ArrayList<>(real.runs());
        runs.replaceAll(run -> run.workflow().equals(workflow)
                ? new Run(run.number(), run.id(), workflow, run.state(), 1, run.endedAt())
                : run);
        return rows(runs, real.steps());
    }

    Evidence withoutSteps() {
        return rows(real.runs(), List.of());
    }

    Evidence withOtherResult() {
        JsonNode other = JsonMapper.shared().createObjectNode();
        return rows(
                real.runs(),
                real.steps().stream()
                        .map(step -> new Step(step.key(), step.state(), step.fence(), other))
                        .toList());
    }

    Evidence keptUnderOldFence() {
        return rows(
                real.runs(),
                real.steps().stream()
                        .map(step -> new Step(step.key(), step.state(), step.fence() - 1, step.last()))
                        .toList());
    }

    Evidence handedOutTwice() {
        return bodies(all -> {
            all.add(counted(all));
            return all;
        });
    }

    /** Returns an attempt whose first report was applied. */
    private static Body counted(List<Body> bodies) {
        return bodies.stream()
                .filter(body -> body.answers().contains("applied"))
                .findFirst()
                .orElseThrow();
    }

    Evidence withoutBody() {
        return bodies(all -> {
            all.remove(counted(all));
            return all;
        });
    }

    Evidence answered(List<String> answers) {
        return bodies(all -> {
            all.replaceAll(body -> body.equals(counted(real.bodies())) ? changed(body, 0, answers) : body);
            return all;
        });
    }

    Evidence withLongerBodies(String module) {
        return bodies(all -> {
            all.replaceAll(body -> body.module().equals(module) ? changed(body, LONGER_NANOS, body.answers()) : body);
            return all;
        });
    }

    private static Body changed(Body body, long longer, List<String> answers) {
        return new Body(
                body.worker(),
                body.module(),
                body.unit(),
                body.fence(),
                body.attempt(),
                body.began(),
                body.ended() + longer,
                body.failed(),
                body.nonce(),
                answers);
    }

    Evidence withoutStarts(String run) {
        return notes(
                real.started().stream()
                        .filter(started -> !started.run().equals(run))
                        .toList(),
                real.changed());
    }

    Evidence withChange() {
        return notes(real.started(), List.of(new Changed("key:shared", 99, 0, 0, Long.MAX_VALUE)));
    }

    Evidence left(String kind) {
        Map<String, Long> left = new HashMap<>(real.left());
        left.put(kind, 1L);
        return ending(real.sprung(), left);
    }

    Evidence withoutFault(Fault fault) {
        var sprung = new ArrayList<>(real.sprung());
        sprung.remove(
                sprung.stream().filter(one -> one.fault() == fault).findFirst().orElseThrow());
        return ending(sprung, real.left());
    }

    Evidence withFewLive() {
        return ending(
                real.sprung().stream()
                        .map(one -> new Sprung(one.fault(), Snare.LIVE_MIN - 1, one.answered()))
                        .toList(),
                real.left());
    }
}
