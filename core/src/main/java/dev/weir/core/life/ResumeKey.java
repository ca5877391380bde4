package dev.weir.core.life;

import dev.weir.core.limit.LimitId;

/** Ends the pause of a shared limit. */
public record ResumeKey(LimitId.Shared limit) implements Command<ResumeKey.Answer> {
    /** What the operator is told. */
    public enum Answer {
        RESUMED,
        NOT_PAUSED
    }

    @Override
    public Answer decide(Organisation org, long now) {
        Long until = org.operated.pauses.remove(limit);
        if (until == null || until <= now) {
            return Answer.NOT_PAUSED;
        }
        org.admission.resume(limit);
        org.moves.add(new Move.KeyResumed(limit, now));
        return Answer.RESUMED;
    }
}
