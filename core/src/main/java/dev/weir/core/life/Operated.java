package dev.weir.core.life;

import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Pin;
import java.util.Map;
import java.util.TreeMap;

/** What operators have set for shared limits. */
final class Operated {
    final Map<LimitId.Shared, Pin> pins = new TreeMap<>();
    /** Until when a limit is paused. */
    final Map<LimitId.Shared, Long> pauses = new TreeMap<>();
}
