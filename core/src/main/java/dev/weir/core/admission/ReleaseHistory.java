package dev.weir.core.admission;

import java.util.OptionalLong;

/**
 * The recent pace of a limit's releases, from which the turn of a waiter is estimated. It remembers only every
 * twentieth release and the newest, because every limit has such a history and every release updates it.
 */
final class ReleaseHistory {
    /** Minimum releases for an estimate. The pace is taken over at least this many and at most twice as many. */
    static final int ENOUGH = 20;

    private long newest;
    /** Times of the first release of the current stretch, and of the stretch before it. */
    private long stretchFrom;

    private long earlierFrom;
    /** Number of releases in the current stretch, and in the one before. */
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

    /** The expected time of the {@code nth} next release, from the pace of the last ones; empty if it has passed. */
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
