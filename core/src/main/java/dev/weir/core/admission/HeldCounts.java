package dev.weir.core.admission;

import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The number of held tickets by the kind of limit that holds them. Parking and unparking keep it up to date, so that
 * nobody has to look at the tickets.
 */
@SuppressWarnings("EnumOrdinal") // every parked ticket is counted, and an array costs less than an EnumMap
final class HeldCounts {
    private static final HoldKind[] KINDS = HoldKind.values();

    private final int[] counts = new int[KINDS.length];
    private final @Nullable HeldCounts total;

    /** @param total counts that also include these, such as those of all modules */
    HeldCounts(@Nullable HeldCounts total) {
        this.total = total;
    }

    void add(HoldKind kind, int change) {
        counts[kind.ordinal()] += change;
        if (total != null) {
            total.add(kind, change);
        }
    }

    void move(HoldKind from, HoldKind to, int tickets) {
        add(from, -tickets);
        add(to, tickets);
    }

    int of(HoldKind kind) {
        return counts[kind.ordinal()];
    }

    /** The tickets that any limit holds. */
    int sum() {
        int sum = 0;
        for (int count : counts) {
            sum += count;
        }
        return sum;
    }

    /** Returns the kinds that hold at least one ticket. */
    Map<HoldKind, Long> nonZero() {
        Map<HoldKind, Long> held = new EnumMap<>(HoldKind.class);
        for (HoldKind kind : KINDS) {
            if (of(kind) != 0) {
                held.put(kind, (long) of(kind));
            }
        }
        return held;
    }
}
