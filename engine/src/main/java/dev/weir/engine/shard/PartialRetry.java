package dev.weir.engine.shard;

import dev.weir.core.state.Claim;
import dev.weir.core.state.Move;
import dev.weir.engine.journal.JournalFailure;
import dev.weir.engine.journal.ShardOwnership;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Retries a failed batch without the organisations that caused the failure. Correct memory is not discarded because of
 * another organisation's failure or a slow store.
 */
final class PartialRetry {
    /** The age in microseconds, by the store's clock, that a decision may have if it does not depend on time. */
    static final long AGE_MAX = Shard.REQUEST_TIMEOUT;
    /**
     * The shortest claim, in microseconds, that may be written late. A shorter one would leave its worker too little
     * time.
     */
    private static final long LATE_CLAIM_MIN = 3 * AGE_MAX;

    private final ShardContext context;
    private final ShardState state;
    private final FailureHandler failures;
    /** Organisations whose decision was too old to be written. Their next decision is written although it is old. */
    private final Set<String> redecided = new HashSet<>();

    PartialRetry(ShardContext context, ShardState state, FailureHandler failures) {
        this.context = context;
        this.state = state;
        this.failures = failures;
    }

    /** True if an earlier decision for one of these organisations was too old. */
    boolean hasRedecided(ShardBatch batch) {
        return batch.orgBatches.keySet().stream().anyMatch(redecided::contains);
    }

    void recordCommit(ShardBatch batch) {
        redecided.removeAll(batch.orgBatches.keySet());
    }

    /**
     * Writes what is left of a failed batch, without the organisations that caused the failure. Those are undone, in
     * the next batch first, so that their messages keep their order.
     *
     * @return the outcome of the last write; {@code done} itself if it succeeded or cannot be retried
     */
    PendingCommit retryRemaining(PendingCommit done, @Nullable ShardBatch next, ShardOwnership ownership) {
        PendingCommit remaining = done;
        while (true) {
            if (remaining.wasTooOld() && !remaining.acceptsOld()) {
                removeTooOld(remaining.batch, next);
                remaining = remaining.retry(true);
            } else if (remaining.failure() instanceof JournalFailure.RunIdsInUse taken) {
                removeConflicting(remaining.batch, next, taken, ownership);
                // The batch may have become too old meanwhile, so its age is checked again.
                remaining = remaining.retry(false);
            } else {
                return remaining;
            }
            remaining.reportTime(state);
        }
    }

    /** Removes the organisations whose decision depends on the time at which it is written. */
    void removeTooOld(ShardBatch batch, @Nullable ShardBatch next) {
        Set<String> timeBound = new HashSet<>();
        batch.orgBatches.values().stream()
                .filter(PartialRetry::isTimeBound)
                .forEach(orgBatch -> timeBound.add(orgBatch.org));
        if (!timeBound.isEmpty()) {
            context.counters().add(CounterName.DECIDED_ANEW);
            redecided.addAll(timeBound);
            undoOnly(batch, next, timeBound);
        }
    }

    /** Removes the organisation whose run ids are already in use, and reads the ended runs that have them. */
    void removeConflicting(
            ShardBatch batch, @Nullable ShardBatch next, JournalFailure.RunIdsInUse taken, ShardOwnership ownership) {
        undoOnly(batch, next, Set.of(taken.org()));
        state.recordIdReuse(taken.org());
        try {
            state.addHistory(taken.org(), ownership.findEndedRuns(taken.org(), taken.runs()));
        } catch (JournalFailure | Error e) {
            if (next != null) {
                failures.undo(next);
            }
            failures.undo(batch);
            throw e;
        } catch (RuntimeException e) {
            // The history of these runs cannot be read. That affects only their organisation.
            failures.quarantineUnreadable(taken.org(), e);
        }
    }

    /** Undoes the whole batch, to be decided again. */
    void decideAgain(ShardBatch batch) {
        context.counters().add(CounterName.DECIDED_ANEW);
        redecided.addAll(batch.orgBatches.keySet());
        failures.undo(batch);
    }

    private void undoOnly(ShardBatch batch, @Nullable ShardBatch next, Set<String> orgs) {
        if (next != null) {
            failures.undo(next.splitOff(orgs));
        }
        failures.undo(batch.splitOff(orgs));
    }

    /**
     * True if a move counts against a rate, which depends on the time of the start, or if it begins or ends a short
     * lease.
     */
    private static boolean isTimeBound(OrganisationBatch orgBatch) {
        return orgBatch.moves.stream().anyMatch(PartialRetry::isTimeBound);
    }

    private static boolean isTimeBound(Move move) {
        if (move instanceof Move.Granted granted) {
            return granted.startsInTick() > 0
                    || !granted.claim().starts().isEmpty()
                    || isShort(granted.claim(), granted.at());
        }
        return (move instanceof Move.RunMoved moved && !moved.starts().isEmpty())
                || (move instanceof Move.Resumed resumed && isShort(resumed.claim(), resumed.at()))
                || (move instanceof Move.Released released && isExpiry(released.cause()));
    }

    /** True for an expired claim. Heartbeats that arrive while the store is slow must be applied before it. */
    private static boolean isExpiry(Move.Released.Cause how) {
        return how == Move.Released.Cause.EXPIRED || how == Move.Released.Cause.TIMED_OUT;
    }

    private static boolean isShort(Claim claim, long from) {
        return Math.min(claim.until(), claim.timeoutAt()) - from < LATE_CLAIM_MIN;
    }
}
