package dev.weir.core.admission;

import java.util.OptionalLong;

/**
 * The recent pace of a limit's releases, from which the turn of a waiter is estimated. It remembers only every
 * twentieth release and the newest, because every limit has such a history and every release updates it.
 */
final class ReleaseHistory {
    /** Minimum releases for an estimate. The pace is taken over at least this many and at most twice as many. */
    static final int MIN_RELEASES = 20;

    private long newestAt;
    /** Times of the first release of the current stretch, and of the stretch before it. */
    private long currentStart;

    private long previousStart;
    /** Number of releases in the current stretch, and in the one before. */
    private int currentCount;

    private int previousCount;

    void add(long now) {
        if (currentCount == MIN_RELEASES) {
            previousStart = currentStart;
            previousCount = currentCount;
            currentCount = 0;
        }
        if (currentCount == 0) {
            currentStart = now;
        }
        currentCount++;
        newestAt = now;
    }

    /** The expected time of the {@code nth} next release, from the pace of the last ones; empty if it has passed. */
    OptionalLong nthReleaseAt(long nth, long now) {
        int total = previousCount + currentCount;
        if (total < MIN_RELEASES) {
            return OptionalLong.empty();
        }
        double interval = (double) (newestAt - (previousCount == 0 ? currentStart : previousStart)) / (total - 1);
        long at = newestAt + Math.round(interval * nth);
        return at < now ? OptionalLong.empty() : OptionalLong.of(at);
    }
}
