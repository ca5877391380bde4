package dev.weir.testkit.simulator;

import dev.weir.core.admission.RunGate;
import dev.weir.core.definition.Compensation;
import dev.weir.core.definition.Step;
import dev.weir.core.definition.Workflow;
import dev.weir.core.life.Ask;
import dev.weir.core.life.Claim;
import dev.weir.core.life.Move;
import dev.weir.core.life.RunRow;
import dev.weir.core.life.RunState;
import dev.weir.core.life.StepRow;
import dev.weir.core.life.StepState;
import dev.weir.core.life.UnitId;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Pin;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the trace says so far: who runs, who waits, who asks for work, what operators have set. Plain lists and maps. */
final class Tally {
    final Map<String, RunFacts> runs = new LinkedHashMap<>();
    final Map<UnitId, UnitFacts> units = new LinkedHashMap<>();
    final Map<UnitId, Claim> live = new LinkedHashMap<>();
    final Map<String, Set<String>> polls = new LinkedHashMap<>();
    final Map<LimitId.Shared, Pin> pins = new HashMap<>();
    final Map<LimitId.Shared, Long> pauses = new HashMap<>();
    final Map<LimitId.Shared, Long> holds = new HashMap<>();
    /** Starts that count against rates, oldest first, since the last reset. */
    final Map<LimitId.Shared, List<Began>> began = new HashMap<>();

    /** One start under a shared limit. */
    record Began(long at, int cost) {}

    /** A run as the trace tells of it. */
    static final class RunFacts {
        final Workflow workflow;
        /** The steps that are wanted and all that they need; absent = all. */
        final @Nullable Set<String> wanted;
        /** The step that has invoked it. */
        final @Nullable UnitId parent;

        Ask ask;
        final long acceptedAt;
        long notBefore;
        long startedAt;
        RunState state;
        RunGate.@Nullable Overrides overrides;
        boolean holdsPlace;
        final List<Long> starts = new ArrayList<>();
        final Set<UnitId> running = new LinkedHashSet<>();

        RunFacts(RunRow row) {
            this.workflow = row.request().plan().workflow();
            this.ask = row.ask();
            this.acceptedAt = row.acceptedAt();
            this.notBefore = row.detail().notBefore();
            this.state = row.state();
            List<String> targets = row.request().options().targets();
            this.wanted = targets.isEmpty() ? null : withNeeds(targets);
            this.parent = row.request().origin().parent();
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
        Integer maxSteps() {
            RunGate.Overrides values = overrides;
            return values != null && values.maxSteps() != null
                    ? values.maxSteps()
                    : workflow.runLimits().maxConcurrentSteps();
        }

        @Nullable
        Integer maxSlots() {
            RunGate.Overrides values = overrides;
            return values != null && values.maxSlots() != null
                    ? values.maxSlots()
                    : workflow.runLimits().maxParallel();
        }

        Step step(UnitId unit) {
            return workflow.step(unit.step());
        }
    }

    /** A step or item as the trace tells of it. */
    static final class UnitFacts {
        StepState state;
        long fence;

        @Nullable
        Ask ask;

        boolean fannedOut;
        long since;

        UnitFacts(StepRow row) {
            this.state = row.state();
            see(row);
        }

        void see(StepRow row) {
            state = row.state();
            ask = row.ask();
            fannedOut = row.items() != StepRow.NOT_FANNED_OUT;
            since = row.since();
        }

        /** Whether it asks to start. */
        boolean waits() {
            return ask != null && !fannedOut && (state == StepState.READY || state == StepState.REQUESTED);
        }
    }

    /** Whether a step or item asks to start; the items of a step whose approval was taken back do not. */
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

    /** A claim is gone although nobody has ended it. */
    void remove(UnitId unit) {
        live.remove(unit);
        run(unit).running.remove(unit);
    }

    /** What time alone has ended. */
    void expire(long now) {
        pins.values().removeIf(pin -> pin.until() <= now);
        pauses.values().removeIf(until -> until <= now);
        holds.values().removeIf(until -> until <= now);
    }

