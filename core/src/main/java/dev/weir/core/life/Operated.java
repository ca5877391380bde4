package dev.weir.core.life;

import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Pin;
import java.util.SortedMap;
import java.util.TreeMap;

/** What operators have set for shared limits, and what the other side of a key has asked for. */
final class Operated {
    /** Holds that are kept without looking whether they are over. */
    static final int HOLDS_FIRST = 64;

    final SortedMap<LimitId.Shared, Pin> pins = new TreeMap<>();
    /** Until when a limit is paused by an operator. */
    final SortedMap<LimitId.Shared, Long> pauses = new TreeMap<>();
    /** Until when a limit is held because somebody was told to call again later. */
    final SortedMap<LimitId.Shared, Long> holds = new TreeMap<>();

    /** How many limits may be held before those are looked for whose time is over. */
    private int holdsLookedAt = HOLDS_FIRST;

    /** Holds a limit. Keys come and go: from time to time those are forgotten whose time is over. */
    void hold(LimitId.Shared limit, long until, long now) {
        holds.put(limit, until);
        if (holds.size() >= holdsLookedAt) {
            holds.values().removeIf(end -> end <= now);
            holdsLookedAt = Math.max(HOLDS_FIRST, 2 * holds.size());
        }
    }

    /** Until when nothing starts under a limit, for whichever reason. */
    long stoppedUntil(LimitId.Shared limit) {
        return Math.max(pauses.getOrDefault(limit, Long.MIN_VALUE), holds.getOrDefault(limit, Long.MIN_VALUE));
    }

    /** Forgets what was set for a time that is over. */
    void forget(long now) {
        pins.values().removeIf(pin -> pin.until() <= now);
        pauses.values().removeIf(until -> until <= now);
        holds.values().removeIf(until -> until <= now);
    }
}
