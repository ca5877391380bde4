package dev.weir.core.life;

import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Pin;
import java.util.SortedMap;
import java.util.TreeMap;

/** What operators have set for shared limits. */
final class Operated {
    final SortedMap<LimitId.Shared, Pin> pins = new TreeMap<>();
    /** Until when a limit is paused. */
    final SortedMap<LimitId.Shared, Long> pauses = new TreeMap<>();

    /** Forgets what was set for a time that is over. */
    void forget(long now) {
        pins.values().removeIf(pin -> pin.until() <= now);
        pauses.values().removeIf(until -> until <= now);
    }
}
