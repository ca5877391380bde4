package dev.weir.core.life;

import dev.weir.core.admission.RunGate;
import org.jspecify.annotations.Nullable;

/**
 * A run as it is kept while it lives.
 *
 * @param number orders runs by when they were accepted
 * @param ask what it asks of the limits of runs
 * @param startedAt when it was admitted; {@link #NOT_STARTED} before
 * @param ending that it is on its way to its end
 * @param lastGrantAt when the last of its steps started, for its ticks
 * @param startsInTick how many have started in the tick of that time
 */
public record RunRow(
        StartRun request,
        long number,
        Ask ask,
        long acceptedAt,
        long startedAt,
        RunState state,
        @Nullable Ending ending,
        RunGate.@Nullable Overrides overrides,
        long lastGrantAt,
        int startsInTick) {
    public static final long NOT_STARTED = Long.MIN_VALUE;

    public String id() {
        return request.run();
    }

    RunRow stopping(Ending as) {
        return new RunRow(request, number, ask, acceptedAt, startedAt, state, as, overrides, lastGrantAt, startsInTick);
    }

    RunRow overridden(RunGate.@Nullable Overrides values) {
        return new RunRow(
                request, number, ask, acceptedAt, startedAt, state, ending, values, lastGrantAt, startsInTick);
    }

    RunRow granted(long at, int starts) {
        return new RunRow(request, number, ask, acceptedAt, startedAt, state, ending, overrides, at, starts);
    }
}
