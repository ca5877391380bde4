package dev.weir.core.life;

import org.jspecify.annotations.Nullable;

/**
 * Leaves out of the rows of a large fan-out what memory does not keep of it either, while they are read: to bring a run
 * back must not take more than to live with it. Rows come in the order of steps, each before its items.
 */
public final class Thrift {
    private @Nullable String run;
    private @Nullable String step;
    private int total;
    private long outputChars;

    /** The row, with as much as memory would keep. */
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
        return row.with(total > Items.LARGE ? null : row.input(), last(row.last()));
    }

    /** Outputs up to the one that is too much, by which it is known that they are too large together. */
    private @Nullable Update last(@Nullable Update last) {
        if (!(last instanceof Update.Completed completed)) {
            return last;
        }
        if (outputChars > Items.OUTPUTS_CHARS_MAX) {
            return Items.FORGOTTEN;
        }
        outputChars += JsonLength.of(completed.output()) + 1;
        return last;
    }
}
