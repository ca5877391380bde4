package dev.weir.engine.shard;

/** What a node counts. */
public enum Count {
    /** Runs that were accepted. */
    RUNS_ACCEPTED,
    /** Claims that were granted. */
    GRANTS,
    /** Messages that were decided and committed. */
    COMMANDS,
    /** Transactions that were committed. */
    COMMITS,
    /** Passes after which there was nothing to write. */
    EMPTY_PASSES,
    /** Transactions whose outcome was not known, or that the store broke off. */
    LOST,
    /** Tenures that another owner ended. */
    FENCED,
    /** Transactions that the store would not write. */
    REFUSED,
    /** Batches that were decided anew because the first decision had grown old. */
    DECIDED_ANEW,
    /** Batches that were decided while the one before was written. */
    DECIDED_AHEAD,
    /** Commands that could not be carried out because of what is in them, or of a bug. */
    COMMANDS_FAILED,
    /** Organisations that were set aside for a while because their rules or rows fail. */
    QUARANTINES,
    /** Organisations that were read from their rows. */
    LOADS,
    /** Organisations that were let go because nothing happened to them. */
    EVICTIONS,
    /** Gaps in a loop after which claims were given more time. */
    STALLS,
    /** Comparisons of memory with the rows. */
    SWEEPS,
    /** Differences that a sweep has found. */
    DIFFERENCES,
    /** Starts that were found in the inbox. */
    INBOX_STARTS,
    /** Starts from the inbox that could not be carried out. */
    INBOX_REFUSED
}
