package dev.weir.core.life;

import dev.weir.core.limit.LimitId;
import dev.weir.core.state.Move;
import dev.weir.core.state.RetryAfterHold;

/**
 * Ends the pause of a shared limit. It also ends a hold that a called service asked for, because an operator knows
 * better. A repeated command changes nothing.
 */
public record ResumeKey(LimitId.Shared limit) implements Command<ResumeKey.Answer> {
    /** The answer to the operator. */
    public enum Answer {
        RESUMED,
        NOT_PAUSED
    }

    @Override
    public Answer decide(Organisation org, long now) {
        org.operated.forget(now);
        boolean paused = org.operated.pauses.remove(limit) != null;
        RetryAfterHold hold = org.operated.holds.remove(limit);
        if (!paused && hold == null) {
            return Answer.NOT_PAUSED;
        }
        if (paused) {
            org.moves.add(new Move.KeyResumed(limit, now));
        }
        if (hold != null) {
            org.moves.add(new Move.KeyHeld(limit, new RetryAfterHold(now, hold.status(), hold.by()), now));
        }
        org.admission.resume(limit);
        return Answer.RESUMED;
    }
}
