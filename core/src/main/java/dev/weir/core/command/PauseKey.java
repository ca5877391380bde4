package dev.weir.core.command;

import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Moment;

/**
 * Stops new starts under a shared limit. Running steps continue.
 *
 * @param until the time when the pause expires; {@link Moment#NEVER} if it does not
 */
public record PauseKey(LimitId.Shared limit, long until) implements KeyCommand<PauseKey.Answer> {
    /** The answer to the operator. */
    public enum Answer {
        PAUSED
    }

    @Override
    public Answer decide(KeyControl keys, long now) {
        keys.pause(limit, until, now);
        return Answer.PAUSED;
    }
}
