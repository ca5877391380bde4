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
import dev.weir.simulator.Requirement.Pace;
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

/**
 * The state that follows from the trace so far: runs, units, claims, polls, operators' values. Plain lists and maps.
 */
final class TraceState {
    final Map<String, RunFacts> runs = new LinkedHashMap<>();
    final Map<UnitId, UnitFacts> units = new LinkedHashMap<>();
    final Map<UnitId, Claim> live = new LinkedHashMap<>();
    /** The needs of the units with a live claim, which are their allocations. */
    final Map<UnitId, Requirement> holdings = new LinkedHashMap<>();

    final Map<String, Set<String>> polls = new LinkedHashMap<>();
    /** The time up to which this state is current. */
    private long now;

    /** The values that operators have set, by limit. */
    final Map<String, Pinned> pins = new HashMap<>();

    final Map<String, Long> pauses = new HashMap<>();
    final Map<String, Long> holds = new HashMap<>();
    /** Starts that count against rates, oldest first, since the last reset. */
    final Map<String, List<Began>> began = new HashMap<>();

    /** One start under a shared limit. */
    record Began(long at, int cost) {}

    /** A run, according to the trace. */
    static final class RunFacts {
        final Workflow workflow;
        /** The targeted steps and all steps that they need; null if all steps are wanted. */
        final @Nullable Set<String> wanted;
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

        boolean holdsPlace;
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
            this.wanted = targets.isEmpty() ? null : withNeeds(targets);
            this.parent = row.request().origin().parent();
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

        boolean wants(UnitId unit) {
            return wanted == null || wanted.contains(unit.step()) || unit.step().endsWith(Compensation.SUFFIX);
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
        private @Nullable Requirement read;

        private @Nullable JsonNode readWith;

        boolean fannedOut;
        long since;
        /** True if the row of its claim was removed and nothing was decided since. */
        boolean unclaimed;

        UnitFacts(StepState state) {
            this.state = state;
        }

        void see(StepRow row, RunFacts run) {
            state = row.state();
            unclaimed = false;
            requirement = row.ask() == null ? null : read(row.id(), run);
            fannedOut = row.items() != StepRow.NOT_FANNED_OUT;
            since = row.since();
        }

        private Requirement read(UnitId id, RunFacts run) {
            if (read == null || !run.input.equals(readWith)) {
                read = Requirements.ofStep(run, id);
                readWith = run.input;
            }
            return read;
        }

        /** True if the unit asks to start. */
        boolean waits() {
            return requirement != null && !fannedOut && (isAsking(state) || (unclaimed && state == StepState.RUNNING));
        }

        /** True if the unit can be in this state according to the trace. A unit that lost its claim may ask again. */
        boolean mayBe(StepState expected) {
            return state == expected || (unclaimed && state == StepState.RUNNING && isAsking(expected));
        }

        private static boolean isAsking(StepState state) {
            return state == StepState.READY || state == StepState.REQUESTED;
        }
    }

    /** True if a unit asks to start. Items of a step whose approval was revoked do not. */
    boolean asks(UnitId id, UnitFacts unit) {
        UnitFacts step = id.item() == UnitId.NO_ITEM ? null : units.get(UnitId.of(id.run(), id.step()));
        return unit.waits() && (step == null || step.state != StepState.WAITING);
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
        Pinned pin = pins.get(limit);
        return pin == null ? null : pin.parallelism().at(now);
    }

    /** The pinned rate that is in force; null if there is none. */
    @Nullable
    Pace pinnedPace(String limit) {
        Pinned pin = pins.get(limit);
        return pin == null ? null : pin.pace().at(now);
    }

    /** Removes a claim whose row is gone although nobody ended it. */
    void remove(UnitId unit) {
        live.remove(unit);
        holdings.remove(unit);
        run(unit).running.remove(unit);
        Objects.requireNonNull(units.get(unit)).unclaimed = true;
    }

    /** Removes the values that time alone has ended. */
    void expire(long time) {
        now = time;
        pins.values().removeIf(pin -> pin.isOver(now));
        pauses.values().removeIf(until -> until <= now);
        holds.values().removeIf(until -> until <= now);
    }

