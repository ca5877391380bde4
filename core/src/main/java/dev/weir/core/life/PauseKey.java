package dev.weir.core.life;

import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Moment;
import dev.weir.core.state.Move;

/**
 * Stops new starts under a shared limit. Running steps continue.
 *
 * @param until the time when the pause expires; {@link Moment#NEVER} if it does not
 */
public record PauseKey(LimitId.Shared limit, long until) implements Command<PauseKey.Answer> {
    /** The answer to the operator. */
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
