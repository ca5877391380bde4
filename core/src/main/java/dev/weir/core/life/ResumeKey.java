package dev.weir.core.life;

import dev.weir.core.limit.LimitId;

/**
 * Ends the pause of a shared limit. If it is held because the other side has asked for that, that is ended, too: an
 * operator knows better, and the same again changes nothing.
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
        boolean paused = org.operated.pauses.remove(limit) != null;
        boolean held = org.operated.holds.remove(limit) != null;
        if (!paused && !held) {
            return Answer.NOT_PAUSED;
        }
        if (paused) {
            org.moves.add(new Move.KeyResumed(limit, now));
        }
        if (held) {
            org.moves.add(new Move.KeyHeld(limit, now, now));
        }
        org.admission.resume(limit);
        return Answer.RESUMED;
    }
}
