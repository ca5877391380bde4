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
    private static final Comparator<Unit> IN_ORDER =
            Comparator.comparingLong(Unit::tie).thenComparingInt(Unit::item);

    private final LiveOrganisation org;
    /** Units that have their input and wait for a worker, by module. */
    private final SortedMap<String, NavigableSet<Unit>> provided = new TreeMap<>();

    InputRequests(LiveOrganisation org) {
        this.org = org;
    }

    /** Keeps the claim of a worker that has asked for input open without an end. */
    void keep(LiveClaim lease, Update.NeedsInput asked, long now) {
        Unit unit = lease.unit;
        forget(unit);
        unit.last = asked;
        unit.detail = unit.detail.provided(null);
        if (unit.state == StepState.NEEDS_INPUT) {
            org.moves.add(new Move.StepMoved(unit.run().ref, unit.row(), StepState.NEEDS_INPUT, now));
        } else {
            org.steps.move(unit, StepState.NEEDS_INPUT, now);
            org.claims.keepOpen(lease, now);
        }
    }

    void provide(Unit unit, JsonNode input, long now) {
        unit.detail = unit.detail.provided(input);
        if (unit.lease == null) {
            org.steps.askAgain(unit, now);
            org.steps.carryOn(unit.run(), now);
        } else {
            org.moves.add(new Move.StepChanged(unit.run().ref, unit.id(), unit.detail, now));
            waitForWorker(unit);
        }
    }

    void waitForWorker(Unit unit) {
        provided.computeIfAbsent(unit.ask().module(), ignored -> new TreeSet<>(IN_ORDER))
                .add(unit);
    }

    /** Removes a unit that no longer waits for a worker, or no longer needs to. */
    void forget(Unit unit) {
        if (provided.isEmpty() || unit.ask == null) {
            return;
        }
        NavigableSet<Unit> ofModule = provided.get(unit.ask.module());
        if (ofModule != null && ofModule.remove(unit) && ofModule.isEmpty()) {
            provided.remove(unit.ask.module());
        }
    }

    /** Passes units that have their input on to the workers that poll. */
    void handOn(long now) {
        for (String module : List.copyOf(provided.keySet())) {
            for (Unit unit = first(module); unit != null; unit = first(module)) {
                Poll poll = org.admission.takePlace(module, unit, now).orElse(null);
                if (poll == null || !(poll.subject() instanceof PollTable.OpenPoll open)) {
                    break;
                }
                org.polls.give(
                        open, handOn(unit, new ClaimLifecycle.Asker(open.request, open.worker, open.lease), now));
            }
        }
    }

    /** Passes chosen units that have their input on to one requester. */
    List<Assignment> handOn(Predicate<Unit> chosen, int most, ClaimLifecycle.Asker asker, long now) {
        List<Unit> found = new ArrayList<>();
        for (NavigableSet<Unit> ofModule : provided.values()) {
            ofModule.stream().filter(chosen).forEach(found::add);
        }
        found.sort(IN_ORDER);
        List<Assignment> handed = new ArrayList<>();
        long load = 0;
        for (Unit unit : found) {
            if (load < Poll.LOAD_MAX && handed.size() < most) {
                handed.add(handOn(unit, asker, now));
                load += unit.load();
            }
        }
        return handed;
    }

    private Assignment handOn(Unit unit, ClaimLifecycle.Asker asker, long now) {
        forget(unit);
        if (unit.lease == null) {
            throw new IllegalStateException("expected the claim of " + unit + ", found none");
        }
        return org.claims.goOn(unit.lease, asker, now);
    }

    private @Nullable Unit first(String module) {
        NavigableSet<Unit> ofModule = provided.get(module);
        return ofModule == null ? null : ofModule.first();
    }
}
