package dev.weir.core.explain;

import dev.weir.core.admission.Explanation;
import dev.weir.core.admission.HoldCause;
import dev.weir.core.admission.KeySlice;
import dev.weir.core.admission.LimitDirectory;
import dev.weir.core.admission.LimitSnapshot;
import dev.weir.core.admission.OveruseSlice;
import dev.weir.core.admission.RunOverrides;
import dev.weir.core.definition.Action;
import dev.weir.core.limit.CountedStart;
import dev.weir.core.limit.HoldCheck;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Moment;
import dev.weir.core.plan.BuiltInModule;
import dev.weir.core.plan.LimitNeeds;
import dev.weir.core.plan.PlannedStep;
import dev.weir.core.run.ItemProgress;
import dev.weir.core.run.Organisation;
import dev.weir.core.run.OrganisationView;
import dev.weir.core.run.TicketOwner;
import dev.weir.core.state.AwaitedEvent;
import dev.weir.core.state.FullQueue;
import dev.weir.core.state.RetryAfterHold;
import dev.weir.core.state.RunRow;
import dev.weir.core.state.RunState;
import dev.weir.core.state.StepRow;
import dev.weir.core.state.StepState;
import dev.weir.core.state.UnitId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Answers people's questions about an organisation: why something waits, who holds a limit, how a run stands. It
 * changes nothing, and the cost of a question does not grow with the number of waiting tickets.
 */
public final class OrganisationQueries {
    private final Organisation org;
    private final OrganisationView view;
    private final long now;

