package dev.weir.simulator;

import dev.weir.core.definition.Compensation;
import dev.weir.core.definition.FlowControl;
import dev.weir.core.definition.Step;
import dev.weir.core.definition.Workflow;
import dev.weir.core.state.Claim;
import dev.weir.core.state.Move;
import dev.weir.core.state.RunRow;
import dev.weir.core.state.RunState;
import dev.weir.core.state.StepRow;
import dev.weir.core.state.StepState;
import dev.weir.core.state.UnitId;
import dev.weir.simulator.OperatorValues.Overridden;
import dev.weir.simulator.OperatorValues.Pinned;
import dev.weir.simulator.Requirement.StartRate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The state that follows from the trace so far: runs, units, claims, polls, operators' values. All are plain. */
final class TraceState {
    final Map<String, RunFacts> runs = new LinkedHashMap<>();
    final Map<UnitId, UnitFacts> units = new LinkedHashMap<>();
    final Map<UnitId, Claim> liveClaims = new LinkedHashMap<>();
    /** The needs of the units with a live claim, which are their allocations. */
    final Map<UnitId, Requirement> allocations = new LinkedHashMap<>();

    final Map<String, Set<String>> polls = new LinkedHashMap<>();
    /** The time up to which this state is current. */
    private long now;
    /** The values that operators have set, by limit. */
    final Map<String, Pinned> pins = new HashMap<>();

    final Pauses pauses = new Pauses();
    final Map<String, Long> holds = new HashMap<>();
    /** Starts that count against rates, oldest first, since the last reset. */
    final Map<String, List<RateStart>> startsByLimit = new HashMap<>();

    /** One start under a shared limit. */
    record RateStart(long at, int cost) {}

    /** A run, according to the trace. */
    static final class RunFacts {
        final Workflow workflow;
        /** The targeted steps and all steps that they need; null if all steps are wanted. */
        final @Nullable Set<String> targeted;
        /** The step that invoked this run. */
        final @Nullable UnitId parent;

        /** The keys that its steps inherit in place of the workflow's; null if the workflow's apply. */
        final @Nullable List<FlowControl> flowControl;

        final long acceptedAt;
        JsonNode input;
        /** True if this run uses the place of the run that invoked it. */
        boolean borrows;

        /** The needs of the run, which are its allocation once it has started. */
        Requirement requirement;

        long notBefore;
        long startedAt;
        RunState state;
        /** The overridden limits of the run; null if no operator has set any. */
        @Nullable
        Overridden overridden;

        boolean hasAllocation;
        final List<Long> starts = new ArrayList<>();
        final Set<UnitId> running = new LinkedHashSet<>();

        RunFacts(RunRow row) {
            this.workflow = row.request().plan().workflow();
            this.flowControl = row.request().flowControl();
            this.acceptedAt = row.acceptedAt();
            this.input = row.input();
            this.borrows = row.detail().borrows();
            this.notBefore = row.detail().notBefore();
            this.state = row.state();
            List<String> targets = row.request().options().targets();
            this.targeted = targets.isEmpty() ? null : withNeeds(targets);
            this.parent = row.request().lineage().parent();
            this.requirement = Requirements.ofRun(this, Set.of());
        }

        private Set<String> withNeeds(List<String> targets) {
            Set<String> found = new LinkedHashSet<>();
            List<String> next = new ArrayList<>(targets);
            while (!next.isEmpty()) {
                String step = next.removeLast();
                if (found.add(step)) {
                    next.addAll(workflow.step(step).needs());
                }
            }
            return found;
        }

        boolean isTargeted(UnitId unit) {
            return targeted == null
                    || targeted.contains(unit.step())
                    || unit.step().endsWith(Compensation.SUFFIX);
        }

        @Nullable
        Integer maxSteps(long now) {
            Integer own = overridden == null ? null : overridden.maxSteps().at(now);
            return own == null ? workflow.runLimits().maxConcurrentSteps() : own;
        }

        @Nullable
        Integer maxSlots(long now) {
            Integer own = overridden == null ? null : overridden.maxSlots().at(now);
            return own == null ? workflow.runLimits().maxParallel() : own;
        }

        Step step(UnitId unit) {
            return workflow.step(unit.step());
        }
    }

    /** A step or item, according to the trace. */
    static final class UnitFacts {
        StepState state;

        /** The needs of the unit; null until they are known. */
        @Nullable
        Requirement requirement;

        /** The needs as last derived from the definition, and the input of the run at that time. */
        private @Nullable Requirement derived;

        private @Nullable JsonNode derivedFrom;

        boolean fannedOut;
        long since;
        /** True if the row of its claim was removed and nothing was decided since. */
        boolean claimRemoved;

