package dev.weir.core.run;

import dev.weir.core.admission.Hold;
import dev.weir.core.admission.Ticket;
import dev.weir.core.definition.Action;
import dev.weir.core.definition.CancelPolicy;
import dev.weir.core.explain.OrganisationQueries;
import dev.weir.core.expression.RenderFailed;
import dev.weir.core.limit.Moment;
import dev.weir.core.plan.PlannedStep;
import dev.weir.core.state.AwaitedEvent;
import dev.weir.core.state.Move;
import dev.weir.core.state.RunEnding;
import dev.weir.core.state.RunState;
import dev.weir.core.state.Signal;
import dev.weir.core.state.StepRow;
import dev.weir.core.state.StepState;
import dev.weir.core.state.Update;
import dev.weir.core.state.WaitEntry;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Applies the rules of a step's life: how it becomes ready, waits, fails and ends. {@link RunLifecycle} has those of
 * its run.
 */
final class StepLifecycle {
    private final LiveOrganisation org;
    /** The unit whose ticket was withdrawn last, and what it had waited for until then. */
    private @Nullable Unit withdrawn;

    private List<WaitEntry> withdrawnWaits = List.of();

    StepLifecycle(LiveOrganisation org) {
        this.org = org;
    }

    /** Makes the first steps of a starting run ready. */
    void begin(Run run, long now) {
        skipUntargeted(run, now);
        for (RunStep step : run.steps) {
            if (step.openNeeds == 0) {
                org.readiness.add(step);
            }
        }
        advanceRun(run, now);
    }

    private void skipUntargeted(Run run, long now) {
        List<String> targets = run.request.options().targets();
        if (targets.isEmpty()) {
            return;
        }
        Set<PlannedStep> targeted = run.request.plan().withNeeds(targets);
        for (RunStep step : run.steps) {
            if (step.state == StepState.BLOCKED && !targeted.contains(step.planned)) {
                end(step, StepState.SKIPPED, now);
            }
        }
    }

    /** Takes over the result of a step from an earlier run. */
    void takeOverResult(RunStep step, StepRow row, long now) {
        step.since = now;
        step.lastOutcome = row.lastOutcome();
        step.detail = StepRow.Detail.DEFAULT.withCompletionOrder(row.detail().completionOrder());
        step.run.compensatableCount =
                Math.max(step.run.compensatableCount, row.detail().completionOrder());
        end(step, row.state(), now);
    }

    /** Follows up all that has ended, then settles the run. Every change of a step ends here. */
    void advanceRun(Run run, long now) {
        if (run.limiter == null) {
            // A run that has not started looks at all of its steps when it starts.
            return;
        }
        org.readiness.advance(now);
        org.runLifecycle.updateState(run, now);
    }

    /** Continues a step whose gate was approved. */
    void handleApproval(RunStep step, long now) {
        try {
            if (StepExpressions.compile(step, org.budget)) {
                performAction(step, now);
            } else {
                org.moves.add(new Move.StepChanged(step.run.ref, step.id(), step.detail, now));
                org.readiness.add(step);
            }
        } catch (RenderFailed e) {
            failBeforeStart(step, e, now);
        }
        advanceRun(step.run, now);
    }

    /** Makes a step wait for approval again. Nothing of it has started. */
    void handleRevocation(RunStep step, long now) {
        if (step.items != null) {
            org.fanOuts.withdraw(step, now);
        }
        withdraw(step, now);
        await(step, AwaitedEvent.GATE, Moment.NEVER, now);
        advanceRun(step.run, now);
    }

    /** Fails a step or item that an operator gave up. */
    void abandon(Unit unit, Update.Failed failure, long now) {
        unit.reported = false;
        withdraw(unit, now);
        if (unit.liveClaim != null) {
            org.claims.releaseCancelled(unit.liveClaim, now);
        }
        unit.lastOutcome = failure;
        handleFailure(unit, now);
        advanceRun(unit.run(), now);
    }

    void failBeforeStart(RunStep step, RenderFailed cause, long now) {
        step.lastOutcome = new Update.Failed(String.valueOf(cause.getMessage()), true);
        handleFailure(step, now);
    }

