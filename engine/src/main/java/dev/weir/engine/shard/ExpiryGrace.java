package dev.weir.engine.shard;

/**
 * Tracks the time from which workers are reachable. They are not reachable before a takeover, while the store is
 * unreachable, while the loop stalls, or while the machine sleeps. After such a gap they get time to renew their
 * claims. Each gap counts once: a reload keeps the earlier time, so a silent worker does not gain more time by it.
 */
final class ExpiryGrace {
    /** The longest gap, in microseconds, that gives workers no extra time. */
    static final long GAP_MAX = 2_000_000;

    private static final long NONE = Long.MIN_VALUE;

    /**
     * The time at which messages were last taken, and the time of the last successful pass (or of the first at all),
     * both by the monotonic clock.
     */
    private long takenAt = NONE;

    private long processedAt = NONE;
    private boolean extensionDue;
    private long reachableSince = Long.MIN_VALUE;

    /** Records that messages are taken now. Returns true if workers were not reachable for too long before. */
    boolean recordTake(long monotonicNow) {
        processedAt = processedAt == NONE ? monotonicNow : processedAt;
        boolean gap = isTooLong(monotonicNow - processedAt);
        extensionDue |= gap;
        takenAt = monotonicNow;
        return gap;
    }

    /** Records that the taken messages are decided and written. */
    void recordProcessed() {
        processedAt = takenAt;
    }

    /** Records that no organisation is in memory, so that no worker can go unheard. */
    void recordIdle() {
        processedAt = NONE;
    }

    /**
     * Records a decision, which does not include messages that arrived since the last take. Returns true if that was
     * too long ago.
     */
    boolean recordDecision(long monotonicNow) {
        boolean stalled = takenAt != NONE && isTooLong(monotonicNow - takenAt);
        extensionDue |= stalled;
        return stalled;
    }

    /** Records by how much the store's clock is ahead of the estimate. Returns true if this machine must have slept. */
    boolean recordClockLead(long micros) {
        boolean slept = isTooLong(micros);
        extensionDue |= slept;
        return slept;
    }

    private static boolean isTooLong(long micros) {
        return micros > GAP_MAX;
    }

    /** Records that another node may have owned the shard. */
    void recordTakeover() {
        extensionDue = true;
    }

    /** Applies a due extension now that the store's time is known. Returns true if there was one. */
    boolean applyExtension(long now) {
        boolean extended = extensionDue;
        if (extended) {
            extensionDue = false;
            reachableSince = Math.max(reachableSince, now);
        }
        return extended;
    }

    /** The time from which workers are reachable, by the store's clock. */
    long reachableSince() {
        return reachableSince;
    }

    /**
     * The time from which workers are reachable, for an organisation that was not in memory for a while.
     *
     * @param before time from which its workers were reachable while it was in memory
     * @param absentSince time at which it left memory, by the monotonic clock
     */
    long reachableSince(long before, long absentSince, long monotonicNow, long now) {
        return Math.max(Math.max(reachableSince, before), isTooLong(monotonicNow - absentSince) ? now : Long.MIN_VALUE);
    }
}
