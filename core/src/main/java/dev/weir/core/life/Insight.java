package dev.weir.core.life;

import dev.weir.core.admission.Cause;
import dev.weir.core.admission.Explanation;
import dev.weir.core.admission.LimitView;
import dev.weir.core.admission.RunGate;
import dev.weir.core.admission.Ticket;
import dev.weir.core.limit.LimitId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What people ask about an organisation: why something waits, who holds a limit, how a run stands. It looks and changes
 * nothing, and what a question costs does not grow with the number of those that wait.
 */
public final class Insight {
    /** Items that are looked at to find one that waits. */
    private static final int ITEMS_SEARCHED_MAX = 1_000;

    private final Organisation org;
    private final long now;

    public Insight(Organisation org, long now) {
        this.org = org;
        this.now = now;
    }

    /**
     * A run that lives, at a glance.
     *
     * @param running what of it is in flight, oldest grant first
     * @param steps every step, in the order of the definition
     */
    public record RunGlance(
            RunState state,
            RunGate.@Nullable Overrides overrides,
            List<UnitId> running,
            Map<String, StepGlance> steps) {}

    /**
     * A step of it.
     *
     * @param concurrency how many of its items may be in flight; absent where that is not limited
     * @param why the first thing that keeps it from starting; absent if it has ended or is about to start
     */
    public record StepGlance(
            StepState state,
            @Nullable WaitsFor waitsFor,
            @Nullable Integer concurrency,
            @Nullable Reason why) {}

    /** How a run stands and what each of its steps waits for. */
    public Optional<RunGlance> glance(String run) {
        Run found = org.runs.get(run);
        if (found == null) {
            return Optional.empty();
        }
        Map<String, StepGlance> steps = new LinkedHashMap<>();
        for (RunStep step : found.steps) {
            steps.put(step.planned.id(), glance(step));
        }
        return Optional.of(new RunGlance(found.state, found.overrides, org.running(run), steps));
    }

    private StepGlance glance(RunStep step) {
        var fanOut = step.planned.definition.fanOut();
        Integer concurrency = fanOut == null ? null : fanOut.concurrency();
        return new StepGlance(step.state, step.waitsFor, concurrency, first(step));
    }

    /** The first reason, without looking at who else waits. */
    private @Nullable Reason first(RunStep step) {
        Unit asking = asking(step);
        if (step.state.ended() || (asking.ticket == null && step.run.ticket == null)) {
            boolean begun = step.run.gate != null || step.state.ended();
            List<Reason> own = begun ? own(asking) : why(step.run);
            return own.isEmpty() ? null : own.getFirst();
        }
        var ticket = asking.ticket == null ? step.run.ticket : asking.ticket;
        return ticket == null
                ? null
                : org.admission
                        .refusal(ticket, now)
                        .map(refusal -> waitsForCalls(ticket, refusal.cause())
                                ? new Reason.CallPlaces()
                                : new Reason.Held(refusal.limit(), refusal.cause()))
                        .orElse(null);
    }

    /** Everything that keeps a step or item from starting; of a fanned-out step, its next item. Empty if nothing does. */
    public Optional<List<Reason>> why(UnitId id) {
        Unit found = org.find(id);
        if (found == null) {
            return Optional.empty();
        }
        Unit unit = found instanceof RunStep step ? asking(step) : found;
        if (unit.ticket != null) {
            return Optional.of(blocked(unit.ticket));
        }
        List<Reason> reasons = new ArrayList<>(own(unit));
        if (unit.run().gate == null && !unit.state.ended()) {
            reasons.addAll(why(unit.run()));
        } else if (unit.run().state == RunState.PAUSED && !unit.state.ended()) {
            reasons.add(new Reason.Paused());
        }
        return Optional.of(reasons);
    }

    /** Everything that keeps a run from starting; empty if it has started. */
    public Optional<List<Reason>> why(String run) {
        return Optional.ofNullable(org.runs.get(run)).map(this::why);
    }

    private List<Reason> why(Run run) {
        if (run.ticket != null) {
            return blocked(run.ticket);
        }
        List<Reason> reasons = new ArrayList<>();
        if (run.state == RunState.PAUSED) {
            reasons.add(new Reason.Paused());
        }
        if (run.gate == null && run.detail.notBefore() > now) {
            reasons.add(new Reason.Delayed(run.detail.notBefore()));
        }
        return reasons;
    }

    private List<Reason> blocked(Ticket ticket) {
        List<Reason> reasons = new ArrayList<>();
        for (Explanation.Blocker blocker : org.admission.explain(ticket, now).blockers()) {
            reasons.add(
                    waitsForCalls(ticket, blocker.cause())
                            ? new Reason.CallPlaces()
                            : new Reason.Blocked(
                                    blocker,
                                    blocker.holders().stream().map(Holder::of).toList()));
        }
        return reasons;
    }

