package dev.weir.core.life;

import dev.weir.core.limit.LimitId;

/**
 * Ends the pause of a shared limit. Where it is not paused, but held because the other side has asked for that, that is
 * ended: an operator knows better.
 */
public record ResumeKey(LimitId.Shared limit) implements Command<ResumeKey.Answer> {
    /** What the operator is told. */
    public enum Answer {
        RESUMED,
        NOT_PAUSED
    }

    @Override
    public Answer decide(Organisation org, long now) {
        org.operated.forget(now);
        if (org.operated.pauses.remove(limit) != null) {
            org.moves.add(new Move.KeyResumed(limit, now));
        } else if (org.operated.holds.remove(limit) != null) {
            org.moves.add(new Move.KeyHeld(limit, now, now));
        } else {
            return Answer.NOT_PAUSED;
        }
        long until = org.operated.stoppedUntil(limit);
        if (until > now) {
            org.admission.pause(limit, until);
        } else {
            org.admission.resume(limit);
        }
        return Answer.RESUMED;
    }
}
