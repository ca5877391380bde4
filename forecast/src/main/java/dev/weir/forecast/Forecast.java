package dev.weir.forecast;

import java.util.List;

/**
 * The result of a scenario. All times are in microseconds from the start of the first run.
 *
 * @param makespan the time from the start of the first run to the end of the last
 * @param runs the results of the runs, and their waits for the limits on runs
 * @param steps the steps in the order of the definition
 * @param limits the limits that were used, the fullest first
 * @param waits the waiting times by limit and step, the longest first
 * @param spans the waiting and running times of each step and item, if there was one run and it was small enough
 * @param stuck descriptions of the work that had not ended when nothing more could happen
 */
public record Forecast(
        ForecastScenario scenario,
        End end,
        long makespan,
        long events,
        StepStatistics runs,
        List<StepStatistics> steps,
        List<Limit> limits,
        List<Wait> waits,
        List<Span> spans,
        List<String> stuck) {
    public Forecast {
        steps = List.copyOf(steps);
        limits = List.copyOf(limits);
        waits = List.copyOf(waits);
        spans = List.copyOf(spans);
        stuck = List.copyOf(stuck);
    }

    /** The reason why the forecast ended. */
    public enum End {
        /** All runs have ended. */
        DONE,
        /** Some runs have not ended, and no event can advance them any more. */
        STUCK,
        /** The bound {@link ForecastScenario.Bounds#events} was reached. */
        EVENTS_MAX,
        /** The bound {@link ForecastScenario.Bounds#time} was reached. */
        TIME_MAX
    }

    /** The total time that steps and runs waited for limits and workers. */
    public long totalWaitTime() {
        return waits.stream().mapToLong(Wait::time).sum();
    }

    /** The number of runs that had not ended, including those that had not arrived. */
    public long unfinished() {
        return scenario.runs() - runs.completed() - runs.failed() - runs.cancelled();
    }

    /** Returns reasons to be careful with this forecast, as text. */
    public List<String> warnings() {
        return ForecastWarnings.of(this);
    }

    /** The number of attempts that started. */
    public long starts() {
        return steps.stream().mapToLong(StepStatistics::starts).sum();
    }

    /**
     * A limit and its usage.
     *
     * @param period the window of a rate; 0 for a capacity
     * @param peak the most that was in use at once, or that started in one window
     * @param mean the average of the same value over the time for which the limit existed
     */
    public record Limit(LimitName name, long max, long period, long peak, double mean) {
        /** The average usage as a fraction, from 0 to 1. */
        public double utilisation() {
            return mean / max;
        }
    }

    /**
     * The time that a step waited for one limit or for a worker.
     *
     * @param step the id of the step; empty for runs that waited for the limits on runs
     */
    public record Wait(LimitName name, String step, long time) {}

    /** The activity of a step or item. */
    public enum Phase {
        /** Waits for its limits or for a worker. */
        WAITING,
        RUNNING,
        /** Waits for a time or a person, without an allocation: asleep, between two attempts, or at a gate. */
        RESTING
    }

    /** A time span in which one step or item stayed in one phase. */
    public record Span(String step, int item, Phase phase, long from, long to) {}
}
