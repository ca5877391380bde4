package dev.weir.engine.journal;

import java.util.Set;

/**
 * The port to the store of decisions. One owner at a time may write to a shard; taking ownership ends every earlier
 * ownership.
 */
public interface Journal extends AutoCloseable {
    /** The number of shards over which organisations are distributed. */
    int SHARDS = 256;

    /**
     * Takes ownership of a shard: commits a higher epoch, which waits for every transaction of an earlier one. After
     * this, no earlier owner can write, whatever the outcome of its last commit.
     *
     * @throws JournalFailure.Lost if the store is unreachable
     */
    ShardOwnership take(int shard, String owner);

    /**
     * The shard of an organisation.
     *
     * @throws java.util.NoSuchElementException if there is no such organisation
     * @throws JournalFailure.Lost if the store is unreachable
     */
    int shardOf(String org);

    /** The shards with an organisation that has unfinished work, whose timers a node must watch. */
    Set<Integer> shardsWithWork();

    /** The shards with starts in the inbox. The query is cheap, because nodes run it several times a second. */
    Set<Integer> shardsWithInbox();

    /**
     * The number of times that this journal has removed runs from history. After it grows, ended runs that are still in
     * memory may no longer be stored.
     */
    default long removalCount() {
        return 0;
    }

    @Override
    void close();
}
