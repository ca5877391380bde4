package dev.weir.core.admission;

import java.util.OptionalLong;

/** When places of a limit were last given back, to estimate when a waiter's turn comes. */
final class Departures {
    /** Departures that are remembered. */
    private static final int REMEMBERED = 32;
    /** Below this many there is no estimate. */
    static final int ENOUGH = 20;

    private final long[] times = new long[REMEMBERED];
    private long count;

    void add(long now) {
        times[(int) (count % REMEMBERED)] = now;
        count++;
    }

    /** When the {@code nth} next departure is to be expected, going by the pace of the last ones. */
    OptionalLong nth(long nth, long now) {
        if (count < ENOUGH) {
            return OptionalLong.empty();
        }
        long known = Math.min(count, REMEMBERED);
        long newest = times[(int) ((count - 1) % REMEMBERED)];
        long oldest = times[(int) ((count - known) % REMEMBERED)];
        double pace = (double) (newest - oldest) / (known - 1);
        return OptionalLong.of(Math.max(now, newest + Math.round(pace * nth)));
    }
}
