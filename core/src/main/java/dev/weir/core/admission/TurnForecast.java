package dev.weir.core.admission;

import dev.weir.core.admission.Explanation.Expected;
import dev.weir.core.limit.Moment;
import dev.weir.core.limit.Rate;
import dev.weir.core.limit.RateUsage;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Predicts when a shared limit admits one of the tickets that it refuses, from the ticket's place among them. */
final class TurnForecast {
    private TurnForecast() {}

    /** Returns the time at which everything of the limit that refuses the ticket admits it; null if that is unknown. */
    static @Nullable Expected turn(SharedDemand demand, @Nullable Ticket ticket, long position, long now) {
        SharedLimit limit = demand.limit;
        if (limit.isPaused(now)) {
            return pauseEnd(limit);
        }
        Expected turn = null;
        if (limit.judgeRate(demand, ticket, now) instanceof HoldCause rate) {
            turn = rateTurn(demand, rate, position, now);
            if (turn == null) {
                return null;
            }
        }
        if (limit.judgeCapacity(demand, false) instanceof HoldCause capacity) {
            Expected release = capacityTurn(demand, capacity, position, now);
            turn = release == null || turn == null || turn.at() < release.at() ? release : turn;
        }
        return turn;
    }

    static @Nullable Expected pauseEnd(SharedLimit limit) {
        long until = limit.pausedUntil();
        return until == Moment.NEVER ? null : new Expected(until, false);
    }

    static @Nullable Expected capacityTurn(SharedDemand demand, HoldCause cause, long position, long now) {
        if (cause == HoldCause.OVER_CAPACITY) {
            return null;
        }
        OptionalLong at = demand.limit.nthReleaseAt(position, now);
        return at.isPresent() ? new Expected(at.getAsLong(), true) : null;
    }

    static @Nullable Expected rateTurn(SharedDemand demand, HoldCause cause, long position, long now) {
        Rate rate = demand.limit.rate(demand.need);
        RateUsage usage = demand.limit.usage(demand);
        if (cause != HoldCause.RATE || rate == null || usage == null) {
            return null;
        }
        return new Expected(usage.nthFitsAt(rate, demand.need.cost(), position, now), false);
    }
}