        UnitFacts(StepState state) {
            this.state = state;
        }

        void apply(StepRow row, RunFacts run) {
            state = row.state();
            claimRemoved = false;
            requirement = row.limitNeeds() == null ? null : derive(row.id(), run);
            fannedOut = row.items() != StepRow.NOT_FANNED_OUT;
            since = row.since();
        }

        private Requirement derive(UnitId id, RunFacts run) {
            if (derived == null || !run.input.equals(derivedFrom)) {
                derived = Requirements.ofStep(run, id);
                derivedFrom = run.input;
            }
            return derived;
        }

        /** True if the unit asks to start. */
        boolean isWaiting() {
            return requirement != null
                    && !fannedOut
                    && (isReadyState(state) || (claimRemoved && state == StepState.RUNNING));
        }

        /** True if the unit can be in this state according to the trace. A unit that lost its claim may ask again. */
        boolean canBe(StepState expected) {
            return state == expected || (claimRemoved && state == StepState.RUNNING && isReadyState(expected));
        }

        private static boolean isReadyState(StepState state) {
            return state == StepState.READY || state == StepState.REQUESTED;
        }
    }

    /** True if a unit asks to start. Items of a step whose approval was revoked do not. */
    boolean isWaitingToStart(UnitId id, UnitFacts unit) {
        UnitFacts step = id.item() == UnitId.NO_ITEM ? null : units.get(UnitId.of(id.run(), id.step()));
        return unit.isWaiting() && (step == null || step.state != StepState.WAITING);
    }

    RunFacts run(UnitId unit) {
        return run(unit.run());
    }

    RunFacts run(String id) {
        RunFacts run = runs.get(id);
        if (run == null) {
            throw new Violation("S5", "nothing was accepted as run " + id);
        }
        return run;
    }

    @Nullable
    StepState state(UnitId unit) {
        UnitFacts found = units.get(unit);
        return found == null ? null : found.state;
    }

    /** The needs, by definition, of a unit that is claimed or asks to be. */
    Requirement requirement(UnitId unit) {
        UnitFacts found = units.get(unit);
        if (found == null || found.requirement == null) {
            throw new Violation("S5", unit + " asks for nothing");
        }
        return found.requirement;
    }

    /** The pinned parallelism that is in force; null if there is none. */
    @Nullable
    Integer pinnedParallelism(String limit) {
        Pinned pin = OperatorValues.find(pins, limit);
        return pin == null ? null : pin.parallelism().at(now);
    }

    /** The pinned rate that is in force; null if there is none. */
    @Nullable
    StartRate pinnedRate(String limit) {
        Pinned pin = OperatorValues.find(pins, limit);
        return pin == null ? null : pin.startRate().at(now);
    }

    /** Removes a claim whose row is gone although nobody ended it. */
    void removeClaim(UnitId unit) {
        liveClaims.remove(unit);
        allocations.remove(unit);
        run(unit).running.remove(unit);
        Objects.requireNonNull(units.get(unit)).claimRemoved = true;
    }

    /** Removes the values that time alone has ended. */
    void expire(long time) {
        now = time;
        pins.values().removeIf(pin -> pin.isExpired(now));
        pauses.expire(now);
        holds.values().removeIf(until -> until <= now);
    }

