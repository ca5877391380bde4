package dev.weir.core.life;

import dev.weir.core.admission.Explanation;
import dev.weir.core.admission.HoldCause;
import dev.weir.core.admission.LimitDirectory;
import dev.weir.core.admission.LimitSnapshot;
import dev.weir.core.admission.RunOverrides;
import dev.weir.core.admission.Ticket;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Moment;
import dev.weir.core.plan.BuiltInModule;
import dev.weir.core.plan.PlannedStep;
import dev.weir.core.state.AwaitedEvent;
import dev.weir.core.state.RetryAfterHold;
import dev.weir.core.state.RunState;
import dev.weir.core.state.StepState;
import dev.weir.core.state.UnitId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Answers people's questions about an organisation: why something waits, who holds a limit, how a run stands. It
 * changes nothing, and the cost of a question does not grow with the number of waiting tickets.
 */
public final class OrganisationQueries {
    /** The largest number of items that are searched for one that waits. */
    private static final int ITEMS_SEARCHED_MAX = 1_000;
    /** The time after which a held run is checked again if its limits give no expected time, in microseconds. */
    private static final long HOLD_CHECK = 1_000_000;
    /**
     * The largest jitter of that time, in microseconds, so that runs that are held together are not all checked at
     * once.
     */
    private static final long HOLD_JITTER_MAX = 1_000_000;

    private final Organisation org;
    private final long now;

    public OrganisationQueries(Organisation org, long now) {
        this.org = org;
        this.now = now;
    }

    /**
     * The current state of a live run.
     *
     * @param running the units in flight, oldest grant first
     * @param steps every step, in definition order
     * @param holdUntil the latest time at which the limits that hold a queued run are checked again; freed capacity
     *     admits it sooner. Absent if no limit holds it
     * @param now the time of the query
     */
    public record RunGlance(
            RunState state,
            @Nullable RunOverrides overrides,
            List<UnitId> running,
            Map<String, StepGlance> steps,
            @Nullable Long holdUntil,
            long now) {}

    /**
     * The current state of one step of the run.
     *
     * @param concurrency the number of its items that may be in flight; absent if that is not limited
     * @param items the progress of its fan-out; absent if it has none, or has not begun
     * @param why the first reason why it does not start; absent if it has ended or is about to start
     */
    public record StepGlance(
            StepState state,
            @Nullable AwaitedEvent waitsFor,
            @Nullable Integer concurrency,
            @Nullable ItemCounts items,
            @Nullable WaitReason why) {}

    /** The progress of a fan-out: the number of its items, and how many are in flight, ended and failed. */
    public record ItemCounts(int total, int inFlight, int ended, int failed) {}

    /** Returns the state of a run, and what each of its steps waits for. */
    public Optional<RunGlance> glance(String run) {
        Run found = org.runs.get(run);
        if (found == null) {
            return Optional.empty();
        }
        Map<String, StepGlance> steps = new LinkedHashMap<>();
        for (RunStep step : found.steps) {
            steps.put(step.planned.id(), glance(step));
        }
        return Optional.of(new RunGlance(found.state, found.overrides, org.running(run), steps, holdUntil(found), now));
    }

    private @Nullable Long holdUntil(Run run) {
        if (run.ticket == null) {
            return null;
        }
        long until = Long.MIN_VALUE;
        for (Explanation.Blocker blocker :
                org.admission.explain(run.ticket, now).blockers()) {
            Explanation.Expected expected = blocker.expected();
            until = Math.max(until, expected == null ? Moment.plus(now, HOLD_CHECK) : expected.at());
        }
        return until == Long.MIN_VALUE ? null : (Long) Moment.plus(until, RetryDelay.spread(run.id(), HOLD_JITTER_MAX));
    }

    private StepGlance glance(RunStep step) {
        var fanOut = step.planned.definition().fanOut();
        Integer concurrency = fanOut == null ? null : fanOut.concurrency();
        return new StepGlance(step.state, step.waitsFor, concurrency, counts(step.items), first(step));
    }

    private static @Nullable ItemCounts counts(@Nullable ItemSet items) {
        return items == null ? null : new ItemCounts(items.total, items.window.inFlight(), items.ended, items.failed);
    }

