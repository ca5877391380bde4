package dev.weir.core.run;

import dev.weir.core.admission.Allocation;
import dev.weir.core.admission.Hold;
import dev.weir.core.admission.HoldCause;
import dev.weir.core.admission.Poll;
import dev.weir.core.admission.Subject;
import dev.weir.core.admission.Ticket;
import dev.weir.core.admission.WaitRecord;
import dev.weir.core.definition.CancelPolicy;
import dev.weir.core.definition.Deadline;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.LimitNeed;
import dev.weir.core.limit.LimitStart;
import dev.weir.core.limit.Moment;
import dev.weir.core.plan.BuiltInModule;
import dev.weir.core.plan.LimitNeeds;
import dev.weir.core.state.AwaitedEvent;
import dev.weir.core.state.EndedRun;
import dev.weir.core.state.Move;
import dev.weir.core.state.RunEnding;
import dev.weir.core.state.RunRef;
import dev.weir.core.state.RunRequest;
import dev.weir.core.state.RunState;
import dev.weir.core.state.StepState;
import dev.weir.core.state.UnitId;
import dev.weir.core.state.WaitEntry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Applies the rules of a run's life as a whole: queue, start, pause, stop, end. {@link StepLifecycle} has those of its
 * steps.
 */
final class RunLifecycle {
    /** Number of steps that one unit of the budget pays to create, or to queue for {@link Readiness}. */
    private static final int STEPS_PER_UNIT = 2;

    private final LiveOrganisation org;
    /** The subject of Weir's own poll, which serves the runs that wait for the run limits. */
    private final Subject ownPollSubject = new Subject() {};

    private @Nullable Poll ownPoll;

    RunLifecycle(LiveOrganisation org) {
        this.org = org;
    }

    /** Accepts a run. It then waits for the run limits. */
    Run accept(RunRequest request, LimitNeeds limitNeeds, long now) {
        var run = new Run(request, RunRef.accepted(request, org.nextRunNumber), limitNeeds, now);
        org.budget.spend(run.steps.length / STEPS_PER_UNIT);
        run.startLimiter = org.admission.openStartQueue(org.nextRunNumber);
        org.nextRunNumber++;
        org.runs.add(run);
        org.childRuns.registerChild(run);
        if (request.options().delay() > 0) {
            run.detail =
                    run.detail.withNotBefore(Moment.plus(now, request.options().delay()));
        }
        queueOrDelay(run, now);
        org.moves.add(new Move.RunAccepted(run.ref, run.row(), now));
        return run;
    }

    /**
     * Makes a run that has not started wait for the run limits, or first for the time to which its start was delayed.
     */
    void queueOrDelay(Run run, long now) {
        if (run.detail.notBefore() > now) {
            org.timers.schedule(run, run.detail.notBefore());
        } else {
            queue(run, now);
        }
    }

    private void queue(Run run, long now) {
        run.ticket = org.admission.enqueue(
                run.currentLimiter(), run.request.plan().runSpec(run.limitNeeds), entry(run), now);
        org.holdWatch.add(run);
    }

    /**
     * Replaces the needs of a run that waits for the run limits. Returns false if they are the same. The run keeps its
     * age.
     */
    boolean changeNeeds(Run run, LimitNeeds limitNeeds, long now) {
        if (limits(limitNeeds).equals(limits(run.limitNeeds))) {
            return false;
        }
        boolean queued = run.ticket != null;
        if (run.ticket != null) {
            org.admission.withdraw(run.ticket, now);
            run.ticket = null;
        }
        run.limitNeeds = limitNeeds;
        org.childRuns.lendAgain(run);
        org.moves.add(new Move.RunChanged(run.ref, run.limitNeeds, run.detail, now));
        if (queued) {
            queue(run, now);
        }
        return true;
    }

    /**
     * Returns the limits of these needs. With the same version and request, needs differ only by their limits, except
     * for what a parent lends.
     */
    private static List<LimitId.Shared> limits(LimitNeeds limitNeeds) {
        return limitNeeds.needs().stream().map(LimitNeed::limit).toList();
    }

