package dev.weir.forecast;

import dev.weir.core.limit.LimitId;
import dev.weir.core.state.OrganisationRows;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The unfinished work of an organisation, whose future course is predicted.
 *
 * @param rows a copy of the organisation, or of a sample of its runs
 * @param now the time of the copy
 * @param oneIn of how many units each unit of the copy stands for itself and the others; 1 = the copy is complete
 * @param workers the workers, who stay as they are
 * @param durations the durations of attempts in microseconds, by {@code workflow/step}
 */
public record BacklogScenario(
        OrganisationRows rows, long now, int oneIn, List<WorkerPool> workers, Map<String, Long> durations) {
    /** The duration of attempts of which nothing is known, in microseconds. */
    public static final long DEFAULT_DURATION = 1_000_000;

    public BacklogScenario {
        workers = List.copyOf(workers);
        durations = Map.copyOf(durations);
    }

    /** Names a step for its duration. */
    public static String stepName(String workflow, String step) {
        return workflow + "/" + step;
    }

    long duration(String workflow, String step) {
        return durations.getOrDefault(stepName(workflow, step), DEFAULT_DURATION);
    }

    /**
     * The bounds of a prediction.
     *
     * @param events the most events and passes
     * @param time the longest predicted time, in microseconds
     * @param isOver becomes true when the caller no longer waits for the result
     */
    public record Bounds(long events, long time, BooleanSupplier isOver) {}

    /**
     * A predicted course.
     *
     * @param until the time at which it ends
     * @param longestWait the longest wait of a unit that started, from the time it became ready, in microseconds;
     *     absent if none started
     * @param waiting the units that wait at the end
     * @param target the course of the limit that is followed; absent if none is
     * @param heldBy the limits that hold the waiting work, the one that causes most of the waiting first
     */
    public record Prediction(
            End end,
            long until,
            @Nullable Long longestWait,
            long waiting,
            @Nullable Target target,
            List<HeldBy> heldBy) {}

    /** The end of a prediction. */
    public enum End {
        /** Nothing waits any more. */
        DRAINED,
        /** The remaining work does not start by time alone. */
        STUCK,
        /** A bound was reached. */
        CUT_OFF
    }

    /**
     * The work that needs the followed limit.
     *
     * @param waiting the units that need it and wait at the beginning
     * @param emptyAt the first time at which none waits; absent if that is not reached
     */
    public record Target(long waiting, @Nullable Long emptyAt) {}

    /**
     * A part of the waiting, by its cause.
     *
     * @param share the part of all waiting, from 0 to 1
     */
    public record HeldBy(Cause cause, double share) {}

    /** The cause of waiting. */
    public sealed interface Cause {
        /** A shared limit. */
        record OfLimit(LimitId.Shared limit, Kind kind) implements Cause {}

        /** A limit within a run: its own limits, or the concurrency of a fan-out. */
        record OfRun() implements Cause {}

        /** Something is paused: a run, or a workflow. */
        record OfPause() implements Cause {}

        /** No worker is free, or none serves the module. */
        record OfWorkers() implements Cause {}
    }

    /** Why a shared limit refuses. */
    public enum Kind {
        CAPACITY,
        RATE,
        PAUSED,
        /** It is smaller than the work that waits for it. */
        OVER_CAPACITY
    }
}
