package dev.weir.core.admission;

import dev.weir.core.limit.Moment;
import dev.weir.core.limit.OperatorSetting;
import org.jspecify.annotations.Nullable;

/** An operator's values for a run's own limits. A field without a value leaves the definition's value in force. */
public record RunOverrides(OperatorSetting<Integer> maxSteps, OperatorSetting<Integer> maxSlots) {
    public static final RunOverrides NONE = new RunOverrides(OperatorSetting.none(), OperatorSetting.none());

    public RunOverrides {
        requireAtLeastOne("max steps", maxSteps);
        requireAtLeastOne("max slots", maxSlots);
    }

    /** Creates overrides that do not expire. */
    public static RunOverrides of(@Nullable Integer maxSteps, @Nullable Integer maxSlots) {
        return new RunOverrides(OperatorSetting.of(maxSteps, Moment.NEVER), OperatorSetting.of(maxSlots, Moment.NEVER));
    }

    private static void requireAtLeastOne(String field, OperatorSetting<Integer> value) {
        requireAtLeastOne(field, value.lasting());
        requireAtLeastOne(field, value.temporary());
    }

    private static void requireAtLeastOne(String field, @Nullable Integer value) {
        if (value != null && value < 1) {
            throw new IllegalArgumentException(
                    "an override must be at least 1, found " + field + " " + value + "; pause a run to stop it");
        }
    }

    /** The time when the next temporary value ends. */
    public long nextChange(long now) {
        return Math.min(maxSteps.nextChange(now), maxSlots.nextChange(now));
    }
}