    static Ticket.Entry entry(Run run) {
        return new Ticket.Entry(run, Math.max(run.acceptedAt, run.detail.notBefore()), run.tieBreaker(), 0);
    }

    /** Keeps Weir's own poll open, so that runs that may start are granted. */
    void keepOwnPollOpen(long now) {
        if (ownPoll == null || !ownPoll.isOpen()) {
            List<String> ownModules = org.plans == null
                    ? List.of(BuiltInModule.RUNS)
                    : List.of(BuiltInModule.RUNS, BuiltInModule.INVOKE, BuiltInModule.EMIT);
            ownPoll = org.admission.openPoll(ownPollSubject, ownModules, Integer.MAX_VALUE, now);
        }
    }

    /** True if the poll is Weir's own. */
    boolean isOwnPoll(@Nullable Poll poll) {
        return poll != null && poll == ownPoll;
    }

    /** Starts a run that was granted the run limits, unless it was already started because it is to end. */
    void begin(Run run, long now) {
        Allocation allocation = run.allocation;
        if (run.limiter != null || allocation == null) {
            return;
        }
        org.budget.spend(run.steps.length / STEPS_PER_UNIT);
        run.startedAt = now;
        run.detail = run.detail.withWaited(
                WaitAccounting.waitsUntilStart(run, allocation.waitRecord(), Hold.NO_WORKER, now));
        run.limiter = org.admission.openRun(run.request.plan().runLimits(), run.number(), now);
        run.startLimiter = null;
        if (run.overrides != null) {
            org.admission.setOverrides(run.limiter, run.overrides);
        }
        setDeadline(run);
        move(run, RunState.RUNNING, List.copyOf(allocation.starts()), now);
        org.steps.begin(run, now);
    }

    private void setDeadline(Run run) {
        Deadline deadline = run.request.plan().workflow().policy().deadline();
        if (deadline != null) {
            run.detail = run.detail.withDeadline(Moment.plus(run.startedAt, Moment.micros(deadline.after())));
            scheduleDeadline(run);
        }
    }

    /** Schedules the timer for the run's deadline, or for the warning before it. */
    void scheduleDeadline(Run run) {
        if (run.hasDeadline() && run.ending == null) {
            long deadline = run.detail.deadlineAt();
            long warnedAt = deadline - (deadline - run.startedAt) / 5;
            org.timers.schedule(run, run.detail.warned() ? deadline : warnedAt);
        }
    }

    /** Handles the run's own timer: its delayed start has come, its deadline is near, or its deadline has passed. */
    void handleTimer(Run run, long now) {
        if (run.limiter == null) {
            queue(run, now);
        } else if (now < run.detail.deadlineAt()) {
            run.detail = run.detail.withWarning();
            org.moves.add(new Move.RunChanged(run.ref, run.limitNeeds, run.detail, now));
            org.moves.add(new Move.DeadlineNear(run.id(), run.detail.deadlineAt(), now));
            scheduleDeadline(run);
        } else {
            stopOverdue(run, now);
        }
    }

    /** Stops a run whose deadline has passed. */
    private void stopOverdue(Run run, long now) {
        Deadline deadline = run.request.plan().workflow().policy().deadline();
        boolean failsRun = deadline == null || deadline.action() == Deadline.Action.FAIL;
        RunState finalState = failsRun ? RunState.FAILED : RunState.CANCELLED;
        stop(run, new RunEnding(finalState, CancelPolicy.CANCEL_RUNNING, RunEnding.DEADLINE_PASSED, now), now);
        org.steps.advanceRun(run, now);
    }