    /** Calls have a worker in every node, which asks for them as long as it has places. */
    private static boolean waitsForCalls(Ticket ticket, Cause cause) {
        return cause == Cause.NO_WORKER
                && ticket.subject() instanceof Unit unit
                && unit.ask().module().equals(BuiltIn.CALL);
    }

    /** What keeps it besides limits. */
    private static List<Reason> own(Unit unit) {
        return switch (unit.state) {
            case BLOCKED -> dependency(unit.step());
            case READY, REQUESTED -> making(unit);
            case RUNNING -> List.of(inFlight(unit));
            case NEEDS_INPUT -> List.of(new Reason.NeedsInput(unit.detail.provided() != null));
            case BACKING_OFF -> List.of(new Reason.Backoff(unit.due, unit.attempts));
            case WAITING ->
                List.of(unit instanceof RunStep step ? waiting(step) : new Reason.Child(unit.detail.child()));
            case COMPLETED, FAILED, CANCELLED, SKIPPED -> List.of();
        };
    }

    private static List<Reason> making(Unit unit) {
        Items items = unit instanceof RunStep step ? step.items : null;
        return items != null && items.making()
                ? List.of(new Reason.MakingItems(items.madeCount, items.total))
                : List.of();
    }

    private static List<Reason> dependency(RunStep step) {
        List<String> open = step.planned.needs().stream()
                .filter(need -> !step.run.steps[need.index].state.ended())
                .map(PlannedStep::id)
                .toList();
        List<Reason> reasons = new ArrayList<>();
        if (!open.isEmpty()) {
            reasons.add(new Reason.Dependency(open));
        }
        for (PlannedStep need : step.planned.needs()) {
            RunStep other = step.run.steps[need.index];
            if (other.waitsFor == WaitsFor.INVALID_ARTIFACT) {
                reasons.add(new Reason.InvalidArtifact(need.id(), other.detail.lacks()));
            }
        }
        return reasons;
    }

    private static Reason inFlight(Unit unit) {
        Lease lease = unit.lease;
        return lease == null
                ? new Reason.AlreadyRunning(null, unit.fence, unit.step().since)
                : new Reason.AlreadyRunning(lease.claim.worker(), unit.fence, lease.claim.grantedAt());
    }

    private static Reason waiting(RunStep step) {
        WaitsFor waitsFor = step.waitsFor;
        if (waitsFor == null) {
            throw new IllegalStateException("expected what waiting step " + step.id() + " waits for, found nothing");
        }
        return switch (waitsFor) {
            case TIME -> new Reason.Timer(step.due);
            case GATE -> new Reason.Gate();
            case SIGNAL -> new Reason.Signal(Signals.name(step), step.due);
            case CHILD -> new Reason.Child(step.detail.child());
            case MISSING_INPUT -> new Reason.MissingInput(step.detail.lacks());
            case INVALID_ARTIFACT -> new Reason.InvalidArtifact(step.planned.id(), step.detail.lacks());
            case OPERATOR -> new Reason.Operator();
        };
    }

    /** The step itself, or its item that is next to start as far as that is quickly found. */
    static Unit asking(RunStep step) {
        Items items = step.items;
        if (items == null || items.madeCount == 0 || step.state.ended() || step.waitsFor != null) {
            return step;
        }
        // Items start in their order: those that have ended or are in flight are most likely the first ones.
        int guess = Math.min(items.ended + items.window.inFlight(), items.madeCount - 1);
        for (int i = 0; i < Math.min(ITEMS_SEARCHED_MAX, items.madeCount); i++) {
            Item item = items.get((guess + i) % items.madeCount);
            if (item.ticket != null) {
                return item;
            }
        }
        return step;
    }

    /** A flow-control key that is in use or operated. */
    public Optional<LimitView> findKey(String key) {
        return org.admission.find(new LimitId.Key(key), now);
    }

    /** Who holds a key, oldest grant first. */
    public List<Holder> holders(String key) {
        return findKey(key).stream()
                .flatMap(view -> view.holders().stream())
                .map(Holder::of)
                .toList();
    }

    /** Who waits at a key, oldest first. */
    public List<Holder> waitlist(String key, int most) {
        return org.admission.waitlist(new LimitId.Key(key), most).stream()
                .map(ticket -> Holder.of(ticket.subject(), ticket.since()))
                .toList();
    }

    /** Keys by name, after the given one. */
    public List<LimitView> keys(String prefix, String after, int most) {
        return org.admission.keys(prefix, after, most, now);
    }

    public dev.weir.core.admission.Admission.Totals totals() {
        return org.admission.totals();
    }
}
