package dev.weir.core.run;

import dev.weir.core.definition.CancelPolicy;
import dev.weir.core.limit.LimitId;
import dev.weir.core.plan.PlannedStep;
import dev.weir.core.state.AwaitedEvent;
import dev.weir.core.state.Claim;
import dev.weir.core.state.OrganisationRows;
import dev.weir.core.state.RunEnding;
import dev.weir.core.state.RunRef;
import dev.weir.core.state.RunRow;
import dev.weir.core.state.RunState;
import dev.weir.core.state.StepRow;
import dev.weir.core.state.StepState;
import dev.weir.core.state.UnitId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/** Restores an organisation from its rows. It counts all allocations again before anything can be granted. */
final class OrganisationRestore {
    private final LiveOrganisation org;
    private final long now;
    private final List<Unit> waiting = new ArrayList<>();
    private final List<Unit> unclaimed = new ArrayList<>();

    private OrganisationRestore(LiveOrganisation org, long now) {
        this.org = org;
        this.now = now;
    }

    /** Restores the rows into an empty organisation. */
    static void into(LiveOrganisation org, OrganisationRows rows, long now) {
        new OrganisationRestore(org, now).all(rows);
    }

    private void all(OrganisationRows rows) {
        org.nextNumber = rows.nextNumber();
        org.highestFence = highestFence(rows);
        org.fencesBefore = org.highestFence;
        org.listening.restore(rows.listening());
        rows.profiles().forEach(org.profiles::register);
        org.workflows.restore(rows.workflows());
        rows.ended().forEach(org.ended::add);
        org.operated.pins.putAll(rows.pins());
        rows.pins().forEach((limit, pin) -> org.admission.pin(limit, pin, now));
        org.operated.pauses.putAll(rows.pauses());
        org.operated.holds.putAll(rows.holds());
        rows.pauses().keySet().forEach(this::stop);
        rows.holds().keySet().forEach(this::stop);
        org.admission.restore(rows.starts());
        rows.runs().forEach(this::run);
        org.runs.forEach(this::child);
        rows.steps().forEach(this::step);
        rows.signals().forEach(signal -> org.signals.keep(get(signal.run()), signal));
        org.runs.forEach(this::steps);
        rows.claims().forEach(this::claim);
        waiting.sort(Comparator.<Unit>comparingLong(unit -> unit.step().since)
                .thenComparingLong(Unit::tie)
                .thenComparingInt(Unit::item));
        waiting.forEach(unit -> org.tickets.enqueue(unit, now));
        rows.claims().forEach(this::provided);
        org.runs.forEach(this::missing);
        unclaimed.forEach(unit -> org.claims.abandoned(unit, now));
    }

    /**
     * Returns the highest fence. Rows written before the fence was stored separately may have a higher one than the
     * stored value.
     */
    private static long highestFence(OrganisationRows rows) {
        long highest = rows.highestFence();
        for (StepRow step : rows.steps()) {
            highest = Math.max(highest, step.fence());
        }
        for (Claim claim : rows.claims()) {
            highest = Math.max(highest, claim.fence());
        }
        return highest;
    }

    private void stop(LimitId.Shared limit) {
        org.admission.pause(limit, org.operated.stoppedUntil(limit));
    }

    private void run(RunRow row) {
        var run = new Run(row.request(), RunRef.restored(row), row.ask(), row.acceptedAt());
        run.state = row.state();
        run.startedAt = row.startedAt();
        run.ending = row.ending();
        run.overrides = row.overrides();
        run.lastGrantAt = row.lastGrantAt();
        run.startsInTick = row.startsInTick();
        run.detail = row.detail();
        org.runs.add(run);
        if (row.startedAt() == RunRow.NOT_STARTED) {
            run.entrance = org.admission.openEntrance(row.number());
            if (row.state() == RunState.PAUSED) {
                org.admission.pause(run.entrance);
            }
            org.lives.comeIn(run, now);
        } else {
            started(run);
        }
    }

    private void child(Run run) {
        UnitId parent = run.request.origin().parent();
        Run invoking = parent == null ? null : org.runs.get(parent.run());
        if (invoking != null) {
            invoking.addChild(run);
        }
    }

    private void started(Run run) {
        run.held = org.admission.restore(
                null, run.request.plan().runSpec(run.ask), RunLifecycle.entry(run), run.startedAt);
        var gate = org.admission.open(run.request.plan().runLimits(), run.number(), run.startedAt);
        run.gate = gate;
        if (run.overrides != null) {
            org.admission.override(gate, run.overrides);
        }
        if (run.state == RunState.PAUSED) {
            org.admission.pause(gate);
        }
        for (int i = 0; i < run.startsInTick; i++) {
            org.admission.restoreTick(gate, run.lastGrantAt);
        }
        org.lives.scheduleDeadline(run);
    }