    /** Returns the first reason why a step waits, without looking at other tickets. */
    private @Nullable WaitReason first(RunStep step) {
        Unit asking = asking(step);
        if (step.state.ended() || (asking.ticket == null && step.run.ticket == null)) {
            boolean begun = step.run.gate != null || step.state.ended();
            List<WaitReason> own = begun ? own(asking) : why(step.run);
            return own.isEmpty() ? null : own.getFirst();
        }
        var ticket = asking.ticket == null ? step.run.ticket : asking.ticket;
        return ticket == null
                ? null
                : org.admission
                        .refusal(ticket, now)
                        .map(refusal -> waitsForCalls(ticket, refusal.cause())
                                ? new WaitReason.CallPlaces()
                                : new WaitReason.Held(refusal.limit(), refusal.cause()))
                        .orElse(null);
    }

    /**
     * Returns everything that keeps a step or item from starting, or of a fan-out its next item. The list is empty if
     * nothing does.
     */
    public Optional<List<WaitReason>> why(UnitId id) {
        Unit found = org.find(id);
        if (found == null) {
            return Optional.empty();
        }
        Unit unit = found instanceof RunStep step ? asking(step) : found;
        if (unit.ticket != null) {
            return Optional.of(blocked(unit.ticket));
        }
        List<WaitReason> reasons = new ArrayList<>(own(unit));
        if (unit.run().gate == null && !unit.state.ended()) {
            reasons.addAll(why(unit.run()));
        } else if (unit.run().state == RunState.PAUSED && !unit.state.ended()) {
            reasons.add(new WaitReason.Paused());
        }
        return Optional.of(reasons);
    }

    /** Returns everything that keeps a run from starting. The list is empty if it has started. */
    public Optional<List<WaitReason>> why(String run) {
        return Optional.ofNullable(org.runs.get(run)).map(this::why);
    }

    private List<WaitReason> why(Run run) {
        if (run.ticket != null) {
            return blocked(run.ticket);
        }
        List<WaitReason> reasons = new ArrayList<>();
        if (run.state == RunState.PAUSED) {
            reasons.add(new WaitReason.Paused());
        }
        if (run.gate == null && run.detail.notBefore() > now) {
            reasons.add(new WaitReason.Delayed(run.detail.notBefore()));
        }
        return reasons;
    }

    private List<WaitReason> blocked(Ticket ticket) {
        List<WaitReason> reasons = new ArrayList<>();
        for (Explanation.Blocker blocker : org.admission.explain(ticket, now).blockers()) {
            reasons.add(
                    waitsForCalls(ticket, blocker.cause())
                            ? new WaitReason.CallPlaces()
                            : new WaitReason.Blocked(
                                    blocker,
                                    blocker.holders().stream()
                                            .map(TicketOwner::of)
                                            .toList()));
        }
        return reasons;
    }

    /**
     * True if a call waits for its node's capacity for calls. Every node has a worker for calls, which polls as long as
     * it has room.
     */
    private static boolean waitsForCalls(Ticket ticket, HoldCause cause) {
        return cause == HoldCause.NO_WORKER
                && ticket.subject() instanceof Unit unit
                && unit.ask().module().equals(BuiltInModule.CALL);
    }

    /** Returns the reasons other than limits. */
    private static List<WaitReason> own(Unit unit) {
        return switch (unit.state) {
            case BLOCKED -> dependency(unit.step());
            case READY, REQUESTED -> making(unit);
            case RUNNING -> List.of(inFlight(unit));
            case NEEDS_INPUT -> List.of(new WaitReason.NeedsInput(unit.detail.provided() != null));
            case BACKING_OFF -> List.of(new WaitReason.Backoff(unit.due, unit.attempts));
            case WAITING ->
                List.of(unit instanceof RunStep step ? waiting(step) : new WaitReason.Child(unit.detail.child()));
            case COMPLETED, FAILED, CANCELLED, SKIPPED -> List.of();
        };
    }

    private static List<WaitReason> making(Unit unit) {
        ItemSet items = unit instanceof RunStep step ? step.items : null;
        return items != null && items.making()
                ? List.of(new WaitReason.MakingItems(items.madeCount, items.total))
                : List.of();
    }

    private static List<WaitReason> dependency(RunStep step) {
        List<String> open = step.planned.needs().stream()
                .filter(need -> !step.run.steps[need.index()].state.ended())
                .map(PlannedStep::id)
                .toList();
        List<WaitReason> reasons = new ArrayList<>();
        if (!open.isEmpty()) {
            reasons.add(new WaitReason.Dependency(open));
        } else if (step.run.gate != null) {
            reasons.add(new WaitReason.Rendering());
        }
        for (PlannedStep need : step.planned.needs()) {
            RunStep other = step.run.steps[need.index()];
            if (other.waitsFor == AwaitedEvent.INVALID_ARTIFACT) {
                reasons.add(new WaitReason.InvalidArtifact(need.id(), other.detail.lacks()));
            }
        }
        return reasons;
    }

