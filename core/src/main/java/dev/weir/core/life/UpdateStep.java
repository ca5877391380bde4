package dev.weir.core.life;

import dev.weir.core.definition.OnNeedsInput;
import dev.weir.core.life.Move.Released.How;

/** A worker reports how its try went. It is applied once, under the newest fence; a repeated report changes nothing. */
public record UpdateStep(UnitId unit, long fence, Update update) implements Command<UpdateStep.Answer> {
    /** What the worker is told. */
    public enum Answer {
        APPLIED,
        /** It was applied before; nothing has changed. */
        REPLAYED,
        /** Another report was applied under this fence. */
        UPDATE_CONFLICT,
        /** The claim has ended or a newer one has been granted. */
        CLAIM_SUPERSEDED,
        RUN_TERMINAL,
        NOT_FOUND
    }

    @Override
    public Answer decide(Organisation org, long now) {
        if (!org.runs.contains(unit.run())) {
            return ofEnded(org);
        }
        Unit found = org.find(unit);
        if (found == null || fence < 1 || fence > found.fence) {
            return Answer.NOT_FOUND;
        }
        if (!isNewest(found, fence)) {
            return Answer.CLAIM_SUPERSEDED;
        }
        Lease lease = found.lease;
        if (lease == null) {
            return ofReleased(found);
        }
        if (found.reported && found.report == update.fingerprint()) {
            return Answer.REPLAYED;
        }
        found.reported = true;
        found.report = update.fingerprint();
        if (update instanceof Update.NeedsInput asked && keeps(found.step())) {
            org.inputs.keep(lease, asked, now);
            return Answer.APPLIED;
        }
        org.claims.release(lease, How.REPORTED, now);
        org.tries.ended(found, update, now);
        return Answer.APPLIED;
    }

    /** Whether a step that needs input keeps what it holds; nobody will give any to one that is stopped. */
    private static boolean keeps(RunStep step) {
        return !step.stopped() && step.planned.definition.ending().onNeedsInput() == OnNeedsInput.KEEP;
    }

    private static boolean isNewest(Unit found, long fence) {
        return found.fence == fence;
    }

    /** The claim of this fence has ended; only what ended it can be said. */
    private Answer ofReleased(Unit found) {
        if (found.reported) {
            return found.report == update.fingerprint() ? Answer.REPLAYED : Answer.UPDATE_CONFLICT;
        }
        return found.state == StepState.CANCELLED ? Answer.RUN_TERMINAL : Answer.CLAIM_SUPERSEDED;
    }

    private Answer ofEnded(Organisation org) {
        var ended = org.ended.find(unit.run());
        if (ended.isEmpty()) {
            return Answer.NOT_FOUND;
        }
        var last = ended.get().reports().get(unit);
        boolean same = last != null && last.fence() == fence && last.fingerprint() == update.fingerprint();
        return same ? Answer.REPLAYED : Answer.RUN_TERMINAL;
    }
}
