package dev.weir.core.life;

import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Pin;
import dev.weir.core.state.RetryAfterHold;
import java.util.SortedMap;
import java.util.TreeMap;

/** Operators' settings for shared limits, and the holds that called services asked for. */
final class OperatorSettings {
    /** The number of holds that are kept before expired ones are looked for. */
    static final int HOLDS_FIRST = 64;

    final SortedMap<LimitId.Shared, Pin> pins = new TreeMap<>();
    /** The end of each pause that an operator set. */
    final SortedMap<LimitId.Shared, Long> pauses = new TreeMap<>();
    /** The limits that are held because a called service asked to be called later. */
    final SortedMap<LimitId.Shared, RetryAfterHold> holds = new TreeMap<>();

    /** The number of holds at which expired ones are looked for next. */
    private int holdsLookedAt = HOLDS_FIRST;

    /** Holds a limit. Keys come and go, so expired holds are removed from time to time. */
    void hold(LimitId.Shared limit, RetryAfterHold hold, long now) {
        holds.put(limit, hold);
        if (holds.size() >= holdsLookedAt) {
            holds.values().removeIf(one -> one.until() <= now);
            holdsLookedAt = Math.max(HOLDS_FIRST, 2 * holds.size());
        }
    }

    /** Returns the time until which nothing starts under a limit, for any reason. */
    long stoppedUntil(LimitId.Shared limit) {
        return Math.max(pauses.getOrDefault(limit, Long.MIN_VALUE), heldUntil(limit));
    }

    /** Returns the time until which a limit is held because a called service asked to be called later. */
    long heldUntil(LimitId.Shared limit) {
        RetryAfterHold hold = holds.get(limit);
        return hold == null ? Long.MIN_VALUE : hold.until();
    }

    /** Removes expired settings. */
    void forget(long now) {
        pins.values().removeIf(pin -> pin.until() <= now);
        pauses.values().removeIf(until -> until <= now);
        holds.values().removeIf(hold -> hold.until() <= now);
    }
}
