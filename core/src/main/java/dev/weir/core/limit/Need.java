package dev.weir.core.limit;

import org.jspecify.annotations.Nullable;

/**
 * What one ticket asks of one shared limit, with the values that it was accepted with.
 *
 * @param parallelism the most that may be held at once by this ticket's own reckoning; {@link #UNLIMITED} if none
 * @param weight how much of the capacity the ticket holds while it runs
 * @param rate the most that may start in a period by this ticket's own reckoning, if any
 * @param cost how much of the rate a start uses up
 */
public record Need(
        LimitId.Shared limit,
        int parallelism,
        int weight,
        @Nullable Rate rate,
        int cost) {
    /** The weight of what holds nothing, because its place is lent to it: no capacity refuses it. */
    public static final int LENT = 0;

    /** The parallelism of a need that has none. */
    public static final int UNLIMITED = Integer.MAX_VALUE;

    public Need {
        atLeastOne("parallelism", parallelism);
        if (weight < 0) {
            throw new IllegalArgumentException("weight must not be negative, found " + weight);
        }
        atLeastOne("cost", cost);
    }

    /** The same for one to whom a place is lent: it holds nothing, and its start counts. */
    public Need lent() {
        return new Need(limit, UNLIMITED, LENT, rate, cost);
    }

    public static Need parallelism(LimitId.Shared limit, int parallelism) {
        return new Need(limit, parallelism, 1, null, 1);
    }

    public static Need rate(LimitId.Shared limit, Rate rate) {
        return new Need(limit, UNLIMITED, 1, rate, 1);
    }

    private static void atLeastOne(String field, int value) {
        if (value < 1) {
            throw new IllegalArgumentException(field + " must be at least 1, found " + value);
        }
    }
}
