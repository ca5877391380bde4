package dev.weir.core.limit;

import org.jspecify.annotations.Nullable;

/**
 * The need of one ticket for one shared limit, with the values that were in force when it was accepted.
 *
 * @param parallelism maximum capacity in use at once according to this ticket; {@link #UNLIMITED} if none
 * @param weight share of the capacity that the ticket takes while it runs
 * @param rate maximum starts in a period according to this ticket, if any
 * @param cost share of the rate that a start uses
 */
public record LimitNeed(
        LimitId.Shared limit,
        int parallelism,
        int weight,
        @Nullable Rate rate,
        int cost) {
    /**
     * The weight of a ticket that takes no capacity, because another one lends it its place. No capacity refuses it.
     */
    public static final int NO_WEIGHT = 0;

    /** The parallelism of a need that has none. */
    public static final int UNLIMITED = Integer.MAX_VALUE;

    public LimitNeed {
        requireAtLeastOne("parallelism", parallelism);
        if (weight < 0) {
            throw new IllegalArgumentException("weight must not be negative, found " + weight);
        }
        requireAtLeastOne("cost", cost);
    }

    /**
     * Returns the need of a ticket to which a place is lent. It takes no capacity, but its start counts against the
     * rate.
     */
    public LimitNeed withoutWeight() {
        return new LimitNeed(limit, UNLIMITED, NO_WEIGHT, rate, cost);
    }

    public static LimitNeed parallelism(LimitId.Shared limit, int parallelism) {
        return new LimitNeed(limit, parallelism, 1, null, 1);
    }

    public static LimitNeed rate(LimitId.Shared limit, Rate rate) {
        return new LimitNeed(limit, UNLIMITED, 1, rate, 1);
    }

    private static void requireAtLeastOne(String field, int value) {
        if (value < 1) {
            throw new IllegalArgumentException(field + " must be at least 1, found " + value);
        }
    }
}
