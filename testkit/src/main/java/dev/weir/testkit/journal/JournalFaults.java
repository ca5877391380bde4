package dev.weir.testkit.journal;

import dev.weir.core.state.Move;
import java.util.List;
import java.util.Map;

/**
 * Hooks at which a journal in memory can be made to fail or wait, or at which a test looks at it. By default they do
 * nothing.
 */
public interface JournalFaults {
    JournalFaults NONE = new JournalFaults() {};

    /** Called before a shard is taken. May throw, as if the store could not be reached. */
    default void beforeTake(int shard, String owner) {}

    /** Called after a shard was taken. */
    default void afterTake(int shard, String owner) {}

    /** Called after a transaction has begun and holds the shard. */
    default void afterBegin(int shard) {}

    /** Called before starts are taken out of the inbox. */
    default void beforeTakeInbox(int shard) {}

    /** Called before anything is read. */
    default void beforeRead(int shard) {}

    /** Called before a whole organisation is loaded. */
    default void beforeLoad(String org) {}

    /** True if an organisation has too many ended runs to load them with it. */
    default boolean omitsEndedRuns(String org) {
        return false;
    }

    /** Called before a commit. Returns the fate of the commit. */
    default CommitFate beforeCommit(int shard, Map<String, List<Move>> moves) {
        return CommitFate.WRITTEN;
    }

    /** Called after a commit, before its owner learns of it. */
    default void afterCommit(int shard, Map<String, List<Move>> moves) {}

    /** The fate of a commit. */
    enum CommitFate {
        /** The commit is written, and its owner learns of it. */
        WRITTEN,
        /** The commit is written, but its owner never learns of it. */
        WRITTEN_UNTOLD,
        /** The commit is not written, and its owner never learns of it. */
        UNWRITTEN_UNTOLD,
        /** Its owner learns nothing, and the commit is written later, at the latest when the shard is taken again. */
        WRITTEN_LATE,
        /** The store refuses to write the commit. */
        REFUSED
    }
}
