package dev.weir.core.admission;

import java.util.OptionalLong;

/**
 * How fast places of a limit were given back lately, to estimate when a waiter's turn comes. Only every twentieth
 * departure is remembered besides the newest: every limit has one of these, and it is touched with every release.
 */
final class Departures {
    /** Below this many there is no estimate; the pace is that of as many at least, and twice as many at most. */
    static final int ENOUGH = 20;

    private long newest;
    /** The departure that the current stretch began with, and the one that the stretch before began with. */
    private long stretchFrom;

    private long earlierFrom;
    /** Departures in the current stretch, and in the one before. */
    private int stretch;

    private int earlier;

    void add(long now) {
        if (stretch == ENOUGH) {
            earlierFrom = stretchFrom;
            earlier = stretch;
            stretch = 0;
        }
        if (stretch == 0) {
            stretchFrom = now;
        }
        stretch++;
        newest = now;
    }

    /** When the {@code nth} next departure is to be expected, going by the pace of the last ones; nothing once that is over. */
    OptionalLong nth(long nth, long now) {
        int known = earlier + stretch;
        if (known < ENOUGH) {
            return OptionalLong.empty();
        }
        double pace = (double) (newest - (earlier == 0 ? stretchFrom : earlierFrom)) / (known - 1);
        long at = newest + Math.round(pace * nth);
        return at < now ? OptionalLong.empty() : OptionalLong.of(at);
    }
}