    /** Performs the action of a step whose preconditions hold. From here only limits can hold it. */
    void performAction(RunStep step, long now) {
        if (step.items == null) {
            // Items that were created before an approval was revoked keep their age.
            step.since = now;
        }
        switch (step.planned.definition().action()) {
            case Action.Sleep sleep ->
                await(step, AwaitedEvent.TIME, Moment.plus(now, Moment.micros(sleep.time())), now);
            case Action.GateOnly ignored -> complete(step, new Update.Completed(nullOutput()), now);
            case Action.Uses ignored -> enqueue(step, now);
            case Action.Call ignored -> enqueue(step, now);
            case Action.TriggeredCall ignored -> enqueue(step, now);
            case Action.Invoke ignored -> enqueue(step, now);
            case Action.WaitFor waitFor -> awaitSignal(step, waitFor, now);
            case Action.Emit ignored -> enqueue(step, now);
        }
    }

    private void awaitSignal(RunStep step, Action.WaitFor waitFor, long now) {
        Signal kept = org.signals.take(step.run, waitFor.signal(), now);
        if (kept != null) {
            step.detail = step.detail.withSignal(new StepRow.ReceivedSignal(kept.id(), kept.sentBy()));
            complete(step, new Update.Completed(kept.payload()), now);
        } else {
            Duration timeout = waitFor.timeout();
            long due = timeout == null ? Moment.NEVER : Moment.plus(now, Moment.micros(timeout));
            await(step, AwaitedEvent.SIGNAL, due, now);
        }
    }

    void enqueue(RunStep step, long now) {
        if (step.planned.definition().fanOut() == null) {
            render(step);
            move(step, StepState.READY, now);
            org.tickets.enqueue(step, now);
        } else if (step.items != null) {
            org.fanOuts.requeueItems(step, now);
        } else {
            org.fanOuts.begin(step, now);
        }
    }

    void render(Unit unit) {
        String module = unit.step().planned.module();
        org.budget.spend(unit.step().planned.literalUnits());
        StepExpressions.render(
                unit, () -> org.readiness.scope(unit), module == null ? null : org.moduleDefaults.find(module));
    }

    /** Queues a unit for its limits again. It keeps its age. */
    void requeue(Unit unit, long now) {
        move(unit, unit.queuedState(), now);
        org.tickets.enqueue(unit, now);
    }

    void await(RunStep step, AwaitedEvent reason, long due, long now) {
        WaitAccounting.recordMove(step, StepState.WAITING, List.of(), now);
        step.waitsFor = reason;
        org.timers.schedule(step, due);
        move(step, StepState.WAITING, now);
    }

    /** Handles a unit's own timer: the delay before a retry is over, a sleep is over, or no signal came in time. */
    void handleTimer(Unit unit, long now) {
        if (unit.state == StepState.BACKING_OFF) {
            requeue(unit, now);
        } else if (unit.step().waitsFor == AwaitedEvent.SIGNAL) {
            unit.lastOutcome = new Update.Failed(
                    "signal " + SignalDelivery.signalName(unit.step()) + " did not arrive in time", true);
            handleFailure(unit, now);
        } else {
            complete(unit, new Update.Completed(nullOutput()), now);
        }
        advanceRun(unit.run(), now);
    }

    /** Completes a step or item, unless its output does not fit the schema. */
    void complete(Unit unit, Update result, long now) {
        unit.lastOutcome = result;
        if (unit instanceof RunStep step && result instanceof Update.Completed completed) {
            String misfit = org.missingData.misfit(step, completed.output());
            if (misfit != null) {
                org.missingData.await(step, AwaitedEvent.INVALID_ARTIFACT, misfit, now);
                return;
            }
            recordCompletionOrder(step);
        }
        end(unit, StepState.COMPLETED, now);
    }

    /** Numbers completed steps that have a compensation, because compensations run in reverse order of completion. */
    private static void recordCompletionOrder(RunStep step) {
        if (step.planned.hasCompensation()) {
            step.run.compensatableCount++;
            step.detail = step.detail.withCompletionOrder(step.run.compensatableCount);
        }
    }

    /** Handles the final failure of a step or item; {@code lastOutcome} holds the error. */
    void handleFailure(Unit unit, long now) {
        if (!(unit instanceof RunStep step) || step.run.ending != null) {
            end(unit, StepState.FAILED, now);
            return;
        }
        switch (step.planned.onFailure()) {
            case CONTINUE -> end(step, StepState.FAILED, now);
            case PAUSE -> {
                await(step, AwaitedEvent.OPERATOR, Moment.NEVER, now);
                org.runLifecycle.pause(step.run, now);
            }
            case FAIL, COMPENSATE -> {
                end(step, StepState.FAILED, now);
                String error = step.lastOutcome instanceof Update.Failed failure ? failure.error() : "";
                CancelPolicy policy =
                        step.run.request.plan().workflow().policy().cancel();
                String reason = step.planned + " failed: " + error;
                org.runLifecycle.stop(step.run, new RunEnding(RunState.FAILED, policy, reason, now), now);
            }
        }
    }

