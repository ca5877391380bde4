package dev.weir.core.life;

import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Pin;

/** Puts the steps' own values of a shared limit in force again. */
public record UnpinKey(LimitId.Shared limit) implements Command<UnpinKey.Answer> {
    /** What the operator is told. */
    public enum Answer {
        UNPINNED,
        NOT_PINNED
    }

    @Override
    public Answer decide(Organisation org, long now) {
        Pin pin = org.operated.pins.remove(limit);
        if (pin == null || pin.until() <= now) {
            return Answer.NOT_PINNED;
        }
        org.admission.unpin(limit);
        org.moves.add(new Move.KeyUnpinned(limit, now));
        return Answer.UNPINNED;
    }
}
