package dev.weir.engine.shard;

/** The counters of a node. */
public enum CounterName {
    /** Accepted runs. */
    RUNS_ACCEPTED,
    /** Granted claims. */
    GRANTS,
    /** Messages that were decided and committed. */
    COMMANDS,
    /** Committed transactions. */
    COMMITS,
    /** Passes that had nothing to write. */
    EMPTY_PASSES,
    /** Transactions with an unknown outcome, or that the store broke off. */
    LOST,
    /** Shard ownerships that another owner ended. */
    FENCED,
    /** Transactions that the store refused to write. */
    REFUSED,
    /** Batches that were decided again because the first decision was too old. */
    DECIDED_ANEW,
    /** Batches that were decided while the previous one was being written. */
    DECIDED_AHEAD,
    /** Commands that failed because of their contents or a bug. */
    COMMANDS_FAILED,
    /** Quarantines of organisations whose rules or rows fail. */
    QUARANTINES,
    /** Organisations that were loaded from their rows. */
    LOADS,
    /** Organisations that were evicted because they were inactive. */
    EVICTIONS,
    /** Gaps in a loop after which claims were given more time. */
    STALLS,
    /** Comparisons of an organisation's memory with its rows. */
    SWEEPS,
    /** Differences that a sweep found. */
    DIFFERENCES,
    /** Usages of limits that did not match the live claims and that a sweep corrected. */
    USAGE_CORRECTIONS,
    /** Commands that used more than 100 ms of a loop's CPU. */
    SLOW_COMMANDS,
    /** Starts that were found in the inbox. */
    INBOX_STARTS,
    /** Starts from the inbox that were refused. */
    INBOX_REFUSED,
    /** Dead letters: work that failed for good. */
    DEAD_LETTERS,
    /** Notices that were issued to operators. */
    NOTICES
}
