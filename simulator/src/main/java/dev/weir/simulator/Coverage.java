package dev.weir.simulator;

/** Situations that must occur often enough for the simulation to mean something. */
public enum Coverage {
    // limits that caused a hold
    RUN_STEPS(true),
    RUN_SLOTS(true),
    RUN_EXCLUSIVE(true),
    RUN_TICK(true),
    FAN_OUT(true),
    KEY_PARALLELISM(true),
    KEY_RATE_SLIDING(true),
    KEY_RATE_FIXED(true),
    CONCURRENT_RUNS(true),
    RUNS_PER_MINUTE(true),
    RUN_KEY(true),
    /** Space in the window of a rate that is reserved for a step which was overtaken too often. */
    WINDOW_RESERVED(false),
    // faults, and actions of operators and workers
    WORKER_KILLED(false),
    WORKER_PAUSED(false),
    REPORT_REPEATED(false),
    REPORT_LATE(false),
    LEASE_EXPIRED(false),
    TIMED_OUT(false),
    FAILED(false),
    FAILED_PERMANENTLY(false),
    RESCHEDULED(false),
    CANCELLED(false),
    RUN_PAUSED(false),
    RUN_OVERRIDDEN(false),
    KEY_PINNED(false),
    KEY_PAUSED(false),
    RATE_RESET(false),
    SUSPENDED(false),
    WORKFLOW_PAUSED(false),
    RUN_LIMIT_OPERATED(false),
    RUN_DEFERRED(false),
    CLAIMED_DIRECTLY(false),
    KEY_HELD(false),
    COMPENSATED(false),
    SIGNAL_KEPT(false),
    DEADLINE_NEAR(false),
    DEAD_LETTERED(false),
    DEAD_LETTER_CLOSED(false),
    NOTICE_OPENED(false),
    NOTICE_CLOSED(false),
    NEEDED_INPUT(false),
    RESUMED(false),
    ABANDONED(false),
    APPROVED(false),
    REVOKED(false),
    SKIPPED(false),
    RUN_NOW(false),
    INVOKED(false),
    /** An invoked run with keys of its call site. */
    INVOKED_WITH_KEYS(false),
    CANCEL_INHERITED(false),
    CASCADE_BOUNDED(false),
    EMITTED(false),
    EVENT_STARTED(false),
    EVENT_FILTERED(false),
    EVENT_CASCADE(false),
    BURST_OPENED(false),
    BURST_MERGED(false),
    RUN_RETRIED(false),
    START_DELAYED(false),
    TARGETED(false),
    INBOX_START_ACCEPTED(false),
    START_REFUSED(false),
    ENDED_RUN_STARTED_AGAIN(false),
    INPUT_AMENDED(false),
    OUTPUT_AMENDED(false),
    SIGNAL_TAKEN(false),
    SIGNAL_REPEATED(false),
    DEADLINE_PASSED(false),
    DEADLINE_EXTENDED(false),
    OVER_CAPACITY(false),
    REBUILT(false),
    // faults of nodes and of the journal
    NODE_KILLED(false),
    NODE_DIED_BEFORE_COMMIT(false),
    NODE_DIED_IN_COMMIT(false),
    NODE_DIED_AFTER_COMMIT(false),
    COMMIT_NOT_WRITTEN(false),
    COMMIT_UNCONFIRMED(false),
    COMMIT_LATE(false),
    COMMIT_SLOW(false),
    DECIDED_AGAIN(false),
    DECIDED_AHEAD(false),
    /** An organisation that was read while the loop served others. */
    LOADED_LATE(false),
    DECIDED_IN_PARTS(false),
    STORE_UNREACHABLE(false),
    MACHINES_SLEPT(false),
    TWO_OWNERS(false),
    RULE_FAILED(false),
    ROWS_REFUSED(false),
    ROW_REMOVED(false);

    private final boolean limit;

    Coverage(boolean limit) {
        this.limit = limit;
    }

    public boolean isLimit() {
        return limit;
    }
}
