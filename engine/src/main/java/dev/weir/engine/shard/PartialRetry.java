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
    static final long AGE_MAX = Shard.PATIENCE;
    /**
     * The shortest claim, in microseconds, that may be written late. A shorter one would leave its worker too little
     * time.
     */
    private static final long CLAIM_MIN = 3 * AGE_MAX;

    private final ShardContext site;
    private final ShardState holdings;
    private final FailureHandler failures;
    /** Organisations whose decision was too old to be written. Their next decision is written although it is old. */
    private final Set<String> anew = new HashSet<>();

    PartialRetry(ShardContext site, ShardState holdings, FailureHandler failures) {
        this.site = site;
        this.holdings = holdings;
        this.failures = failures;
    }

    /** True if an earlier decision for one of these organisations was too old. */
    boolean isAnew(ShardBatch batch) {
        return batch.turns.keySet().stream().anyMatch(anew::contains);
    }

    void written(ShardBatch batch) {
        anew.removeAll(batch.turns.keySet());
    }

    /**
     * Writes what is left of a failed batch, without the organisations that caused the failure. Those are undone, in
     * the next batch first, so that their messages keep their order.
     *
     * @return the outcome of the last write; {@code done} itself if it succeeded or cannot be retried
     */
    PendingCommit rest(PendingCommit done, @Nullable ShardBatch next, ShardOwnership tenure) {
        PendingCommit rest = done;
        while (true) {
            if (rest.old() && !rest.whenever()) {
                takeOutOld(rest.batch, next);
                rest = rest.again(true);
            } else if (rest.failure() instanceof JournalFailure.RunsTaken taken) {
                takeOutTaken(rest.batch, next, taken, tenure);
                // The batch may have become too old meanwhile, so its age is checked again.
                rest = rest.again(false);
            } else {
                return rest;
            }
            rest.tellTime(holdings);
        }
    }

    /** Removes the organisations whose decision depends on the time at which it is written. */
    void takeOutOld(ShardBatch batch, @Nullable ShardBatch next) {
        Set<String> bound = new HashSet<>();
        batch.turns.values().stream().filter(PartialRetry::isBoundToItsTime).forEach(turn -> bound.add(turn.org));
        if (!bound.isEmpty()) {
            site.counters().add(CounterName.DECIDED_ANEW);
            anew.addAll(bound);
            takeOut(batch, next, bound);
        }
    }

    /** Removes the organisation whose run ids are already in use, and reads the ended runs that have them. */
    void takeOutTaken(
            ShardBatch batch, @Nullable ShardBatch next, JournalFailure.RunsTaken taken, ShardOwnership tenure) {
        takeOut(batch, next, Set.of(taken.org()));
        holdings.reusesIds(taken.org());
        try {
            holdings.fromHistory(taken.org(), tenure.ended(taken.org(), taken.runs()));
        } catch (JournalFailure | Error e) {
            if (next != null) {
                failures.undo(next);
            }
            failures.undo(batch);
            throw e;
        } catch (RuntimeException e) {
            // The history of these runs cannot be read. That affects only their organisation.
            failures.unreadable(taken.org(), e);
        }
    }

    /** Undoes the whole batch, to be decided again. */
    void decideAnew(ShardBatch batch) {
        site.counters().add(CounterName.DECIDED_ANEW);
        anew.addAll(batch.turns.keySet());
        failures.undo(batch);
    }

    private void takeOut(ShardBatch batch, @Nullable ShardBatch next, Set<String> orgs) {
        if (next != null) {
            failures.undo(next.takeOut(orgs));
        }
        failures.undo(batch.takeOut(orgs));
    }

    /**
     * True if a move counts against a rate, which depends on the time of the start, or if it begins or ends a short
     * lease.
     */
    private static boolean isBoundToItsTime(OrganisationBatch turn) {
        return turn.moves.stream().anyMatch(PartialRetry::isBoundToItsTime);
    }

    private static boolean isBoundToItsTime(Move move) {
        if (move instanceof Move.Granted granted) {
            return granted.startsInTick() > 0
                    || !granted.claim().starts().isEmpty()
                    || isShort(granted.claim(), granted.at());
        }
        return (move instanceof Move.RunMoved moved && !moved.starts().isEmpty())
                || (move instanceof Move.Resumed resumed && isShort(resumed.claim(), resumed.at()))
                || (move instanceof Move.Released released && isForWantOfAHeartbeat(released.how()));
    }

    /** True for an expired claim. Heartbeats that arrive while the store is slow must be applied before it. */
    private static boolean isForWantOfAHeartbeat(Move.Released.How how) {
        return how == Move.Released.How.EXPIRED || how == Move.Released.How.TIMED_OUT;
    }

    private static boolean isShort(Claim claim, long from) {
        return Math.min(claim.until(), claim.timeoutAt()) - from < CLAIM_MIN;
    }
}
