package dev.weir.core.run;

import dev.weir.core.admission.Poll;
import dev.weir.core.command.Assignment;
import dev.weir.core.state.Move;
import dev.weir.core.state.StepState;
import dev.weir.core.state.Update;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Manages steps and items that need a person's input. A unit that keeps its allocation goes on, once it has the input,
 * with the next worker that polls for its module. It gets a new fence and is not admitted again, because it never
 * returned its allocation.
 */
final class InputRequests {
    private static final Comparator<Unit> QUEUE_ORDER =
            Comparator.comparingLong(Unit::tieBreaker).thenComparingInt(Unit::item);

    private final LiveOrganisation org;
    /** Units that have their input and wait for a worker, by module. */
    private final SortedMap<String, NavigableSet<Unit>> unitsWithInput = new TreeMap<>();

    InputRequests(LiveOrganisation org) {
        this.org = org;
    }

    /** Keeps the claim of a worker that has asked for input open without an end. */
    void keepClaim(LiveClaim liveClaim, Update.NeedsInput needsInput, long now) {
        Unit unit = liveClaim.unit;
        remove(unit);
        unit.lastOutcome = needsInput;
        unit.detail = unit.detail.withProvided(null);
        if (unit.state == StepState.NEEDS_INPUT) {
            org.moves.add(new Move.StepMoved(unit.run().ref, unit.row(), StepState.NEEDS_INPUT, now));
        } else {
            org.steps.move(unit, StepState.NEEDS_INPUT, now);
            org.claims.keepOpen(liveClaim, now);
        }
    }

    void provide(Unit unit, JsonNode input, long now) {
        unit.detail = unit.detail.withProvided(input);
        if (unit.liveClaim == null) {
            org.steps.requeue(unit, now);
            org.steps.advanceRun(unit.run(), now);
        } else {
            org.moves.add(new Move.StepChanged(unit.run().ref, unit.id(), unit.detail, now));
            waitForWorker(unit);
        }
    }

    void waitForWorker(Unit unit) {
        unitsWithInput
                .computeIfAbsent(unit.limitNeeds().module(), ignored -> new TreeSet<>(QUEUE_ORDER))
                .add(unit);
    }

    /** Removes a unit that no longer waits for a worker, or no longer needs to. */
    void remove(Unit unit) {
        if (unitsWithInput.isEmpty() || unit.limitNeeds == null) {
            return;
        }
        NavigableSet<Unit> ofModule = unitsWithInput.get(unit.limitNeeds.module());
        if (ofModule != null && ofModule.remove(unit) && ofModule.isEmpty()) {
            unitsWithInput.remove(unit.limitNeeds.module());
        }
    }

    /** Passes units that have their input on to the workers that poll. */
    void assign(long now) {
        for (String module : List.copyOf(unitsWithInput.keySet())) {
            for (Unit unit = firstWaiting(module); unit != null; unit = firstWaiting(module)) {
                Poll poll = org.admission.assignToPoll(module, unit, now).orElse(null);
                if (poll == null || !(poll.subject() instanceof PollTable.OpenPoll openPoll)) {
                    break;
                }
                org.polls.assign(
                        openPoll,
                        assign(
                                unit,
                                new ClaimLifecycle.Requester(openPoll.request, openPoll.worker, openPoll.lease),
                                now));
            }
        }
    }

    /** Passes chosen units that have their input on to one requester. */
    List<Assignment> assign(Predicate<Unit> chosen, int max, ClaimLifecycle.Requester requester, long now) {
        List<Unit> found = new ArrayList<>();
        for (NavigableSet<Unit> ofModule : unitsWithInput.values()) {
            ofModule.stream().filter(chosen).forEach(found::add);
        }
        found.sort(QUEUE_ORDER);
        List<Assignment> assignments = new ArrayList<>();
        long load = 0;
        for (Unit unit : found) {
            if (load < Poll.RESPONSE_SIZE_MAX && assignments.size() < max) {
                assignments.add(assign(unit, requester, now));
                load += unit.responseSize();
            }
        }
        return assignments;
    }

    private Assignment assign(Unit unit, ClaimLifecycle.Requester requester, long now) {
        remove(unit);
        if (unit.liveClaim == null) {
            throw new IllegalStateException("expected the claim of " + unit + ", found none");
        }
        return org.claims.resume(unit.liveClaim, requester, now);
    }

    private @Nullable Unit firstWaiting(String module) {
        NavigableSet<Unit> ofModule = unitsWithInput.get(module);
        return ofModule == null ? null : ofModule.first();
    }
}
