package dev.weir.engine.shard;

/**
 * Tracks the time from which workers can be heard. They cannot be heard before a takeover, while the store is
 * unreachable, while the loop stalls, or while the machine sleeps. After such a gap they get time to renew their
 * claims. Each gap counts once: a reload keeps the earlier time, so a silent worker does not gain more time by it.
 */
final class ExpiryGrace {
    /** The longest gap, in microseconds, that gives workers no extra time. */
    static final long UNHEARD_MAX = 2_000_000;

    private static final long NONE = Long.MIN_VALUE;

    /**
     * The time at which messages were last taken, and the time of the last successful pass (or of the first at all),
     * both by the monotonic clock.
     */
    private long lookedAt = NONE;

    private long heardAt = NONE;
    private boolean due;
    private long since = Long.MIN_VALUE;

    /** Records that messages are taken now. Returns true if workers were not heard for too long before. */
    boolean looks(long tick) {
        heardAt = heardAt == NONE ? tick : heardAt;
        boolean unheard = isLong(tick - heardAt);
        due |= unheard;
        lookedAt = tick;
        return unheard;
    }

    /** Records that the taken messages are decided and written. */
    void heard() {
        heardAt = lookedAt;
    }

    /** Records that no organisation is in memory, so that no worker can go unheard. */
    void rests() {
        heardAt = NONE;
    }

    /**
     * Records a decision, which does not include messages that arrived since the last take. Returns true if that was
     * too long ago.
     */
    boolean decides(long tick) {
        boolean stands = lookedAt != NONE && isLong(tick - lookedAt);
        due |= stands;
        return stands;
    }

    /** Records by how much the store's clock is ahead of the estimate. Returns true if this machine must have slept. */
    boolean isAhead(long micros) {
        boolean slept = isLong(micros);
        due |= slept;
        return slept;
    }

    private static boolean isLong(long micros) {
        return micros > UNHEARD_MAX;
    }

    /** Records that another node may have owned the shard. */
    void takenOver() {
        due = true;
    }

    /** Applies a due extension now that the store's time is known. Returns true if there was one. */
    boolean give(long now) {
        boolean given = due;
        if (given) {
            due = false;
            since = Math.max(since, now);
        }
        return given;
    }

    /** The time from which workers can be heard, by the store's clock. */
    long since() {
        return since;
    }

    /**
     * The time from which workers can be heard, for an organisation that was not in memory for a while.
     *
     * @param before time from which its workers could be heard while it was in memory
     * @param absentSince time at which it left memory, by the monotonic clock
     */
    long since(long before, long absentSince, long tick, long now) {
        return Math.max(Math.max(since, before), isLong(tick - absentSince) ? now : Long.MIN_VALUE);
    }
}
