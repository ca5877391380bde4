package dev.weir.engine.journal;

import java.util.Set;

/** Keeps what was decided. One owner at a time may write to a shard; a new tenure ends every earlier one. */
public interface Journal extends AutoCloseable {
    /** Into how many shards organisations are divided. */
    int SHARDS = 256;

    /**
     * Takes a shard: commits a higher epoch, which waits for every transaction of an earlier one. Nothing of an earlier
     * tenure can be written after this, whatever became of its last commit.
     *
     * @throws JournalFailure.Lost if the store cannot be reached
     */
    Tenure take(int shard, String owner);

    /**
     * The shard of an organisation.
     *
     * @throws java.util.NoSuchElementException if there is no such organisation
     * @throws JournalFailure.Lost if the store cannot be reached
     */
    int shardOf(String org);

    /** Shards with an organisation of which something lives, so that somebody has to watch its timers. */
    Set<Integer> living();

    /** Shards for which programs have left starts; a cheap look, taken several times a second. */
    Set<Integer> inboxes();

    @Override
    void close();
}