    public OrganisationQueries(Organisation org, long now) {
        this.org = org;
        this.view = org.view();
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
    public record RunSnapshot(
            RunState state,
            @Nullable RunOverrides overrides,
            List<UnitId> running,
            Map<String, StepSnapshot> steps,
            @Nullable Long holdUntil,
            long now) {}

    /**
     * The current state of one step of the run.
     *
     * @param concurrency the number of its items that may be in flight; absent if that is not limited
     * @param items the progress of its fan-out; absent if it has none, or has not begun
     * @param why the first reason why it does not start; absent if it has ended or is about to start
     * @param waits the waiting time so far, of a fan-out that of its next item
     */
    public record StepSnapshot(
            StepState state,
            @Nullable AwaitedEvent waitsFor,
            @Nullable Integer concurrency,
            @Nullable ItemCounts items,
            @Nullable WaitReason why,
            StepWaits waits) {}

    /** The progress of a fan-out: the number of its items, and how many are in flight, ended and failed. */
    public record ItemCounts(int total, int inFlight, int ended, int failed) {}

    /** Returns the state of a run, and what each of its steps waits for. */
    public Optional<RunSnapshot> snapshot(String run) {
        return org.findRun(run).map(this::snapshot);
    }

    private RunSnapshot snapshot(RunRow run) {
        Map<String, StepSnapshot> steps = new LinkedHashMap<>();
        for (PlannedStep step : run.request().plan().steps()) {
            steps.put(step.id(), snapshot(run, step));
        }
        return new RunSnapshot(run.state(), run.overrides(), org.running(run.id()), steps, holdUntil(run.id()), now);
    }

    private @Nullable Long holdUntil(String run) {
        List<Explanation.Blocker> blockers =
                org.why(run, now).map(Explanation::blockers).orElse(List.of());
        return blockers.isEmpty() ? null : (Long) holdUntil(run, blockers);
    }

    private long holdUntil(String run, List<Explanation.Blocker> blockers) {
        long until = now;
        for (Explanation.Blocker blocker : blockers) {
            Explanation.Expected expected = blocker.expected();
            until = Math.max(until, expected == null ? Moment.plus(now, HoldCheck.INTERVAL_MICROS) : expected.at());
        }
        return HoldCheck.at(run, until, now);
    }

    private StepSnapshot snapshot(RunRow run, PlannedStep planned) {
        StepRow step = row(UnitId.of(run.id(), planned.id()));
        var fanOut = planned.definition().fanOut();
        Integer concurrency = fanOut == null ? null : fanOut.concurrency();
        ItemCounts items = view.findItems(step.id())
                .map(found -> new ItemCounts(found.total(), found.inFlight(), found.ended(), found.failed()))
                .orElse(null);
        StepWaits waits = StepWaits.of(org, row(view.nextUnit(step.id())));
        return new StepSnapshot(step.state(), step.waitsFor(), concurrency, items, firstReason(run, step), waits);
    }

    private StepRow row(UnitId unit) {
        return org.findStep(unit)
                .orElseThrow(() -> new IllegalStateException("expected a step of a live run, found " + unit));
    }

    private static boolean hasStarted(RunRow run) {
        return run.startedAt() != RunRow.NOT_STARTED;
    }

    /** Returns the first reason why a step waits, without looking at other tickets. */
    private @Nullable WaitReason firstReason(RunRow run, StepRow step) {
        UnitId queuedUnit = view.nextUnit(step.id());
        boolean queued = view.isQueued(queuedUnit);
        if (step.state().ended() || (!queued && !view.isQueued(run.id()))) {
            boolean hasBegun = hasStarted(run) || step.state().ended();
            List<WaitReason> ownReasons = hasBegun ? ownReasons(run, row(queuedUnit)) : why(run);
            return ownReasons.isEmpty() ? null : ownReasons.getFirst();
        }
        if (org.isSuspended()) {
            return new WaitReason.Suspended();
        }
        String module = queued ? module(queuedUnit) : null;
        return (queued ? org.firstHold(queuedUnit, now) : org.firstHold(run.id(), now))
                .map(hold -> isWaitingForCallCapacity(module, hold.cause())
                        ? new WaitReason.CallCapacity()
                        : new WaitReason.Held(hold.limit(), hold.cause()))
                .orElse(null);
    }

    /**
     * Returns everything that keeps a step or item from starting, or of a fan-out its next item. The list is empty if
     * nothing does.
     */
    public Optional<List<WaitReason>> why(UnitId id) {
        return org.findStep(id).map(found -> why(id, view.nextUnit(id)));
    }

    private List<WaitReason> why(UnitId id, UnitId queuedUnit) {
        Optional<Explanation> explanation = org.why(queuedUnit, now);
        if (explanation.isPresent()) {
            return limitReasons(module(queuedUnit), explanation.get());
        }
        RunRow run = org.findRun(id.run())
                .orElseThrow(() -> new IllegalStateException("expected the run of " + id + ", found none"));
        StepRow unit = row(queuedUnit);
        List<WaitReason> reasons = new ArrayList<>(ownReasons(run, unit));
        if (!hasStarted(run) && !unit.state().ended()) {
            reasons.addAll(why(run));
        } else if (run.state() == RunState.PAUSED && !unit.state().ended()) {
            reasons.add(new WaitReason.Paused());
        }
        return reasons;
    }

    /** Returns everything that keeps a run from starting. The list is empty if it has started. */
    public Optional<List<WaitReason>> why(String run) {
        return org.findRun(run).map(this::why);
    }

    private List<WaitReason> why(RunRow run) {
        Optional<Explanation> explanation = org.why(run.id(), now);
        if (explanation.isPresent()) {
            return limitReasons(null, explanation.get());
        }
        List<WaitReason> reasons = new ArrayList<>();
        if (run.state() == RunState.PAUSED) {
            reasons.add(new WaitReason.Paused());
        }
        if (!hasStarted(run) && run.detail().notBefore() > now) {
            reasons.add(new WaitReason.Delayed(run.detail().notBefore()));
        }
        return reasons;
    }

    private List<WaitReason> limitReasons(@Nullable String module, Explanation explanation) {
        List<WaitReason> reasons = new ArrayList<>();
        if (org.isSuspended()) {
            reasons.add(new WaitReason.Suspended());
        }
        for (Explanation.Blocker blocker : explanation.blockers()) {
            reasons.add(
                    isWaitingForCallCapacity(module, blocker.cause())
                            ? new WaitReason.CallCapacity()
                            : new WaitReason.Blocked(
                                    blocker,
                                    blocker.holders().stream()
                                            .map(TicketOwner::of)
                                            .toList()));
        }
        return reasons;
    }

    /** Returns the module of a step or item that waits for its limits. */
    private @Nullable String module(UnitId unit) {
        LimitNeeds needs = row(unit).limitNeeds();
        return needs == null ? null : needs.module();
    }

    /**
     * True if a call waits for its node's capacity for calls. Every node has a worker for calls, which polls as long as
     * it has room.
     */
    private static boolean isWaitingForCallCapacity(@Nullable String module, HoldCause cause) {
        return cause == HoldCause.NO_WORKER && BuiltInModule.CALL.equals(module);
    }

    /** Returns the reasons other than limits. */
    private List<WaitReason> ownReasons(RunRow run, StepRow unit) {
        return switch (unit.state()) {
            case BLOCKED -> dependencyReasons(run, unit);
            case READY, REQUESTED -> itemCreationReasons(unit);
            case RUNNING -> List.of(inFlightReason(unit));
            case NEEDS_INPUT -> List.of(new WaitReason.NeedsInput(unit.detail().provided() != null));
            case BACKING_OFF -> List.of(new WaitReason.Backoff(unit.due(), unit.attempts()));
            case WAITING -> List.of(waitingReason(run, unit));
            case COMPLETED, FAILED, CANCELLED, SKIPPED -> List.of();
        };
    }

    private List<WaitReason> itemCreationReasons(StepRow unit) {
        return view.findItems(unit.id())
                .filter(ItemProgress::creating)
                .<List<WaitReason>>map(items -> List.of(new WaitReason.MakingItems(items.created(), items.total())))
                .orElse(List.of());
    }

    private List<WaitReason> dependencyReasons(RunRow run, StepRow step) {
        List<StepRow> needs = planned(run, step).needs().stream()
                .map(need -> row(UnitId.of(run.id(), need.id())))
                .toList();
        List<String> open = needs.stream()
                .filter(need -> !need.state().ended())
                .map(need -> need.id().step())
                .toList();
        List<WaitReason> reasons = new ArrayList<>();
        if (!open.isEmpty()) {
            reasons.add(new WaitReason.Dependency(open));
        } else if (hasStarted(run)) {
            reasons.add(new WaitReason.Rendering());
        }
        for (StepRow need : needs) {
            if (need.waitsFor() == AwaitedEvent.INVALID_ARTIFACT) {
                reasons.add(new WaitReason.InvalidArtifact(
                        need.id().step(), need.detail().dataProblem()));
            }
        }
        return reasons;
    }

    private static PlannedStep planned(RunRow run, StepRow unit) {
        return Objects.requireNonNull(run.request().plan().find(unit.id().step()), unit.id()::step);
    }

    private WaitReason inFlightReason(StepRow unit) {
        return org.findClaim(unit.id())
                .map(claim -> new WaitReason.AlreadyRunning(claim.worker(), unit.fence(), claim.grantedAt()))
                .orElseGet(() -> new WaitReason.AlreadyRunning(null, unit.fence(), unit.since()));
    }

    private static WaitReason waitingReason(RunRow run, StepRow unit) {
        AwaitedEvent waitsFor = unit.waitsFor();
        if (waitsFor == null) {
            throw new IllegalStateException("expected a reason why step " + unit.id() + " waits, found none");
        }
        return switch (waitsFor) {
            case TIME -> new WaitReason.Timer(unit.due());
            case GATE -> new WaitReason.Gate();
            case SIGNAL -> new WaitReason.Signal(signal(run, unit), unit.due());
            case CHILD -> new WaitReason.Child(unit.detail().child());
            case MISSING_INPUT -> new WaitReason.MissingInput(unit.detail().dataProblem());
            case INVALID_ARTIFACT ->
                new WaitReason.InvalidArtifact(unit.id().step(), unit.detail().dataProblem());
            case OPERATOR -> new WaitReason.Operator();
        };
    }

    private static @Nullable String signal(RunRow run, StepRow step) {
        return planned(run, step).definition().action() instanceof Action.WaitFor waitFor ? waitFor.signal() : null;
    }

    /** Finds a flow-control key that is in use or has an operator's setting. */
    public Optional<LimitSnapshot> findKey(String key) {
        return view.findLimit(new LimitId.Key(key), now);
    }

    /** Returns a flow-control key with everything that stops it. */
    public KeySnapshot snapshot(LimitSnapshot limit) {
        RetryAfterHold hold = view.findRetryAfter(limit.limit(), now).orElse(null);
        return new KeySnapshot(limit, view.findPause(limit.limit(), now).orElse(null), hold);
    }

    /** Returns the owners of a key's allocations, oldest grant first. */
    public List<TicketOwner> holders(String key, int max) {
        return findKey(key).stream()
                .flatMap(view -> view.holders().stream())
                .limit(max)
                .map(TicketOwner::of)
                .toList();
    }

    /** Returns the newest starts that the rate of a key counts, oldest first. */
    public List<CountedStart> rateStarts(String key, int max) {
        return view.limits().rateStarts(new LimitId.Key(key), max, now);
    }

    /** Returns the steps and runs that a key refuses, oldest first. */
    public List<OrganisationView.WaitingOwner> waitlist(String key, int max) {
        return view.waitlist(new LimitId.Key(key), max, now);
    }

    /** Returns the operators' values for a limit on runs, and its usage. */
    public RunLimitSnapshot runLimits(LimitId.Runs limit) {
        return new RunLimitSnapshot(
                view.runLimits(limit), view.findLimit(limit, now).orElse(null), now);
    }

    /**
     * Evaluates if a run could start now. This is a dry run through the rules that decide about real starts; it changes
     * nothing and promises nothing.
     *
     * @param id the id that the jitter of a deferral depends on
     */
    public StartEvaluation evaluate(StartQuestion question, String id) {
        Optional<String> closed = view.findStartRefusal(question.workflow().name());
        if (closed.isPresent()) {
            return new StartEvaluation.Closed(closed.get());
        }
        int maxDepth = view.maxCascadeDepth(question.workflow(), now);
        if (question.depth() > maxDepth) {
            return new StartEvaluation.CascadeDetected(question.depth(), maxDepth);
        }
        Optional<FullQueue> full = view.findFullQueue(question.needs(), now);
        if (full.isPresent()) {
            return new StartEvaluation.Refused(full.get());
        }
        Explanation explanation = view.explainStart(question.needs(), now);
        return explanation.blockers().isEmpty()
                ? new StartEvaluation.Allowed()
                : new StartEvaluation.Deferred(
                        holdUntil(id, explanation.blockers()) - now, limitReasons(null, explanation));
    }

    /** Returns summaries of the keys among the next shared limits (see {@link LimitDirectory#slice}). */
    public KeySlice keySlice(long after, int max) {
        return view.limits().slice(after, max, now);
    }

    /** Checks the keys among the next shared limits (see {@link LimitDirectory#overuse}). */
    public OveruseSlice overuse(long after, int max) {
        return view.limits().overuse(after, max, now);
    }

    /** Returns those of the given flow-control keys that are still known. */
    public List<LimitSnapshot> keys(List<LimitId.Key> ids) {
        return view.limits().keys(ids, now);
    }

    /** Returns the waiting work that needs more of a key than its present values allow. */
    public List<LimitDirectory.TooWide> tooWide(String key) {
        return view.limits().tooWide(new LimitId.Key(key));
    }
}
