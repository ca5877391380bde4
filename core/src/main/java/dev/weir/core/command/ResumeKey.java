package dev.weir.core.command;

import dev.weir.core.limit.LimitId;

/**
 * Ends the pause of a shared limit. It also ends a hold that a called service asked for, because an operator knows
 * better. A repeated command changes nothing.
 */
public record ResumeKey(LimitId.Shared limit) implements KeyCommand<ResumeKey.Answer> {
    /** The answer to the operator. */
    public enum Answer {
        RESUMED,
        NOT_PAUSED
    }

    @Override
    public Answer decide(KeyControl keys, long now) {
        return keys.resume(limit, now) ? Answer.RESUMED : Answer.NOT_PAUSED;
    }
}
