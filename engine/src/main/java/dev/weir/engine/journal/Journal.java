package dev.weir.engine.journal;

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

    /** The shard of an organisation, which must exist. */
    int shardOf(String org);

    @Override
    void close();
}