    private static WaitReason inFlight(Unit unit) {
        LiveClaim lease = unit.lease;
        return lease == null
                ? new WaitReason.AlreadyRunning(null, unit.fence, unit.step().since)
                : new WaitReason.AlreadyRunning(lease.claim.worker(), unit.fence, lease.claim.grantedAt());
    }

    private static WaitReason waiting(RunStep step) {
        AwaitedEvent waitsFor = step.waitsFor;
        if (waitsFor == null) {
            throw new IllegalStateException("expected what waiting step " + step.id() + " waits for, found nothing");
        }
        return switch (waitsFor) {
            case TIME -> new WaitReason.Timer(step.due);
            case GATE -> new WaitReason.Gate();
            case SIGNAL -> new WaitReason.Signal(SignalDelivery.name(step), step.due);
            case CHILD -> new WaitReason.Child(step.detail.child());
            case MISSING_INPUT -> new WaitReason.MissingInput(step.detail.lacks());
            case INVALID_ARTIFACT -> new WaitReason.InvalidArtifact(step.planned.id(), step.detail.lacks());
            case OPERATOR -> new WaitReason.Operator();
        };
    }

    /** Returns the step itself, or its item that starts next if a short search finds it. */
    static Unit asking(RunStep step) {
        ItemSet items = step.items;
        if (items == null || items.madeCount == 0 || step.state.ended() || step.waitsFor != null) {
            return step;
        }
        // Items start in order, so those that have ended or are in flight are most likely the first ones.
        int guess = Math.min(items.ended + items.window.inFlight(), items.madeCount - 1);
        for (int i = 0; i < Math.min(ITEMS_SEARCHED_MAX, items.madeCount); i++) {
            Item item = items.get((guess + i) % items.madeCount);
            if (item.ticket != null) {
                return item;
            }
        }
        return step;
    }

    /**
     * The current state of a flow-control key.
     *
     * @param limit the limit; its {@code paused} is true if anything stops new starts
     * @param paused true if an operator stopped new starts
     * @param retryAfter the hold that a called service asked for; absent if there is none
     */
    public record KeyGlance(
            LimitSnapshot limit, boolean paused, @Nullable RetryAfterHold retryAfter) {}

    /** Finds a flow-control key that is in use or has an operator's setting. */
    public Optional<LimitSnapshot> findKey(String key) {
        return org.admission.find(new LimitId.Key(key), now);
    }

    /** Returns a flow-control key with everything that stops it. */
    public KeyGlance glance(LimitSnapshot limit) {
        RetryAfterHold hold = org.operated.holds.get(limit.limit());
        boolean paused = org.operated.pauses.getOrDefault(limit.limit(), Long.MIN_VALUE) > now;
        return new KeyGlance(limit, paused, hold == null || hold.until() <= now ? null : hold);
    }

    /** Returns the owners of a key's allocations, oldest grant first. */
    public List<TicketOwner> holders(String key) {
        return findKey(key).stream()
                .flatMap(view -> view.holders().stream())
                .map(TicketOwner::of)
                .toList();
    }

    /** Returns the steps and runs that a key refuses, oldest first. */
    public List<TicketOwner> waitlist(String key, int most) {
        return org.admission.waitlist(new LimitId.Key(key), most, now).stream()
                .map(ticket -> TicketOwner.of(ticket.subject(), ticket.since()))
                .toList();
    }

    /** Returns keys by name, after the given one. */
    public List<LimitSnapshot> keys(String prefix, String after, int most) {
        return org.admission.directory().keys(prefix, after, most, now);
    }

    /** Returns known flow-control keys, in no particular order. */
    public List<LimitId.Key> keyIds(int most) {
        return org.admission.directory().keyIds(most);
    }

    /** Returns those of the given flow-control keys that are still known. */
    public List<LimitSnapshot> keys(List<LimitId.Key> ids) {
        return org.admission.directory().keys(ids, now);
    }

    /** Returns sums over the keys whose names begin with the prefix. */
    public LimitDirectory.Totals totals(String prefix) {
        return org.admission.directory().totals(prefix, now);
    }
}
