package dev.weir.core.admission;

import dev.weir.core.limit.LimitId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The reasons why a ticket waits: everything that refuses it now. Empty if it is about to start. */
public record Explanation(List<Blocker> blockers) {
    /** Maximum waiting tickets that are counted to find a position. */
    public static final int POSITION_MAX = 10_000;

    /**
     * One thing that refuses the ticket.
     *
     * @param limit the limit; null if the cause is not a limit, such as a missing worker
     * @param holders the owners of its allocations, oldest first, only the first of them
     * @param position the number of counted tickets ahead of this one, plus one: a hint, the order is not
     *     guaranteed
     * @param since the time from which it has held the ticket, as far as is known
     */
    public record Blocker(
            @Nullable LimitId limit,
            HoldCause cause,
            Usage usage,
            List<Subject> holders,
            long position,
            long since,
            @Nullable Expected expected) {}

    /** The usage of a limit, in its own unit: {@code used} of {@code capacity}. */
    public record Usage(long used, long capacity) {}

    /**
     * The time when the ticket's turn comes.
     *
     * @param estimate false if it follows from the limit alone; true if it comes from the pace of the last releases
     */
    public record Expected(long at, boolean estimate) {}
}
