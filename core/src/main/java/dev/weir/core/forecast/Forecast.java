package dev.weir.core.forecast;

import java.util.List;

/**
 * What came of a scenario. Every time is in microseconds from the start of the first run.
 *
 * @param makespan from the start of the first run to the end of the last
 * @param runs how the runs fared, and how they waited for their places
 * @param steps the steps in the order of the definition
 * @param limits the limits that were used, the fullest first
 * @param waits what was waited for, the longest first
 * @param spans when each step and item waited and ran, if there was one run and it was small enough
 * @param stuck what had not ended when nothing more could happen, in words
 */
public record Forecast(
        Scenario scenario,
        End end,
        long makespan,
        long events,
        Tally runs,
        List<Tally> steps,
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

    /** Why the forecast ended. */
    public enum End {
        /** All runs have ended. */
        DONE,
        /** Runs are left that nothing can move any more. */
        STUCK,
        /** {@link Scenario.Bounds#events}. */
        EVENTS_MAX,
        /** {@link Scenario.Bounds#time}. */
        TIME_MAX
    }

    /** All the time that steps and runs waited for limits and workers. */
    public long waited() {
        return waits.stream().mapToLong(Wait::time).sum();
    }

    /** Runs that had not ended, those that had not come included. */
    public long unfinished() {
        return scenario.runs() - runs.completed() - runs.failed() - runs.cancelled();
    }

    /** What to know before trusting it, in words. */
    public List<String> warnings() {
        return Warnings.of(this);
    }

    /** Tries of steps that were started. */
    public long starts() {
        return steps.stream().mapToLong(Tally::starts).sum();
    }

    /**
     * A limit, and how much of it was used.
     *
     * @param period the window of a rate; 0 for a capacity
     * @param peak the most that was held at once, or that started in one window
     * @param mean the same on average over the time that the limit was there for
     */
    public record Limit(LimitName name, long most, long period, long peak, double mean) {
        /** The part that was used on average, from 0 to 1. */
        public double share() {
            return mean / most;
        }
    }

    /**
     * Time that a step waited for one thing.
     *
     * @param step the id of the step; empty for runs that waited for their place
     */
    public record Wait(LimitName name, String step, long time) {}

    /** What a step or item was doing. */
    public enum Phase {
        /** For its limits or for a worker. */
        WAITING,
        RUNNING,
        /** For a time or a person, holding nothing: asleep, between two tries, or at a gate. */
        RESTING
    }

    /** A time in which one step or item did one thing. */
    public record Span(String step, int item, Phase phase, long from, long to) {}
}
