package dev.weir.engine.journal;

import dev.weir.core.life.ClaimedUnit;
import dev.weir.core.life.EndedRun;
import dev.weir.core.life.Move;
import dev.weir.core.life.Plan;
import dev.weir.core.life.Rows;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;

/**
 * One owner's time with one shard, from its epoch until a higher one. Used by one thread at a time. Every method may throw a
 * {@link JournalFailure}. What is read while an {@link Entry} is open is read within its transaction, and does not end it.
 */
public interface Tenure extends AutoCloseable {
    long epoch();

    /** Organisations of the shard of which something lives, so that its timers must be watched. */
    List<String> organisations();

    /**
     * All of an organisation that lives, and what is remembered of the runs that ended last.
     *
     * @throws JournalFailure.TooSlow if it cannot be read in time, as with all that is read of one organisation; an
     *     {@link Entry} that is open has ended then
     */
    Rows load(String org);

    /** A version of a workflow that was registered; it must exist. Runs of one version share one plan. */
    Plan plan(String org, String workflow, int version);

    /** What is remembered of runs that ended long ago; those that are not known are left out. */
    List<EndedRun> ended(String org, Collection<String> runs);

    /** A run that has ended, however long ago; absent if it lives or never was. */
    Optional<PastRun> past(String org, String run);

    /**
     * Makes what was decided ready to be written, as far as that needs nothing of the store. Unlike all else, this may be
     * done while another thread uses the tenure; whatever is wrong with it is told when it is committed.
     */
    default Draft draft(Map<String, List<Move>> moves) {
        return Draft.of(moves);
    }

    /**
     * Writes a draft in a transaction of its own, with as few trips to the store as it can.
     *
     * @param by the time of the store by which it was decided
     * @param clock told the store's clock when the transaction began, as soon as that is heard
     * @throws JournalFailure.Late if that is too long ago; nothing was written then
     */
    default void write(Draft draft, long by, LongConsumer clock) {
        try (Entry entry = begin()) {
            clock.accept(entry.now());
            if (entry.now() - by > Draft.AGE_MAX) {
                throw new JournalFailure.Late("expected a decision of " + entry.now() + ", found one of " + by);
            }
            entry.write(draft);
            entry.commit();
        }
    }

    /** Begins a transaction under this tenure's epoch. */
    Entry begin();

    /**
     * The claims of an organisation as the rows have them now, in no order; for the sweep. A store may leave out those of
     * units that are not believed to be claimed, if a slice tells that these run.
     *
     * @param firstRun the number of the first run of which they are wanted: what has ended before it costs nothing
     * @param claimed what is believed to be claimed
     */
    List<ClaimMark> claims(String org, long firstRun, List<ClaimedUnit> claimed);

    /**
     * Steps and items that are open, of the runs with numbers above the given one, as the rows have them now: of the next
     * runs only, and no more than so many, so that a sweep goes on slice by slice.
     */
    Slice slice(String org, long afterRun, int runs, int units);

    @Override
    void close();
}
