package dev.weir.core.command;

import dev.weir.core.limit.LimitId;

/** Removes an operator's values for a shared limit. The steps' own values apply again. */
public record UnpinKey(LimitId.Shared limit) implements KeyCommand<UnpinKey.Answer> {
    /** The answer to the operator. */
    public enum Answer {
        UNPINNED,
        NOT_PINNED
    }

    @Override
    public Answer decide(KeyControl keys, long now) {
        return keys.unpin(limit, now) ? Answer.UNPINNED : Answer.NOT_PINNED;
    }
}
