package dev.weir.core.life;

import dev.weir.core.expression.Rendered;
import org.jspecify.annotations.Nullable;

/**
 * A step or item as it is kept. A step that is still blocked has no row.
 *
 * @param fence the newest claim's; 0 before the first
 * @param since from when its age counts
 * @param due when it goes on by itself
 * @param attempts tries that count against its retries
 * @param expiries claims that ended because nobody extended them
 * @param reschedules how often its workers have put it off
 * @param items how many items it has; negative if it is not fanned out
 * @param last how the last try ended
 * @param reported whether the newest claim ended with a report
 * @param report the fingerprint of that report
 */
public record StepRow(
        UnitId id,
        StepState state,
        long fence,
        long since,
        long due,
        int attempts,
        int expiries,
        int reschedules,
        int items,
        @Nullable WaitsFor waitsFor,
        @Nullable Ask ask,
        @Nullable Rendered input,
        @Nullable Update last,
        boolean reported,
        int report) {
    /** The number of items of what is not fanned out. */
    public static final int NOT_FANNED_OUT = -1;
}