    void see(Move move) {
        switch (move) {
            case Move.RunAccepted accepted -> runs.put(accepted.row().id(), new RunFacts(accepted.row()));
            case Move.RunMoved moved -> moved(moved);
            case Move.RunStopping ignored -> {}
            case Move.RunOverridden overridden -> run(overridden.run()).overrides = overridden.overrides();
            case Move.StepMoved moved -> unit(moved.row()).see(moved.row());
            case Move.ItemMade made -> unit(made.row()).see(made.row());
            case Move.Granted granted -> granted(granted);
            case Move.RunChanged changed -> {
                run(changed.run()).notBefore = changed.detail().notBefore();
                run(changed.run()).ask = changed.ask();
            }
            case Move.OutputAmended ignored -> {}
            case Move.SignalKept ignored -> {}
            case Move.SignalTaken ignored -> {}
            case Move.DeadlineNear ignored -> {}
            case Move.StepChanged ignored -> {}
            case Move.Resumed resumed -> {
                unit(resumed.row()).see(resumed.row());
                live.put(resumed.claim().unit(), resumed.claim());
                // Also where its row was removed meanwhile: the resumed claim is written as a whole.
                RunFacts run = run(resumed.claim().unit());
                run.running.remove(resumed.claim().unit());
                run.running.add(resumed.claim().unit());
            }
            case Move.Extended extended ->
                live.computeIfPresent(extended.unit(), (unit, claim) -> extended(claim, extended.until()));
            case Move.Released released -> {
                live.remove(released.unit());
                run(released.unit()).running.remove(released.unit());
            }
            case Move.KeyPinned pinned -> pins.put(pinned.limit(), pinned.pin());
            case Move.KeyUnpinned unpinned -> pins.remove(unpinned.limit());
            case Move.KeyPaused paused -> pauses.put(paused.limit(), paused.until());
            case Move.KeyHeld held -> holds.put(held.limit(), held.until());
            case Move.EventEmitted ignored -> {}
            case Move.StartRefused ignored -> {}
            case Move.KeyResumed resumed -> pauses.remove(resumed.limit());
            case Move.RateReset reset -> began.remove(reset.limit());
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

    private UnitFacts unit(StepRow row) {
        return units.computeIfAbsent(row.id(), ignored -> new UnitFacts(row));
    }

    private void moved(Move.RunMoved moved) {
        RunFacts run = run(moved.row().id());
        run.state = moved.row().state();
        if (!run.holdsPlace && moved.row().state() == RunState.RUNNING) {
            run.holdsPlace = true;
            run.startedAt = moved.at();
            begin(run.ask, moved.at());
        }
        if (moved.row().state().ended()) {
            run.holdsPlace = false;
        }
    }

    private void granted(Move.Granted granted) {
        Claim claim = granted.claim();
        UnitFacts unit = unit(granted.row());
        unit.see(granted.row());
        unit.fence = claim.fence();
        live.put(claim.unit(), claim);
        RunFacts run = run(claim.unit());
        run.running.add(claim.unit());
        run.starts.add(granted.at());
        begin(claim.ask(), granted.at());
    }

    private void begin(Ask ask, long at) {
        ask.needs()
                .forEach(need -> began.computeIfAbsent(need.limit(), ignored -> new ArrayList<>())
                        .add(new Began(at, need.cost())));
    }

    /** The weight that live claims, and runs that have a place, hold of a limit. */
    long held(LimitId.Shared limit) {
        long held = 0;
        for (Claim claim : live.values()) {
            held += weight(claim.ask(), limit);
        }
        for (RunFacts run : runs.values()) {
            held += run.holdsPlace ? weight(run.ask, limit) : 0;
        }
        return held;
    }

    private static long weight(Ask ask, LimitId.Shared limit) {
        long weight = 0;
        for (var need : ask.needs()) {
            weight += need.limit().equals(limit) ? need.weight() : 0;
        }
        return weight;
    }
}