    void apply(Move move) {
        switch (move) {
            case Move.RunAccepted accepted -> {
                var run = new RunFacts(accepted.row());
                runs.put(accepted.row().id(), run);
                applyRunChange(run, accepted.row().detail());
            }
            case Move.RunMoved moved -> applyRunMove(moved);
            case Move.RunHeld ignored -> {}
            case Move.RunStopping ignored -> {}
            case Move.RunOverridden overridden ->
                run(overridden.run()).overridden = OperatorValues.overridden(overridden);
            case Move.StepMoved moved -> apply(moved.row());
            case Move.ItemCreated made -> apply(made.row());
            case Move.Granted granted -> applyGrant(granted);
            case Move.RunChanged changed -> applyRunChange(run(changed.run()), changed.detail());
            case Move.StepPutAhead ignored -> {}
            case Move.OutputAmended ignored -> {}
            case Move.SignalKept ignored -> {}
            case Move.SignalTaken ignored -> {}
            case Move.DeadlineNear ignored -> {}
            case Move.StepChanged ignored -> {}
            case Move.Resumed resumed -> {
                apply(resumed.row());
                liveClaims.put(resumed.claim().unit(), resumed.claim());
                allocations.put(
                        resumed.claim().unit(), requirement(resumed.claim().unit()));
                // This also applies if the row was removed meanwhile: the engine writes the whole resumed claim.
                RunFacts run = run(resumed.claim().unit());
                run.running.remove(resumed.claim().unit());
                run.running.add(resumed.claim().unit());
            }
            case Move.FenceRaised ignored -> {}
            case Move.ListeningRecorded ignored -> {}
            case Move.Extended extended ->
                liveClaims.computeIfPresent(extended.unit(), (unit, claim) -> withUntil(claim, extended.until()));
            case Move.Released released -> {
                liveClaims.remove(released.unit());
                allocations.remove(released.unit());
                run(released.unit()).running.remove(released.unit());
            }
            case Move.KeyPinned pinned -> pins.put(pinned.limit().text(), OperatorValues.pinned(pinned));
            case Move.KeyUnpinned unpinned -> pins.remove(unpinned.limit().text());
            case Move.RunLimitsConfigured configured -> OperatorValues.configure(pins, configured);
            case Move.KeyPaused paused -> pauses.apply(paused);
            case Move.KeyHeld allocated ->
                holds.put(allocated.limit().text(), allocated.hold().until());
            case Move.OfEvent ignored -> {}
            case Move.KeyResumed resumed -> pauses.apply(resumed);
            case Move.RateReset reset -> startsByLimit.remove(reset.limit().text());
            case Move.WorkflowRegistered ignored -> {}
            case Move.ModuleRegistered ignored -> {}
            case Move.OfAttention ignored -> {}
            case Move.OfAccess ignored -> {}
            case Move.OfStops stop -> pauses.apply(stop);
        }
    }

    private static Claim withUntil(Claim claim, long until) {
        return new Claim(
                claim.unit(),
                claim.fence(),
                claim.worker(),
                claim.request(),
                claim.lease(),
                claim.grantedAt(),
                until,
                claim.timeoutAt(),
                claim.limitNeeds(),
                claim.starts(),
                claim.waited());
    }

    /** Applies changed details of a run. A run that has started keeps its needs, even if its input is amended. */
    private void applyRunChange(RunFacts run, RunRow.Detail detail) {
        run.notBefore = detail.notBefore();
        if (!run.hasAllocation) {
            run.input = detail.input() == null ? run.input : detail.input();
            run.borrows = detail.borrows();
            run.requirement = Requirements.ofRun(run, run.borrows ? limitsBorrowedBy(run) : Set.of());
        }
    }

    /** The limits in which the run that invoked this one has a place, or uses the place of another. */
    private Set<String> limitsBorrowedBy(RunFacts run) {
        Set<String> borrowedLimits = new HashSet<>();
        for (RunFacts at = run; at.borrows && at.parent != null; ) {
            at = run(at.parent);
            at.requirement.shares().forEach(share -> borrowedLimits.add(share.limit()));
        }
        return borrowedLimits;
    }

    private void apply(StepRow row) {
        units.computeIfAbsent(row.id(), ignored -> new UnitFacts(row.state())).apply(row, run(row.id()));
    }

    private void applyRunMove(Move.RunMoved moved) {
        RunFacts run = run(moved.row().id());
        run.state = moved.row().state();
        if (!run.hasAllocation && moved.row().state() == RunState.RUNNING) {
            run.hasAllocation = true;
            run.startedAt = moved.at();
            addStarts(run.requirement, moved.at());
        }
        if (moved.row().state().ended()) {
            run.hasAllocation = false;
        }
    }

    private void applyGrant(Move.Granted granted) {
        Claim claim = granted.claim();
        apply(granted.row());
        Requirement requirement = requirement(claim.unit());
        liveClaims.put(claim.unit(), claim);
        allocations.put(claim.unit(), requirement);
        RunFacts run = run(claim.unit());
        run.running.add(claim.unit());
        run.starts.add(granted.at());
        addStarts(requirement, granted.at());
    }

    private void addStarts(Requirement requirement, long at) {
        for (var share : requirement.shares()) {
            startsByLimit
                    .computeIfAbsent(share.limit(), ignored -> new ArrayList<>())
                    .add(new RateStart(at, share.cost()));
        }
    }

    /** The weight of a limit that live claims and started runs have allocated. */
    long allocated(String limit) {
        long allocated = 0;
        for (Requirement allocation : allocations.values()) {
            allocated += allocation.weight(limit);
        }
        for (RunFacts run : runs.values()) {
            allocated += run.hasAllocation ? run.requirement.weight(limit) : 0;
        }
        return allocated;
    }

    /** The number of live claims and started runs that count against a limit. */
    long holders(String limit) {
        long claims = allocations.values().stream()
                .filter(allocation -> allocation.uses(limit))
                .count();
        return claims
                + runs.values().stream()
                        .filter(run -> run.hasAllocation && run.requirement.uses(limit))
                        .count();
    }
}
