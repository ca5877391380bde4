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
    static final long REPORT_AFTER = 5_000_000;
    /** The time in microseconds without a failure after which an outage ends although nothing was written. */
    static final long CLEAR_AFTER = 10_000_000;

    private static final Logger LOG = LoggerFactory.getLogger(ShardHealth.class);

    private final int shard;
    private volatile @Nullable Outage outage;

    /** The time from the first failure to the latest one, by the monotonic clock. */
    private record Outage(long since, long last, String why) {}

    ShardHealth(int shard) {
        this.shard = shard;
    }

    /** Continues the outage of a shard that an error closed. A shard that is open again does not necessarily work. */
    void continueFrom(ShardHealth previous) {
        outage = previous.outage;
    }

    /** Records a failure of the store. Only the first of several in a row is logged. */
    void recordStoreFailure(JournalFailure failure, long monotonicNow) {
        if (recordOutage(callerMessage(failure), monotonicNow)) {
            LOG.warn("Shard {} cannot continue without the database; it retries: {}", shard, failure.getMessage());
        }
    }

    /** Records an error that closed the shard. */
    void recordClose(Error error, long monotonicNow) {
        recordOutage(String.valueOf(error), monotonicNow);
        LOG.error("Shard {} failed; Weir reopens it", shard, error);
    }

    private boolean recordOutage(String why, long monotonicNow) {
        Outage previous = outage;
        outage = new Outage(previous == null ? monotonicNow : previous.since, monotonicNow, why);
        return previous == null;
    }

    /** Records a successful iteration. */
    void recordSuccess(boolean wrote, long monotonicNow) {
        Outage previous = outage;
        if (previous != null && (wrote || monotonicNow - previous.last > CLEAR_AFTER)) {
            outage = null;
            LOG.warn("Shard {} continues after {} ms", shard, (monotonicNow - previous.since) / 1_000);
        }
    }

    /** A description of the outage for operators, if it has lasted long enough. */
    Optional<String> describe(long monotonicNow) {
        Outage current = outage;
        return current == null || monotonicNow - current.since <= REPORT_AFTER
                ? Optional.empty()
                : Optional.of("shard " + shard + " has made no progress for "
                        + (monotonicNow - current.since) / 1_000_000 + " s: " + current.why);
    }

    /** The message for waiting callers. It includes the store's own reason, if there is one. */
    static String callerMessage(JournalFailure failure) {
        return failure instanceof JournalFailure.Lost lost && lost.storeReason() != null
                ? "the database fails (" + lost.storeReason() + ")"
                : "the database is not reachable";
    }
}
