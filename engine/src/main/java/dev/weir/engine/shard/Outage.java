package dev.weir.engine.shard;

import dev.weir.engine.journal.JournalFailure;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Since when a shard cannot do its work, and why. What only reads may go well while nothing can be written, such as on a full
 * disk: so an outage is over when something was written, or when nothing has failed for a while. Changed by the shard's
 * loop, looked at by any thread.
 */
final class Outage {
    /** How long an outage lasts, in microseconds, before it is told to those who look after the node. */
    static final long TOLD_AFTER = 5_000_000;
    /** After how long without a failure it is over although nothing was written, in microseconds. */
    static final long FORGOTTEN_AFTER = 10_000_000;

    private static final Logger LOG = LoggerFactory.getLogger(Outage.class);

    private final int shard;
    private volatile @Nullable Span span;

    /** From the first failure to the last one so far, by the monotonic clock. */
    private record Span(long since, long last, String why) {}

    Outage(int shard) {
        this.shard = shard;
    }

    /** A shard that an error has closed is opened anew: that it is open does not mean that it works. */
    void goesOn(Outage before) {
        span = before.span;
    }

    /** The store failed. Only the first of several failures in a row is told to the log. */
    void lost(JournalFailure failure, long tick) {
        if (begun(toCallers(failure), tick)) {
            LOG.warn("shard {} cannot go on without the store, and tries again: {}", shard, failure.getMessage());
        }
    }

    /** An error closed the shard. */
    void closed(Error error, long tick) {
        begun(String.valueOf(error), tick);
        LOG.error("shard {} failed, and is opened anew", shard, error);
    }

    private boolean begun(String why, long tick) {
        Span before = span;
        span = new Span(before == null ? tick : before.since, tick, why);
        return before == null;
    }

    /** A turn went well. */
    void wentWell(boolean wrote, long tick) {
        Span before = span;
        if (before != null && (wrote || tick - before.last > FORGOTTEN_AFTER)) {
            span = null;
            LOG.warn("shard {} goes on after {} ms", shard, (tick - before.since) / 1_000);
        }
    }

    /** What is wrong, for those who look after the node, if it has been so for long. */
    Optional<String> words(long tick) {
        Span now = span;
        return now == null || tick - now.since <= TOLD_AFTER
                ? Optional.empty()
                : Optional.of("shard " + shard + " has not gone on for " + (tick - now.since) / 1_000_000 + " s: "
                        + now.why + "; see the log");
    }

    /** What is told to those who wait: what the store says, if it says anything. */
    static String toCallers(JournalFailure failure) {
        return failure instanceof JournalFailure.Lost lost && lost.said() != null
                ? "the store fails (" + lost.said() + ")"
                : "the store cannot be reached";
    }
}
