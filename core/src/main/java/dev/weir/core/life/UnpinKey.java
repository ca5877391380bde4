package dev.weir.core.life;

import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Pin;
import dev.weir.core.state.Move;

/** Removes an operator's values for a shared limit. The steps' own values apply again. */
public record UnpinKey(LimitId.Shared limit) implements Command<UnpinKey.Answer> {
    /** The answer to the operator. */
    public enum Answer {
        UNPINNED,
        NOT_PINNED
    }

    @Override
    public Answer decide(Organisation org, long now) {
        return unpin(org, limit, now) ? Answer.UNPINNED : Answer.NOT_PINNED;
    }

    /** Unpins a limit; returns false if it was not pinned. */
    static boolean unpin(Organisation org, LimitId.Shared limit, long now) {
        Pin pin = org.operated.pins.remove(limit);
        if (pin == null || pin.until() <= now) {
            return false;
        }
        org.admission.unpin(limit);
        org.moves.add(new Move.KeyUnpinned(limit, now));
        return true;
    }
}