    /** Gives a failed step another attempt, because an operator resumed its run. */
    void retry(RunStep step, long now) {
        if (step.items == null && step.limitNeeds == null) {
            // It never queued for its limits: it may have failed before its gate.
            org.readiness.add(step);
            return;
        }
        step.attempts = 0;
        step.reschedules = 0;
        step.effect++;
        if (step.items != null) {
            org.fanOuts.retryFailedItems(step, now);
        } else {
            requeue(step, now);
        }
    }

    /** Skips a step that has not started, on an operator's request. */
    void skip(RunStep step, long now) {
        withdraw(step, now);
        if (step.waitsFor == AwaitedEvent.INVALID_ARTIFACT) {
            // The output did not fit the schema, so the skipped step must not show it.
            step.lastOutcome = null;
        }
        if (step.items != null) {
            org.fanOuts.skip(step, now);
        } else {
            end(step, StepState.SKIPPED, now);
        }
        advanceRun(step.run, now);
    }

    /** Ends a unit whose claim was ended by a cancel. */
    void endCancelled(Unit unit, long now) {
        end(unit, StepState.CANCELLED, now);
        advanceRun(unit.run(), now);
    }

    /** Ends a step or item, and makes dependents ready that have no other open needs. */
    void end(Unit unit, StepState state, long now) {
        move(unit, state, now);
        switch (unit) {
            case Item item -> org.fanOuts.handleItemEnd(item, now);
            case RunStep step -> {
                for (PlannedStep dependent : step.planned.dependents()) {
                    RunStep next = step.run.steps[dependent.index()];
                    next.openNeeds--;
                    // A run that has not started looks at all of its steps when it starts.
                    if (next.openNeeds == 0 && step.run.limiter != null) {
                        org.readiness.add(next);
                    }
                }
            }
        }
    }

    /** Takes an unclaimed step or item out of everything it waits for: its timer and its queue. */
    void withdraw(Unit unit, long now) {
        org.timers.cancel(unit);
        if (unit.ticket != null) {
            withdrawn = unit;
            withdrawnWaits = WaitAccounting.waitsUntilWithdrawal(
                    unit, org.admission.waitRecord(unit.ticket, now), currentHold(unit, unit.ticket, now), now);
            org.admission.withdraw(unit.ticket, now);
            unit.ticket = null;
        }
    }

    /**
     * Returns the hold of a unit that {@link OrganisationQueries} names first. For an item of a stopped step, it is the
     * hold from when the step was stopped.
     */
    private Hold currentHold(Unit unit, Ticket ticket, long now) {
        Hold atStop = unit instanceof Item item ? item.step().items().holdAtStop : null;
        return atStop != null ? atStop : org.admission.firstHold(ticket, now).orElse(Hold.NO_WORKER);
    }

    /** Queues a waiting unit again, ahead of all others. It keeps its age, and what it has waited for is recorded. */
    void runNow(Unit unit, long now) {
        Ticket ticket = Objects.requireNonNull(unit.ticket, unit::toString);
        WaitAccounting.recordRequeue(unit, org.admission.waitRecord(ticket, now), currentHold(unit, ticket, now), now);
        unit.detail = unit.detail.withRunNow();
        org.tickets.refresh(unit, now);
        org.moves.add(new Move.StepPutAhead(unit.run().ref, unit.row(), now));
    }

    /** Changes the state of a step or item. No other place does, except for a grant. */
    void move(Unit unit, StepState next, long now) {
        StepState from = unit.state;
        WaitAccounting.recordMove(unit, next, unit.equals(withdrawn) ? withdrawnWaits : List.of(), now);
        withdrawn = null;
        unit.state = from.moveTo(next);
        if (unit instanceof RunStep step) {
            if (next != StepState.WAITING) {
                step.waitsFor = null;
            }
            if (step.detail.dataProblem() != null && !isMissingData(step)) {
                step.detail = step.detail.withDataProblem(null);
            }
            step.run.count(step, from, next);
        }
        org.moves.add(new Move.StepMoved(unit.run().ref, unit.row(), from, now));
    }

    private static boolean isMissingData(RunStep step) {
        return step.waitsFor == AwaitedEvent.MISSING_INPUT || step.waitsFor == AwaitedEvent.INVALID_ARTIFACT;
    }

    private static JsonNode nullOutput() {
        return JsonNodeFactory.instance.nullNode();
    }
}
