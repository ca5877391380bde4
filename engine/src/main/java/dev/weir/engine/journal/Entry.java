package dev.weir.engine.journal;

import dev.weir.core.life.Move;
import java.util.List;
import java.util.Set;

/**
 * A transaction of a tenure. The store has checked, at its beginning and on its own side, that no higher epoch was
 * committed; until it ends no higher one can be.
 */
public interface Entry extends AutoCloseable {
    /** The store's clock when the transaction began, in microseconds; never behind the newest time in the rows. */
    long now();

    /**
     * Starts that programs have left in their own transactions; they are gone with this commit. Those of an organisation come
     * oldest first, and as many of one as of another, so that nobody waits for all that somebody else has left.
     *
     * @param except organisations whose starts stay where they are, because nothing can be decided for them now
     */
    List<InboxStart> takeInbox(int most, Set<String> except);

    /** Adds what was decided for an organisation. */
    void write(String org, List<Move> moves);

    /** Adds what was decided, of which the tenure has made as much as it could beforehand. */
    default void write(Draft draft) {
        draft.moves().forEach(this::write);
    }

    /**
     * Writes all that was added, durably.
     *
     * @throws JournalFailure.Refused if what was added cannot be written, and trying again would be in vain
     * @throws JournalFailure.RunsTaken if runs were accepted whose ids belong to runs that ended long ago
     * @throws JournalFailure.Lost if it is not known whether it was written; only a new tenure can tell
     */
    void commit();

    /**
     * Ends the transaction without writing anything, and sees that it was whole until now: only then is what was decided
     * within it, such as that there is nothing to change, known to be true.
     *
     * @throws JournalFailure.Lost if it was broken off, so that another owner may have written meanwhile
     */
    default void rollback() {
        close();
    }

    /** Ends the transaction; without a commit before, nothing of it is written. Never throws. */
    @Override
    void close();
}