    void see(Move move) {
        switch (move) {
            case Move.RunAccepted accepted -> {
                var run = new RunFacts(accepted.row());
                runs.put(accepted.row().id(), run);
                changed(run, accepted.row().detail());
            }
            case Move.RunMoved moved -> moved(moved);
            case Move.RunStopping ignored -> {}
            case Move.RunOverridden overridden ->
                run(overridden.run()).overridden = OperatorValues.overridden(overridden);
            case Move.StepMoved moved -> see(moved.row());
            case Move.ItemMade made -> see(made.row());
            case Move.Granted granted -> granted(granted);
            case Move.RunChanged changed -> changed(run(changed.run()), changed.detail());
            case Move.OutputAmended ignored -> {}
            case Move.SignalKept ignored -> {}
            case Move.SignalTaken ignored -> {}
            case Move.DeadlineNear ignored -> {}
            case Move.StepChanged ignored -> {}
            case Move.Resumed resumed -> {
                see(resumed.row());
                live.put(resumed.claim().unit(), resumed.claim());
                holdings.put(resumed.claim().unit(), requirement(resumed.claim().unit()));
                // This also applies if the row was removed meanwhile: the engine writes the whole resumed claim.
                RunFacts run = run(resumed.claim().unit());
                run.running.remove(resumed.claim().unit());
                run.running.add(resumed.claim().unit());
            }
            case Move.FenceRaised ignored -> {}
            case Move.ListeningNoted ignored -> {}
            case Move.Extended extended ->
                live.computeIfPresent(extended.unit(), (unit, claim) -> extended(claim, extended.until()));
            case Move.Released released -> {
                live.remove(released.unit());
                holdings.remove(released.unit());
                run(released.unit()).running.remove(released.unit());
            }
            case Move.KeyPinned pinned -> pins.put(pinned.limit().text(), OperatorValues.pinned(pinned));
            case Move.KeyUnpinned unpinned -> pins.remove(unpinned.limit().text());
            case Move.KeyPaused paused -> pauses.put(paused.limit().text(), paused.until());
            case Move.KeyHeld held -> holds.put(held.limit().text(), held.hold().until());
            case Move.EventEmitted ignored -> {}
            case Move.StartRefused ignored -> {}
            case Move.KeyResumed resumed -> pauses.remove(resumed.limit().text());
            case Move.RateReset reset -> began.remove(reset.limit().text());
            case Move.WorkflowRegistered ignored -> {}
            case Move.ModuleRegistered ignored -> {}
        }
    }

    private static Claim extended(Claim claim, long until) {
        return new Claim(
                claim.unit(),
                claim.fence(),
                claim.worker(),
                claim.request(),
                claim.lease(),
                claim.grantedAt(),
                until,
                claim.timeoutAt(),
                claim.ask(),
                claim.starts(),
                claim.waited());
    }

    /** Applies changed details of a run. A run that has started keeps its needs, even if its input is amended. */
    private void changed(RunFacts run, RunRow.Detail detail) {
        run.notBefore = detail.notBefore();
        if (!run.holdsPlace) {
            run.input = detail.input() == null ? run.input : detail.input();
            run.borrows = detail.borrows();
            run.requirement = Requirements.ofRun(run, run.borrows ? lentTo(run) : Set.of());
        }
    }

    /** The limits in which the run that invoked this one has a place, or uses the place of another. */
    private Set<String> lentTo(RunFacts run) {
        Set<String> lent = new HashSet<>();
        for (RunFacts at = run; at.borrows && at.parent != null; ) {
            at = run(at.parent);
            at.requirement.shares().forEach(share -> lent.add(share.limit()));
        }
        return lent;
    }

    private void see(StepRow row) {
        units.computeIfAbsent(row.id(), ignored -> new UnitFacts(row.state())).see(row, run(row.id()));
    }

    private void moved(Move.RunMoved moved) {
        RunFacts run = run(moved.row().id());
        run.state = moved.row().state();
        if (!run.holdsPlace && moved.row().state() == RunState.RUNNING) {
            run.holdsPlace = true;
            run.startedAt = moved.at();
            begin(run.requirement, moved.at());
        }
        if (moved.row().state().ended()) {
            run.holdsPlace = false;
        }
    }

    private void granted(Move.Granted granted) {
        Claim claim = granted.claim();
        see(granted.row());
        Requirement requirement = requirement(claim.unit());
        live.put(claim.unit(), claim);
        holdings.put(claim.unit(), requirement);
        RunFacts run = run(claim.unit());
        run.running.add(claim.unit());
        run.starts.add(granted.at());
        begin(requirement, granted.at());
    }

    private void begin(Requirement requirement, long at) {
        for (var share : requirement.shares()) {
            began.computeIfAbsent(share.limit(), ignored -> new ArrayList<>()).add(new Began(at, share.cost()));
        }
    }

    /** The weight of a limit that live claims and started runs have allocated. */
    long held(String limit) {
        long held = 0;
        for (Requirement holding : holdings.values()) {
            held += holding.weight(limit);
        }
        for (RunFacts run : runs.values()) {
            held += run.holdsPlace ? run.requirement.weight(limit) : 0;
        }
        return held;
    }

    /** The number of live claims and started runs that count against a limit. */
    long holders(String limit) {
        long claims = holdings.values().stream()
                .filter(holding -> holding.names(limit))
                .count();
        return claims
                + runs.values().stream()
                        .filter(run -> run.holdsPlace && run.requirement.names(limit))
                        .count();
    }
}
