package dev.weir.core.life;

import dev.weir.core.limit.LimitId;
import dev.weir.core.state.Move;

/** Forgets the starts that were counted against the rates of a shared limit. */
public record ResetRate(LimitId.Shared limit) implements Command<ResetRate.Answer> {
    /** The answer to the operator. */
    public enum Answer {
        RESET
    }

    @Override
    public Answer decide(Organisation org, long now) {
        org.admission.resetRate(limit);
        org.moves.add(new Move.RateReset(limit, now));
        return Answer.RESET;
    }
}
