package dev.weir.core.state;

import dev.weir.core.json.JsonLength;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Trims the rows of a large fan-out while they are read, to the data that memory keeps of it. Loading a run must not
 * take more memory than the live run. Rows must come in the order of steps, each step before its items.
 */
public final class FanOutTrimming {
    /** The largest output of all items together, in characters of JSON. */
    public static final int OUTPUTS_CHARS_MAX = 4 * 1024 * 1024;

    /** The number of items above which only the rows keep the input of a completed item. */
    public static final int INPUTS_KEPT_MAX = 1_000;

    /** Stands for an output that only the rows keep. */
    public static final Update.Completed DROPPED_OUTPUT = new Update.Completed(JsonNodeFactory.instance.nullNode());

    private @Nullable String run;
    private @Nullable String step;
    private int total;
    private long outputChars;

    /** Returns the row with only the data that memory would keep. */
    public StepRow trim(StepRow row) {
        UnitId id = row.id();
        if (id.item() == UnitId.NO_ITEM) {
            run = id.run();
            step = id.step();
            total = row.items();
            outputChars = 0;
            return row;
        }
        boolean isOfCurrentStep = id.run().equals(run) && id.step().equals(step);
        if (!isOfCurrentStep || row.state() != StepState.COMPLETED) {
            return row;
        }
        return row.with(total > INPUTS_KEPT_MAX ? null : row.input(), trimOutput(row.lastOutcome()));
    }

    /** Keeps outputs up to the one that exceeds the limit. That one shows that all outputs together are too large. */
    private @Nullable Update trimOutput(@Nullable Update last) {
        if (!(last instanceof Update.Completed completed)) {
            return last;
        }
        if (outputChars > OUTPUTS_CHARS_MAX) {
            return DROPPED_OUTPUT;
        }
        outputChars += JsonLength.of(completed.output()) + 1;
        return last;
    }
}
