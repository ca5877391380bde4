package dev.weir.core.run;

import dev.weir.core.definition.CancelPolicy;
import dev.weir.core.limit.LimitId;
import dev.weir.core.plan.PlannedStep;
import dev.weir.core.state.AwaitedEvent;
import dev.weir.core.state.Claim;
import dev.weir.core.state.OperatorRows;
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
    static void restore(LiveOrganisation org, OrganisationRows rows, long now) {
        new OrganisationRestore(org, now).restoreAll(rows);
    }

    private void restoreAll(OrganisationRows rows) {
        org.nextRunNumber = rows.nextRunNumber();
        org.highestFence = highestFence(rows);
        org.fenceFloor = org.highestFence;
        org.listeningLog.restore(rows.listeningSpans());
        rows.profiles().forEach(org.moduleDefaults::register);
        org.workflows.restore(rows.workflows());
        org.tokens.restore(rows.access().tokens());
        org.audit.restore(rows.access().auditHead());
        org.secrets.restore(rows.access().secrets());
        org.stops.restore(rows.access().stops());
        org.deadLetters.restore(rows.attention());
        org.notices.restore(rows.attention(), now);
        rows.endedRuns().forEach(org.endedRuns::add);
        restoreSettings(rows.operators());
        org.admission.restore(rows.starts());
        rows.runs().forEach(this::restoreRun);
        org.runs.forEach(this::linkToParent);
        rows.steps().forEach(this::restoreStep);
        rows.signals().forEach(signal -> org.signals.keep(get(signal.run()), signal));
        org.runs.forEach(this::restoreSteps);
        rows.claims().forEach(this::restoreClaim);
        waiting.sort(Comparator.<Unit>comparingLong(unit -> unit.step().since)
                .thenComparingLong(Unit::tieBreaker)
                .thenComparingInt(Unit::item));
        waiting.forEach(unit -> org.tickets.enqueue(unit, now));
        rows.claims().forEach(this::restoreProvidedInput);
        org.runs.forEach(this::findUnclaimed);
        unclaimed.forEach(unit -> org.claims.handleLostClaim(unit, now));
        org.events.restore(rows.events());
        org.debounce.restore(rows.events());
        org.schedules.restore(rows.events().schedules().values());
    }

    private void restoreSettings(OperatorRows rows) {
        org.operatorSettings.restore(rows, now);
        rows.pauses().keySet().forEach(this::pause);
        rows.holds().keySet().forEach(this::pause);
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

    private void pause(LimitId.Shared limit) {
        org.admission.pause(limit, org.operatorSettings.stoppedUntil(limit));
    }

    private void restoreRun(RunRow row) {
        var run = new Run(row.request(), RunRef.restored(row), row.limitNeeds(), row.acceptedAt());
        run.state = row.state();
        run.startedAt = row.startedAt();
        run.ending = row.ending();
        run.overrides = row.overrides();
        run.lastGrantAt = row.lastGrantAt();
        run.startsInTick = row.startsInTick();
        run.detail = row.detail();
        org.runs.add(run);
        if (row.startedAt() == RunRow.NOT_STARTED) {
            run.startLimiter = org.admission.openStartQueue(row.number());
            if (row.state() == RunState.PAUSED) {
                org.admission.pause(run.startLimiter);
            }
            org.runLifecycle.queueOrDelay(run, now);
        } else {
            restoreStarted(run);
        }
    }

    private void linkToParent(Run run) {
        UnitId parent = run.request.lineage().parent();
        Run parentRun = parent == null ? null : org.runs.find(parent.run());
        if (parentRun != null) {
            parentRun.addChild(run);
        }
    }

    private void restoreStarted(Run run) {
        run.allocation = org.admission.restore(
                null, run.request.plan().runSpec(run.limitNeeds), RunLifecycle.entry(run), run.startedAt);
        var limiter = org.admission.openRun(run.request.plan().runLimits(), run.number(), run.startedAt);
        run.limiter = limiter;
        if (run.overrides != null) {
            org.admission.setOverrides(limiter, run.overrides);
        }
        if (run.state == RunState.PAUSED) {
            org.admission.pause(limiter);
        }
        for (int i = 0; i < run.startsInTick; i++) {
            org.admission.restoreTickStart(limiter, run.lastGrantAt);
        }
        org.runLifecycle.scheduleDeadline(run);
    }

    private void restoreStep(StepRow row) {
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
        unit.limitNeeds = row.limitNeeds();
        unit.input = row.input();
        unit.lastOutcome = row.lastOutcome();
        unit.reported = row.reported();
        unit.reportFingerprint = row.reportFingerprint();
        unit.detail = row.detail();
        org.timers.schedule(unit, row.due());
    }

    private Run get(String run) {
        return Objects.requireNonNull(org.runs.find(run), () -> "run " + run);
    }

    private void restoreSteps(Run run) {
        for (RunStep step : run.steps) {
            run.countRestored(step);
        }
        org.readiness.restore(run);
        for (RunStep step : run.steps) {
            if (step.items != null && !step.state.ended()) {
                restoreItems(step);
            } else if (step.state == StepState.READY) {
                waiting.add(step);
            }
        }
        for (RunStep step : run.compensationSteps()) {
            if (step.state == StepState.READY) {
                waiting.add(step);
            }
        }
    }

    private void restoreItems(RunStep step) {
        ItemSet items = step.items();
        boolean revoked = step.waitsFor == AwaitedEvent.GATE;
        items.queuedCount = items.allCreated() && !revoked ? items.total : 0;
        for (int i = items.createdCount - 1; i >= 0; i--) {
            Item item = items.get(i);
            items.count(item);
            if (item.state == StepState.REQUESTED && item.limitNeeds == null) {
                items.queuedCount = i;
            } else if (item.state == StepState.REQUESTED && items.allCreated() && !revoked) {
                waiting.add(item);
            }
        }
        if (step.isStopped() || step.detail.skipping()) {
            items.stop();
            org.fanOuts.restore(step);
            return;
        }
        if (step.detail.retryFrom() != StepRow.Detail.NO_RETRY) {
            org.fanOuts.setRetryPosition(step, step.detail.retryFrom());
            org.fanOuts.restore(step);
            return;
        }
        if (items.queuedCount < items.total && !revoked) {
            org.fanOuts.restore(step);
        }
    }

    /** Finds steps and items whose claim's row somebody removed. They become ready again. */
    private void findUnclaimed(Run run) {
        for (RunStep step : run.steps) {
            if (step.items == null) {
                findUnclaimed(step);
            }
            for (int i = 0; step.items != null && i < step.items.createdCount; i++) {
                findUnclaimed(step.items.get(i));
            }
        }
        run.compensationSteps().forEach(this::findUnclaimed);
    }

    private void findUnclaimed(Unit unit) {
        if (unit.liveClaim == null && (unit.state == StepState.RUNNING || hasNoOtherWakeup(unit))) {
            unclaimed.add(unit);
        }
    }

    /**
     * True if nothing else would wake this unit. A unit that still needs its input waits for that, with or without a
     * claim.
     */
    private static boolean hasNoOtherWakeup(Unit unit) {
        boolean canContinue = unit.detail.provided() != null || unit.step().isStopped();
        return unit.state == StepState.NEEDS_INPUT && canContinue;
    }

    /** Makes a unit that has received its input wait for a worker. */
    private void restoreProvidedInput(Claim claim) {
        Unit unit = Objects.requireNonNull(org.find(claim.unit()), claim.unit()::toString);
        if (unit.state == StepState.NEEDS_INPUT && unit.detail.provided() != null) {
            org.inputs.waitForWorker(unit);
        }
    }

    private void restoreClaim(Claim claim) {
        Unit unit = Objects.requireNonNull(org.find(claim.unit()), claim.unit()::toString);
        var allocation = org.admission.restore(
                unit.run().limiter(), unit.step().spec(claim.limitNeeds()), unit.entry(), claim.grantedAt());
        var liveClaim = new LiveClaim(unit, allocation, claim);
        org.claims.register(liveClaim);
        org.claims.restore(liveClaim);
        RunEnding ending = unit.run().ending;
        if (ending != null && unit.step().isStopped() && ending.policy() == CancelPolicy.CANCEL_RUNNING) {
            org.claims.requestCancel(liveClaim, ending.at());
        }
    }
}
