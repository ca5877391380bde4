package dev.weir.core.life;

import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Pin;

/** Sets an operator's values for a shared limit; they beat the steps' own, at once. */
public record PinKey(LimitId.Shared limit, Pin pin) implements Command<PinKey.Answer> {
    /** What the operator is told. */
    public enum Answer {
        PINNED
    }

    @Override
    public Answer decide(Organisation org, long now) {
        org.operated.pins.put(limit, pin);
        org.admission.pin(limit, pin);
        org.moves.add(new Move.KeyPinned(limit, pin, now));
        return Answer.PINNED;
    }
}
