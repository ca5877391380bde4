package dev.weir.engine.shard;

import dev.weir.engine.journal.JournalFailure;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tracks how long a shard has been failing, and why. Reads can succeed while writes fail, for example on a full disk.
 * So an outage ends only with a write, or after some time without a failure. The shard's loop writes it, and any thread
 * may read it.
 */
final class ShardHealth {
    /** The time in microseconds after which an outage is reported to operators. */
    static final long TOLD_AFTER = 5_000_000;
    /** The time in microseconds without a failure after which an outage ends although nothing was written. */
    static final long FORGOTTEN_AFTER = 10_000_000;

    private static final Logger LOG = LoggerFactory.getLogger(ShardHealth.class);

    private final int shard;
    private volatile @Nullable Span span;

    /** The time from the first failure to the latest one, by the monotonic clock. */
    private record Span(long since, long last, String why) {}

    ShardHealth(int shard) {
        this.shard = shard;
    }

    /** Continues the outage of a shard that an error closed. A shard that is open again does not necessarily work. */
    void goesOn(ShardHealth before) {
        span = before.span;
    }

    /** Records a failure of the store. Only the first of several in a row is logged. */
    void lost(JournalFailure failure, long tick) {
        if (begun(toCallers(failure), tick)) {
            LOG.warn("Shard {} cannot continue without the database; it retries: {}", shard, failure.getMessage());
        }
    }

    /** Records an error that closed the shard. */
    void closed(Error error, long tick) {
        begun(String.valueOf(error), tick);
        LOG.error("Shard {} failed; Weir reopens it", shard, error);
    }

    private boolean begun(String why, long tick) {
        Span before = span;
        span = new Span(before == null ? tick : before.since, tick, why);
        return before == null;
    }

    /** Records a successful iteration. */
    void wentWell(boolean wrote, long tick) {
        Span before = span;
        if (before != null && (wrote || tick - before.last > FORGOTTEN_AFTER)) {
            span = null;
            LOG.warn("Shard {} continues after {} ms", shard, (tick - before.since) / 1_000);
        }
    }

    /** A description of the outage for operators, if it has lasted long enough. */
    Optional<String> words(long tick) {
        Span now = span;
        return now == null || tick - now.since <= TOLD_AFTER
                ? Optional.empty()
                : Optional.of("shard " + shard + " has made no progress for " + (tick - now.since) / 1_000_000 + " s: "
                        + now.why);
    }

    /** The message for waiting callers. It includes the store's own reason, if there is one. */
    static String toCallers(JournalFailure failure) {
        return failure instanceof JournalFailure.Lost lost && lost.said() != null
                ? "the database fails (" + lost.said() + ")"
                : "the database is not reachable";
    }
}