    /** Checks whether a run has ended or can only wait, and changes its state accordingly. */
    void updateState(Run run, long now) {
        if (run.state.ended() || run.state == RunState.QUEUED) {
            return;
        }
        if (run.state == RunState.COMPENSATING) {
            compensate(run, now);
        } else if (run.openStepCount == 0 && Compensations.isDue(run)) {
            move(run, RunState.COMPENSATING, List.of(), now);
            compensate(run, now);
        } else if (run.openStepCount == 0) {
            end(run, run.ending == null ? RunState.COMPLETED : run.ending.finalState(), now);
        } else if (run.state == RunState.RUNNING && run.activeStepCount == 0 && run.stepsToCheck == 0) {
            move(run, RunState.WAITING, List.of(), now);
        } else if (run.state == RunState.WAITING && run.activeStepCount > 0) {
            move(run, RunState.RUNNING, List.of(), now);
        }
    }

    private void compensate(Run run, long now) {
        if (!org.compensations.advance(run, now) && run.ending != null) {
            end(run, run.ending.finalState(), now);
        }
    }

    void pause(Run run, long now) {
        if (run.state == RunState.PAUSED) {
            return;
        }
        org.admission.pause(run.currentLimiter());
        move(run, RunState.PAUSED, List.of(), now);
    }

    /** Resumes a paused run. Failed steps that waited for the operator get another attempt. */
    void resume(Run run, long now) {
        unpause(run, now);
        if (run.limiter == null) {
            return;
        }
        for (RunStep step : run.steps) {
            if (step.waitsFor == AwaitedEvent.OPERATOR) {
                org.steps.retry(step, now);
            }
        }
        org.steps.advanceRun(run, now);
    }

    private void unpause(Run run, long now) {
        org.admission.resume(run.currentLimiter());
        move(run, run.limiter == null ? RunState.QUEUED : RunState.RUNNING, List.of(), now);
        org.holdWatch.add(run);
    }

    /** Sets a run on its way to its end. The first reason counts; a later one can only make the end come sooner. */
    void stop(Run run, RunEnding ending, long now) {
        boolean isFaster = run.ending != null
                && run.ending.policy() == CancelPolicy.ALLOW_FINISH
                && ending.policy() == CancelPolicy.CANCEL_RUNNING;
        if (run.ending != null && !isFaster) {
            return;
        }
        run.ending = run.ending == null
                ? ending
                : new RunEnding(run.ending.finalState(), ending.policy(), run.ending.reason(), ending.at());
        org.timers.cancel(run);
        org.moves.add(new Move.RunStopping(run.ref, run.ending, now));
        boolean paused = run.state == RunState.PAUSED && run.limiter != null;
        if (paused) {
            move(run, RunState.RUNNING, List.of(), now);
        }
        stopAll(run, run.ending, now);
        if (paused) {
            org.admission.resume(run.limiter());
        }
    }

    /**
     * Stops the run's steps. Waiting steps come first, before claimed ones and before a pause ends, so that what they
     * waited for is still as it was.
     */
    private void stopAll(Run run, RunEnding ending, long now) {
        for (RunStep step : run.steps) {
            if (!step.state.ended() && step.isStopped() && step.liveClaim == null) {
                stop(step, ending, now);
            }
        }
        for (RunStep step : run.steps) {
            if (!step.state.ended() && step.isStopped()) {
                stop(step, ending, now);
            } else {
                org.missingData.failWaiting(step, now);
            }
        }
    }

    /** Cancels a run, started or not. */
    void cancel(Run run, RunEnding ending, long now) {
        begin(run, now);
        if (run.limiter == null) {
            cancelQueued(run, ending, now);
        } else if (!run.state.ended()) {
            stop(run, ending, now);
            org.steps.advanceRun(run, now);
        }
    }

    /** Ends a run that never started. */
    private void cancelQueued(Run run, RunEnding ending, long now) {
        run.ending = ending;
        org.moves.add(new Move.RunStopping(run.ref, ending, now));
        run.detail = run.detail.withWaited(waitsUntilWithdrawal(run, now));
        if (run.ticket != null) {
            org.admission.withdraw(run.ticket, now);
            run.ticket = null;
        }
        end(run, ending.finalState(), now);
    }

