package dev.weir.core.admission;

import dev.weir.core.limit.LimitId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Why a ticket waits: everything that refuses it now. Empty if it is about to start. */
public record Explanation(List<Blocker> blockers) {
    /** So many waiters are looked at, at the most, to find a position. */
    public static final int POSITION_MAX = 10_000;

    /**
     * One thing that refuses the ticket.
     *
     * @param limit which limit; absent where it is no limit, as with a missing worker
     * @param holders who holds it, oldest first, the first of them only
     * @param position how many wait before this ticket, plus one, as far as they are counted: a hint, order is not guaranteed
     * @param since from when on the ticket has been held by it, as far as is known
     */
    public record Blocker(
            @Nullable LimitId limit,
            Cause cause,
            Usage usage,
            List<Subject> holders,
            long position,
            long since,
            @Nullable Expected expected) {}

    /** How full it is, in its own unit: {@code used} of {@code capacity}. */
    public record Usage(long used, long capacity) {}

    /**
     * When the ticket's turn comes.
     *
     * @param estimate false if it follows from the limit alone; true if it is drawn from the pace of the last departures
     */
    public record Expected(long at, boolean estimate) {}
}