    private void step(StepRow row) {
        Run run = get(row.id().run());
        PlannedStep planned =
                Objects.requireNonNull(run.request.plan().find(row.id().step()), row.id()::step);
        RunStep step = run.step(planned);
        Unit unit = step;
        if (row.id().item() == UnitId.NO_ITEM) {
            step.since = row.since();
            step.waitsFor = row.waitsFor();
            if (row.items() != StepRow.NOT_FANNED_OUT) {
                step.items =
                        new ItemSet(Objects.requireNonNull(planned.definition().fanOut()), row.items());
            }
        } else {
            var item = new Item(step, row.id().item());
            step.items().add(item);
            unit = item;
        }
        unit.state = row.state();
        unit.fence = row.fence();
        unit.attempts = row.attempts();
        unit.expiries = row.expiries();
        unit.reschedules = row.reschedules();
        unit.effect = row.effect();
        unit.ask = row.ask();
        unit.input = row.input();
        unit.last = row.last();
        unit.reported = row.reported();
        unit.report = row.report();
        unit.detail = row.detail();
        org.timers.schedule(unit, row.due());
    }

    private Run get(String run) {
        return Objects.requireNonNull(org.runs.get(run), () -> "run " + run);
    }

    private void steps(Run run) {
        for (RunStep step : run.steps) {
            run.countAgain(step);
        }
        org.readiness.resume(run);
        for (RunStep step : run.steps) {
            if (step.items != null && !step.state.ended()) {
                items(step);
            } else if (step.state == StepState.READY) {
                waiting.add(step);
            }
        }
        for (RunStep step : run.undoings()) {
            if (step.state == StepState.READY) {
                waiting.add(step);
            }
        }
    }

    private void items(RunStep step) {
        ItemSet items = step.items();
        boolean revoked = step.waitsFor == AwaitedEvent.GATE;
        items.askedCount = items.allMade() && !revoked ? items.total : 0;
        for (int i = items.madeCount - 1; i >= 0; i--) {
            Item item = items.get(i);
            items.count(item);
            if (item.state == StepState.REQUESTED && item.ask == null) {
                items.askedCount = i;
            } else if (item.state == StepState.REQUESTED && items.allMade() && !revoked) {
                waiting.add(item);
            }
        }
        if (step.stopped() || step.detail.skipping()) {
            items.stop();
            org.fanOuts.resume(step);
            return;
        }
        if (step.detail.again() != StepRow.Detail.NOT_AGAIN) {
            org.fanOuts.tryAgainFrom(step, step.detail.again());
            org.fanOuts.resume(step);
            return;
        }
        if (items.askedCount < items.total && !revoked) {
            org.fanOuts.resume(step);
        }
    }

    /** Finds steps and items whose claim's row somebody removed. They become ready again. */
    private void missing(Run run) {
        for (RunStep step : run.steps) {
            if (step.items == null) {
                missing(step);
            }
            for (int i = 0; step.items != null && i < step.items.madeCount; i++) {
                missing(step.items.get(i));
            }
        }
        run.undoings().forEach(this::missing);
    }

    private void missing(Unit unit) {
        if (unit.lease == null && (unit.state == StepState.RUNNING || wouldGoOn(unit))) {
            unclaimed.add(unit);
        }
    }

    /**
     * True if nothing else would wake this unit. A unit that still needs its input waits for that, with or without a
     * claim.
     */
    private static boolean wouldGoOn(Unit unit) {
        boolean comes = unit.detail.provided() != null || unit.step().stopped();
        return unit.state == StepState.NEEDS_INPUT && comes;
    }

    /** Makes a unit that has received its input wait for a worker. */
    private void provided(Claim claim) {
        Unit unit = Objects.requireNonNull(org.find(claim.unit()), claim.unit()::toString);
        if (unit.state == StepState.NEEDS_INPUT && unit.detail.provided() != null) {
            org.inputs.waitForWorker(unit);
        }
    }

    private void claim(Claim claim) {
        Unit unit = Objects.requireNonNull(org.find(claim.unit()), claim.unit()::toString);
        var holding = org.admission.restore(
                unit.run().gate(), unit.step().spec(claim.ask()), unit.entry(), claim.grantedAt());
        var lease = new LiveClaim(unit, holding, claim);
        org.claims.live(lease);
        org.claims.resume(lease);
        RunEnding ending = unit.run().ending;
        if (ending != null && unit.step().stopped() && ending.policy() == CancelPolicy.CANCEL_RUNNING) {
            org.claims.requestCancel(lease, ending.at());
        }
    }
}
