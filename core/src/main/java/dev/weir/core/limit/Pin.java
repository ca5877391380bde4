package dev.weir.core.limit;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An operator's values for a shared limit. They replace the tickets' own values at once, until they are unpinned or
 * expire. A field without a value leaves the tickets' own in force.
 */
public record Pin(OperatorSetting<Integer> parallelism, OperatorSetting<Rate> rate) {
    public Pin {
        if (parallelism.equals(OperatorSetting.none()) && rate.equals(OperatorSetting.none())) {
            throw new IllegalArgumentException("a pin needs a parallelism or a rate, found neither");
        }
        requireAtLeastOne(parallelism.lasting());
        requireAtLeastOne(parallelism.temporary());
    }

    /** Creates a pin whose values are all lasting, or all temporary. */
    public Pin(@Nullable Integer parallelism, @Nullable Rate rate, long until) {
        this(OperatorSetting.of(parallelism, until), OperatorSetting.of(rate, until));
    }

    private static void requireAtLeastOne(@Nullable Integer parallelism) {
        if (parallelism != null && parallelism < 1) {
            throw new IllegalArgumentException(
                    "a pinned parallelism must be at least 1, found " + parallelism + "; pause a key to stop it");
        }
    }

    /** The parallelism in force; null if the tickets' own is. */
    public @Nullable Integer parallelism(long now) {
        return parallelism.at(now);
    }

    /** The rate in force; null if the tickets' own is. */
    public @Nullable Rate rate(long now) {
        return rate.at(now);
    }

    /** The lasting and the temporary rate, if present. */
    public List<Rate> rates() {
        List<Rate> rates = new ArrayList<>(2);
        if (rate.lasting() != null) {
            rates.add(rate.lasting());
        }
        if (rate.temporary() != null) {
            rates.add(rate.temporary());
        }
        return rates;
    }

    /** The time when no value is left; {@link Moment#NEVER} if one is lasting. */
    public long until() {
        return Math.max(parallelism.endsAt(), rate.endsAt());
    }

    /** The time when the next of its values ends; a time in the past if none is left. */
    public long nextChange(long now) {
        return until() <= now ? until() : Math.min(parallelism.nextChange(now), rate.nextChange(now));
    }
}
