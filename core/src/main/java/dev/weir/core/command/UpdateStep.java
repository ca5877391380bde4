package dev.weir.core.command;

import dev.weir.core.json.Fingerprint;
import dev.weir.core.state.StepState;
import dev.weir.core.state.UnitId;
import dev.weir.core.state.Update;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A worker's report of how its attempt went. It is applied once, under the newest fence; a repeated report changes
 * nothing.
 *
 * @param redacted true if the report cannot contain a secret that the step was given
 * @param outcomeKnown true if the worker knows the effect of the attempt; false for a call without a response
 */
public record UpdateStep(UnitId unit, long fence, Update update, boolean redacted, boolean outcomeKnown)
        implements WorkerCommand<UpdateStep.Answer> {
    /** Creates a report of a known outcome that cannot contain secrets. */
    public UpdateStep(UnitId unit, long fence, Update update) {
        this(unit, fence, update, true, true);
    }

    /** Returns the same report, marked as possibly containing secrets. */
    public UpdateStep unredacted() {
        return new UpdateStep(unit, fence, update, false, outcomeKnown);
    }

    /** Returns the report with other content, which cannot contain secrets. */
    public UpdateStep redactedAs(Update other) {
        return new UpdateStep(unit, fence, other, true, outcomeKnown);
    }

    /** The answer to the worker. */
    public enum Answer {
        APPLIED,
        /** The report was applied before; nothing has changed. */
        REPLAYED,
        /** Another report was applied under this fence. */
        UPDATE_CONFLICT,
        /** The claim has ended, or a newer one has been granted. */
        CLAIM_SUPERSEDED,
        RUN_TERMINAL,
        NOT_FOUND,
        /**
         * The step was given secrets and the report was not redacted. Nothing has changed; the engine redacts and
         * repeats it.
         */
        MAY_HOLD_SECRETS
    }

    @Override
    public @Nullable JsonNode data() {
        return update.data();
    }

    @Override
    public String describeTarget() {
        return unit.describe();
    }

    @Override
    public Answer decide(WorkControl work, long now) {
        UnitStatus found = work.findUnit(unit).orElse(null);
        if (found == null) {
            return work.isLive(unit.run()) ? Answer.NOT_FOUND : answerForEndedRun(work);
        }
        if (fence < 1 || fence > found.highestFence()) {
            return Answer.NOT_FOUND;
        }
        if (!redacted && found.hasSecrets()) {
            return Answer.MAY_HOLD_SECRETS;
        }
        if (!isNewest(found, fence)) {
            return Answer.CLAIM_SUPERSEDED;
        }
        if (!found.claimed()) {
            return answerForReleasedClaim(found);
        }
        if (found.reported() && Fingerprint.isSame(found.reportFingerprint(), update.fingerprint())) {
            return Answer.REPLAYED;
        }
        work.report(unit, update, outcomeKnown && mayBeRetried(), now);
        return Answer.APPLIED;
    }

    /** True if another attempt may follow this report. */
    private boolean mayBeRetried() {
        return switch (update) {
            case Update.Failed ignored -> true;
            case Update.Rescheduled ignored -> true;
            case Update.NeedsInput ignored -> true;
            case Update.Completed ignored -> false;
            case Update.NoOp ignored -> false;
        };
    }

    private static boolean isNewest(UnitStatus found, long fence) {
        return found.fence() == fence;
    }

    /** Answers a report whose claim has ended, by what ended it. */
    private Answer answerForReleasedClaim(UnitStatus found) {
        if (found.reported()) {
            boolean isRepeat = Fingerprint.mayBeRepeat(found.reportFingerprint(), update.fingerprint());
            return isRepeat ? Answer.REPLAYED : Answer.UPDATE_CONFLICT;
        }
        return found.state() == StepState.CANCELLED ? Answer.RUN_TERMINAL : Answer.CLAIM_SUPERSEDED;
    }

    private Answer answerForEndedRun(WorkControl work) {
        var ended = work.findEnded(unit.run());
        if (ended.isEmpty()) {
            return Answer.NOT_FOUND;
        }
        var last = ended.get().reports().get(unit);
        boolean isRepeat = last != null
                && last.fence() == fence
                && Fingerprint.mayBeRepeat(last.fingerprint(), update.fingerprint());
        return isRepeat ? Answer.REPLAYED : Answer.RUN_TERMINAL;
    }
}
