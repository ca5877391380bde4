package dev.weir.engine.shard;

/**
 * Time for workers to renew their claims where they could not be heard: after a take-over, while the store was away, while
 * the loop stood still, or while its machine slept. It is given once for each such time: memory that is read again finds
 * it where it was, so a silent worker is not waited for longer.
 */
final class Grace {
    /** How long claims do not expire then, in microseconds. */
    static final long LENGTH = 10_000_000;
    /** For how long workers may go unheard without being given any, in microseconds. */
    static final long UNHEARD_MAX = 2_000_000;

    private static final long NONE = Long.MIN_VALUE;

    /** When messages were last taken, by the monotonic clock, and when last by a turn that went well (or first at all). */
    private long lookedAt = NONE;

    private long heardAt = NONE;
    private boolean due;
    private long until = Long.MIN_VALUE;

    /** Messages are taken now. Tells whether nobody was heard for too long before. */
    boolean looks(long tick) {
        heardAt = heardAt == NONE ? tick : heardAt;
        boolean unheard = isLong(tick - heardAt);
        due |= unheard;
        lookedAt = tick;
        return unheard;
    }

    /** What was taken is decided and written. */
    void heard() {
        heardAt = lookedAt;
    }

    /** There is nobody who could go unheard. */
    void rests() {
        heardAt = NONE;
    }

    /** Something is decided, and what has come since messages were taken is not in it. Tells whether that is too long. */
    boolean decides(long tick) {
        boolean stands = lookedAt != NONE && isLong(tick - lookedAt);
        due |= stands;
        return stands;
    }

    /** The store's clock is ahead of where it should be by so much. Tells whether this machine must have slept. */
    boolean isAhead(long micros) {
        boolean slept = isLong(micros);
        due |= slept;
        return slept;
    }

    private static boolean isLong(long micros) {
        return micros > UNHEARD_MAX;
    }

    /** Another owner may have been there. */
    void takenOver() {
        due = true;
    }

    /** Tells whether more time was given, now that the time of the store is known. */
    boolean give(long now) {
        boolean given = due;
        if (given) {
            due = false;
            until = Math.max(until, now + LENGTH);
        }
        return given;
    }

    /** Before when no claim expires, by the store's clock. */
    long until() {
        return until;
    }

    /**
     * The same for an organisation that was not in memory since then by the monotonic clock.
     *
     * @param before until when its claims did not expire before
     */
    long until(long before, long since, long tick, long now) {
        return Math.max(Math.max(until, before), isLong(tick - since) ? now + LENGTH : Long.MIN_VALUE);
    }
}
