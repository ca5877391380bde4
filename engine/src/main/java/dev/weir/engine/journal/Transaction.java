package dev.weir.engine.journal;

import dev.weir.core.state.Move;
import java.util.List;
import java.util.Set;

/**
 * A transaction of a shard ownership. At its start, the store itself has checked that no higher epoch was committed. No
 * higher epoch can be committed until the transaction ends.
 */
public interface Transaction extends AutoCloseable {
    /**
     * The store's clock at the start of the transaction, in microseconds. It is never behind the newest time in the
     * rows.
     */
    long now();

    /**
     * Takes starts from the inbox; this commit removes them. Starts of one organisation come oldest first.
     * Organisations get equal shares, so that none waits for all starts of another.
     *
     * @param except organisations whose starts stay in the inbox, because nothing can be decided for them now
     */
    List<InboxStart> takeInbox(int max, Set<String> except);

    /** Adds the moves of one organisation. */
    void write(String org, List<Move> moves);

    /** Adds moves that the ownership prepared beforehand. */
    default void write(PreparedWrites prepared) {
        prepared.moves().forEach(this::write);
    }

    /**
     * Writes everything that was added, durably.
     *
     * @throws JournalFailure.Refused if the data cannot be written, and a retry would fail too
     * @throws JournalFailure.RunsTaken if accepted runs have ids of runs that ended long ago
     * @throws JournalFailure.Lost if the outcome is unknown; only a new ownership can tell
     */
    void commit();

    /**
     * Ends the transaction without writing, and verifies that it was intact until now. Only then are decisions made
     * within it known to be true, such as the decision that there is nothing to change.
     *
     * @throws JournalFailure.Lost if it was broken off, so that another owner may have written meanwhile
     */
    default void rollback() {
        close();
    }

    /** Ends the transaction. Without an earlier commit, nothing is written. Never throws. */
    @Override
    void close();
}
