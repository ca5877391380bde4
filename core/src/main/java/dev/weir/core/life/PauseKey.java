package dev.weir.core.life;

import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Moment;

/**
 * Stops new starts under a shared limit; what runs goes on.
 *
 * @param until when the pause ends by itself; {@link Moment#NEVER} if it does not
 */
public record PauseKey(LimitId.Shared limit, long until) implements Command<PauseKey.Answer> {
    /** What the operator is told. */
    public enum Answer {
        PAUSED
    }

    @Override
    public Answer decide(Organisation org, long now) {
        org.operated.pauses.put(limit, until);
        org.admission.pause(limit, org.operated.stoppedUntil(limit));
        org.moves.add(new Move.KeyPaused(limit, until, now));
        return Answer.PAUSED;
    }
}
