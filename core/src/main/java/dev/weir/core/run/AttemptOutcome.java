package dev.weir.core.run;

import dev.weir.core.definition.CancelPolicy;
import dev.weir.core.definition.RetryPolicy;
import dev.weir.core.limit.LimitNeed;
import dev.weir.core.limit.Moment;
import dev.weir.core.state.Move;
import dev.weir.core.state.RetryAfterHold;
import dev.weir.core.state.StepState;
import dev.weir.core.state.Update;

/** Decides what follows the end of an attempt: another attempt, or the end of its step or item. */
final class AttemptOutcome {
    private final LiveOrganisation org;

    AttemptOutcome(LiveOrganisation org) {
        this.org = org;
    }

    /** Handles the end of an attempt whose claim was released. */
    void apply(Unit unit, Update update, long now) {
        unit.lastOutcome = update;
        switch (update) {
            case Update.Completed completed -> org.steps.complete(unit, completed, now);
            case Update.NoOp noOp -> org.steps.complete(unit, noOp, now);
            case Update.Failed failure -> handleFailure(unit, failure, now);
            case Update.Rescheduled rescheduled -> reschedule(unit, rescheduled, now);
            case Update.NeedsInput ignored -> waitForInput(unit, now);
        }
        org.steps.advanceRun(unit.run(), now);
    }

    private void handleFailure(Unit unit, Update.Failed failure, long now) {
        RetryPolicy retry = unit.step().retryPolicy();
        holdKeys(unit, failure, now);
        if (unit.step().isStopped()) {
            boolean endsAsFailed =
                    unit.run().ending != null && unit.run().ending.policy() == CancelPolicy.ALLOW_FINISH;
            org.steps.end(unit, endsAsFailed ? StepState.FAILED : StepState.CANCELLED, now);
        } else if (failure.permanent() || unit.attempts >= retry.maxAttempts()) {
            org.steps.handleFailure(unit, now);
        } else {
            backOff(unit, Math.max(failure.retryAfter(), RetryDelay.compute(unit, retry)), now);
        }
    }

    /**
     * Holds all keys of a unit until the time that the called side asked for, so that other users of these keys wait as
     * well.
     */
    private void holdKeys(Unit unit, Update.Failed failure, long now) {
        if (failure.retryAfter() == Update.Failed.NO_RETRY_AFTER || unit.limitNeeds == null) {
            return;
        }
        long until = Moment.plus(now, failure.retryAfter());
        var hold = new RetryAfterHold(until, failure.status(), unit.id());
        for (LimitNeed need : unit.limitNeeds.needs()) {
            if (org.operatorSettings.heldUntil(need.limit()) < until) {
                org.operatorSettings.hold(need.limit(), hold, now);
                org.admission.pause(need.limit(), org.operatorSettings.stoppedUntil(need.limit()));
                org.moves.add(new Move.KeyHeld(need.limit(), hold, now));
            }
        }
    }

    private void reschedule(Unit unit, Update.Rescheduled rescheduled, long now) {
        unit.attempts--;
        unit.reschedules++;
        int maxReschedules = unit.step().retryPolicy().maxRescheduled();
        if (unit.step().isStopped()) {
            org.steps.end(unit, StepState.CANCELLED, now);
        } else if (unit.reschedules > maxReschedules) {
            unit.lastOutcome = new Update.Failed("rescheduled more than " + maxReschedules + " times", true);
            org.steps.handleFailure(unit, now);
        } else {
            backOff(unit, rescheduled.delay(), now);
        }
    }

    /** Lets a unit wait for input without its allocation. It is admitted again when it has the input. */
    private void waitForInput(Unit unit, long now) {
        if (unit.step().isStopped()) {
            org.steps.end(unit, StepState.CANCELLED, now);
        } else {
            unit.attempts--;
            unit.detail = unit.detail.withProvided(null);
            org.steps.move(unit, StepState.NEEDS_INPUT, now);
        }
    }

    private void backOff(Unit unit, long delay, long now) {
        org.timers.schedule(unit, Moment.plus(now, delay));
        org.steps.move(unit, StepState.BACKING_OFF, now);
    }
}
