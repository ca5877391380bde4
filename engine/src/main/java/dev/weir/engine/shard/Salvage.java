package dev.weir.engine.shard;

import dev.weir.core.life.Claim;
import dev.weir.core.life.Move;
import dev.weir.engine.journal.JournalFailure;
import dev.weir.engine.journal.Tenure;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What of a batch that was not written can be written after all: memory that is still right is not thrown away because
 * of somebody else's trouble, nor because the store was slow.
 */
final class Salvage {
    /** How old a decision may be by the store's clock if nothing in it depends on that, in microseconds. */
    static final long AGE_MAX = Shard.PATIENCE;
    /** A claim that lasts for less is nobody's for long when it is written late, in microseconds. */
    private static final long CLAIM_MIN = 3 * AGE_MAX;

    private final Site site;
    private final Holdings holdings;
    private final Failures failures;
    /** Organisations of which something was decided too long before it could be written: it is written next time. */
    private final Set<String> anew = new HashSet<>();

    Salvage(Site site, Holdings holdings, Failures failures) {
        this.site = site;
        this.holdings = holdings;
        this.failures = failures;
    }

    /** Whether some of this was decided before, and had grown old. */
    boolean isAnew(Batch batch) {
        return batch.turns.keySet().stream().anyMatch(anew::contains);
    }

    void written(Batch batch) {
        anew.removeAll(batch.turns.keySet());
    }

    /**
     * Writes what is left of a batch that was not written, without those because of whom it was not; they are undone, in the
     * next batch first, so that their messages keep their order.
     *
     * @return what has become of the rest in the end; the same if nothing was wrong, or nothing can be done
     */
    Writing rest(Writing done, @Nullable Batch next, Tenure tenure) {
        Writing rest = done;
        while (true) {
            if (rest.old() && !rest.whenever()) {
                takeOutOld(rest.batch, next);
                rest = rest.again(true);
            } else if (rest.failure() instanceof JournalFailure.RunsTaken taken) {
                takeOutTaken(rest.batch, next, taken, tenure);
                // If it has grown old meanwhile, it is looked at for that too.
                rest = rest.again(false);
            } else {
                return rest;
            }
            rest.tellTime(holdings);
        }
    }

    /** Takes out those of whom something must be decided by the time at which it is written. */
    void takeOutOld(Batch batch, @Nullable Batch next) {
        Set<String> bound = new HashSet<>();
        batch.turns.values().stream().filter(Salvage::isBoundToItsTime).forEach(turn -> bound.add(turn.org));
        if (!bound.isEmpty()) {
            site.counters().add(Count.DECIDED_ANEW);
            anew.addAll(bound);
            takeOut(batch, next, bound);
        }
    }

    /** Takes out the organisation of runs whose ids are taken, and learns who has them. */
    void takeOutTaken(Batch batch, @Nullable Batch next, JournalFailure.RunsTaken taken, Tenure tenure) {
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
            // What history says of them cannot be read: that is their trouble alone.
            failures.unreadable(taken.org(), e);
        }
    }

    /** All of it is decided again. */
    void decideAnew(Batch batch) {
        site.counters().add(Count.DECIDED_ANEW);
        anew.addAll(batch.turns.keySet());
        failures.undo(batch);
    }

    private void takeOut(Batch batch, @Nullable Batch next, Set<String> orgs) {
        if (next != null) {
            failures.undo(next.takeOut(orgs));
        }
        failures.undo(batch.takeOut(orgs));
    }

    /** Whether something in it counts against a rate, which is a matter of when it is done, or begins or ends a short time. */
    private static boolean isBoundToItsTime(Turn turn) {
        return turn.moves.stream().anyMatch(Salvage::isBoundToItsTime);
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

    /** Who beats while the store is slow is heard first. */
    private static boolean isForWantOfAHeartbeat(Move.Released.How how) {
        return how == Move.Released.How.EXPIRED || how == Move.Released.How.TIMED_OUT;
    }

    private static boolean isShort(Claim claim, long from) {
        return Math.min(claim.until(), claim.timeoutAt()) - from < CLAIM_MIN;
    }
}
