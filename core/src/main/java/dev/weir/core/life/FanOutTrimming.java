package dev.weir.core.life;

import org.jspecify.annotations.Nullable;

/**
 * Trims the rows of a large fan-out while they are read, to the data that memory keeps of it. Loading a run must not
 * take more memory than the live run. Rows must come in the order of steps, each step before its items.
 */
public final class FanOutTrimming {
    private @Nullable String run;
    private @Nullable String step;
    private int total;
    private long outputChars;

    /** Returns the row with only the data that memory would keep. */
    public StepRow keep(StepRow row) {
        UnitId id = row.id();
        if (id.item() == UnitId.NO_ITEM) {
            run = id.run();
            step = id.step();
            total = row.items();
            outputChars = 0;
            return row;
        }
        boolean known = id.run().equals(run) && id.step().equals(step);
        if (!known || row.state() != StepState.COMPLETED) {
            return row;
        }
        return row.with(total > ItemSet.LARGE ? null : row.input(), last(row.last()));
    }

    /** Keeps outputs up to the one that exceeds the limit. That one shows that all outputs together are too large. */
    private @Nullable Update last(@Nullable Update last) {
        if (!(last instanceof Update.Completed completed)) {
            return last;
        }
        if (outputChars > ItemSet.OUTPUTS_CHARS_MAX) {
            return ItemSet.FORGOTTEN;
        }
        outputChars += JsonLength.of(completed.output()) + 1;
        return last;
    }
}