    /** Returns the waits of a run that never started. */
    private List<WaitEntry> waitsUntilWithdrawal(Run run, long now) {
        if (run.ticket == null) {
            Hold pause = new Hold(LimitId.Local.RUN, HoldCause.PAUSED);
            return WaitAccounting.waitsUntilStart(
                    run, WaitRecord.NONE, run.state == RunState.PAUSED ? pause : Hold.NO_WORKER, now);
        }
        Hold last = org.admission.firstHold(run.ticket, now).orElse(Hold.NO_WORKER);
        return WaitAccounting.waitsUntilStart(run, org.admission.waitRecord(run.ticket, now), last, now);
    }

    /** Stops a step or item: takes it out if it waits; if it runs, lets it finish or asks its worker to stop. */
    void stop(Unit unit, RunEnding ending, long now) {
        if (unit.liveClaim != null && unit.state == StepState.NEEDS_INPUT) {
            // No worker is at work on it, and nobody will give it its input any more.
            unit.reported = false;
            org.claims.releaseCancelled(unit.liveClaim, now);
            org.steps.end(unit, StepState.CANCELLED, now);
        } else if (unit.liveClaim != null) {
            if (ending.policy() == CancelPolicy.CANCEL_RUNNING) {
                org.claims.requestCancel(unit.liveClaim, ending.at());
            }
        } else if (unit instanceof RunStep step && step.waitsFor == AwaitedEvent.OPERATOR) {
            // It has failed and gets no further attempt.
            org.steps.end(step, StepState.FAILED, now);
        } else if (org.childRuns.isWaitingForChild(unit)) {
            org.childRuns.cancelChild(unit, ending, now);
        } else if (unit instanceof RunStep step && step.items != null) {
            org.fanOuts.stop(step, now);
        } else {
            org.steps.withdraw(unit, now);
            org.steps.end(unit, StepState.CANCELLED, now);
        }
    }

    private void end(Run run, RunState finalState, long now) {
        org.timers.cancel(run);
        org.signals.drop(run, now);
        move(run, finalState, List.of(), now);
        releaseAllocation(run, now);
        org.admission.closeRun(run.currentLimiter());
        org.runs.remove(run);
        org.endedRuns.add(new EndedRun(run.id(), finalState, run.request.fingerprint(), reports(run)));
        if (finalState == RunState.FAILED && !org.childRuns.isAwaited(run)) {
            org.deadLetters.addFailedRun(run, now);
        }
        org.childRuns.handleChildEnd(run, finalState, now);
    }

    private void releaseAllocation(Run run, long now) {
        if (run.allocation != null) {
            org.admission.release(run.allocation, now);
            run.allocation = null;
        }
    }

    private static Map<UnitId, EndedRun.Report> reports(Run run) {
        Map<UnitId, EndedRun.Report> reports = new HashMap<>();
        for (RunStep step : run.steps) {
            addReport(step, reports);
            if (step.items != null) {
                addReports(step.items, reports);
            }
        }
        run.compensationSteps().forEach(step -> addReport(step, reports));
        return reports;
    }

    /** Adds the reports of the last items, which also arrived last. A very large fan-out is not remembered in full. */
    private static void addReports(ItemSet items, Map<UnitId, EndedRun.Report> reports) {
        for (int i = items.createdCount - 1; i >= 0 && reports.size() < EndedRun.UNITS_MAX; i--) {
            addReport(items.get(i), reports);
        }
    }

    private static void addReport(Unit unit, Map<UnitId, EndedRun.Report> reports) {
        if (unit.reported) {
            reports.put(unit.id(), new EndedRun.Report(unit.fence, unit.reportFingerprint));
        }
    }

    /** Changes the state of a run. No other place does. */
    private void move(Run run, RunState next, List<LimitStart> starts, long now) {
        RunState from = run.state;
        run.state = from.moveTo(next);
        org.moves.add(new Move.RunMoved(run.ref, run.row(), from, starts, now));
    }
}
