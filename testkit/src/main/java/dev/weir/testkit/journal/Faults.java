package dev.weir.testkit.journal;

import dev.weir.core.life.Move;
import java.util.List;
import java.util.Map;

/** Where a journal in memory can be told to fail, wait, or look away. Nothing happens by default. */
public interface Faults {
    Faults NONE = new Faults() {};

    /** A shard is about to be taken; may throw that the store cannot be reached. */
    default void taking(int shard, String owner) {}

    /** A shard is taken. */
    default void taken(int shard, String owner) {}

    /** A transaction has begun, and holds the shard. */
    default void begun(int shard) {}

    /** Starts are about to be taken out of the inbox. */
    default void takingInbox(int shard) {}

    /** Something is about to be read. */
    default void reading(int shard) {}

    /** An organisation is about to be read as a whole. */
    default void loading(String org) {}

    /** Whether the runs of an organisation that have ended are too many to be read with it. */
    default boolean forgets(String org) {
        return false;
    }

    /** What becomes of a commit that is about to happen. */
    default Commit committing(int shard, Map<String, List<Move>> moves) {
        return Commit.WRITTEN;
    }

    /** A commit is done, and its owner is about to be told. */
    default void committed(int shard, Map<String, List<Move>> moves) {}

    /** What becomes of a commit. */
    enum Commit {
        /** It is written, and its owner is told. */
        WRITTEN,
        /** It is written, and its owner is never told. */
        WRITTEN_UNTOLD,
        /** It is not written, and its owner is never told. */
        UNWRITTEN_UNTOLD,
        /** Its owner is told nothing, and it is written later: at the latest when the shard is taken again. */
        WRITTEN_LATE,
        /** The store cannot write that. */
        REFUSED
    }
}
