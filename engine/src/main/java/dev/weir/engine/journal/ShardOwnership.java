package dev.weir.engine.journal;

import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.LimitStart;
import dev.weir.core.plan.Plan;
import dev.weir.core.state.ClaimedUnit;
import dev.weir.core.state.EndedRun;
import dev.weir.core.state.Move;
import dev.weir.core.state.OrganisationRows;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;

/**
 * One owner's time with one shard, from its epoch until a higher one. One thread at a time may use it. Every method may
 * throw a {@link JournalFailure}. While a {@link Transaction} is open, reads run within it and do not end it.
 */
public interface ShardOwnership extends AutoCloseable {
    long epoch();

    /** The organisations of the shard with unfinished work, whose timers must be watched. */
    List<String> organisations();

    /**
     * Loads everything of an organisation that must survive a restart: its unfinished runs with their steps and claims,
     * its settings, and the runs that ended last.
     *
     * @throws JournalFailure.TooSlow if the read takes too long, as with all reads of one organisation; an open {@link
     *     Transaction} has ended then
     */
    OrganisationRows load(String org);

    /**
     * Loads an organisation beside other work. Unlike most methods, this may be called on another thread while the
     * ownership is in use. Nothing of the organisation may be written meanwhile.
     *
     * @param isQuick true to give up on a large organisation, before it has taken much time and memory
     * @param memory gives the memory for the rows of a load that is not quick
     * @throws LoadUnfinished if the load is to be quick, and the organisation is large
     */
    LoadedRows loadConcurrently(String org, boolean isQuick, LoadAllowance memory);

    /** The plan of a registered workflow version, which must exist. Runs of one version share one plan. */
    Plan plan(String org, String workflow, int version);

    /** The stored summaries of runs that ended long ago. Unknown runs are left out. */
    List<EndedRun> findEndedRuns(String org, Collection<String> runs);

    /**
     * The stored starts that count against the rates of limits, oldest first. If there are very many, older ones are
     * merged into one at the time of the newest of them.
     */
    Map<LimitId.Shared, List<LimitStart>> starts(String org, Collection<LimitId.Shared> limits);

    /** An ended run, however long ago it ended; absent if it is unfinished or never existed. */
    Optional<PastRun> findPastRun(String org, String run);

    /** The fingerprints of the stored events with these ids, by id. Unknown ids are left out. */
    Map<String, Integer> findEvents(String org, Collection<String> ids);

    /** A dead letter, with the start to submit again if it has one. */
    Optional<StoredDeadLetter> findDeadLetter(String org, long number);

    /**
     * Prepares moves for writing, as far as possible without the store. Unlike all other methods, this may be called
     * while another thread uses the ownership. Errors in the moves are reported by the commit.
     */
    default PreparedWrites prepare(Map<String, List<Move>> moves) {
        return PreparedWrites.of(moves);
    }

    /**
     * Writes prepared moves in a transaction of their own, with as few round trips as possible.
     *
     * @param decisionTime store's time by which they were decided
     * @param clock receives the store's time at the start of the transaction, as soon as it is known
     * @throws JournalFailure.Late if the decision is too old; nothing was written then
     */
    default void write(PreparedWrites prepared, long decisionTime, LongConsumer clock) {
        try (Transaction transaction = begin()) {
            clock.accept(transaction.now());
            if (transaction.now() - decisionTime > PreparedWrites.AGE_MAX) {
                throw new JournalFailure.TooOld(
                        "expected a decision of " + transaction.now() + ", found one of " + decisionTime);
            }
            transaction.write(prepared);
            transaction.commit();
        }
    }

    /** Begins a transaction under the epoch of this ownership. */
    Transaction begin();

    /**
     * The current claims of an organisation in the rows, in no order, for the sweep. A store may leave out claims of
     * units that are not in {@code claimed}, if a slice shows these units as running.
     *
     * @param firstRun number of the first run whose claims are wanted, so that runs that ended before it cost nothing
     * @param claimed units that memory believes to be claimed
     */
    List<ClaimSummary> claims(String org, long firstRun, List<ClaimedUnit> claimed);

    /**
     * The current open steps and items of the next runs after a run number. The numbers of runs and units are bounded,
     * so that a sweep proceeds slice by slice.
     */
    SweepSlice slice(String org, long afterRun, int runs, int units);

    @Override
    void close();
}
