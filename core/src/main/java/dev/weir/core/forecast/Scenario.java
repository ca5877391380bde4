package dev.weir.core.forecast;

import dev.weir.core.definition.Workflow;
import java.util.function.IntFunction;
import tools.jackson.databind.JsonNode;

/**
 * What is to be forecast.
 *
 * @param runs how many runs
 * @param every the time between the starts of two runs, in microseconds; 0 = all at once
 * @param input the input of a run, by its number from 1
 * @param workers bodies of workers that can be under way at once; {@link #UNLIMITED} if any number
 */
public record Scenario(
        Workflow workflow,
        int runs,
        long every,
        IntFunction<JsonNode> input,
        Behaviours behaviours,
        int workers,
        long seed,
        Bounds bounds) {
    public static final int UNLIMITED = Integer.MAX_VALUE;
    /** Runs of one forecast. */
    public static final int RUNS_MAX = 100_000;

    public Scenario {
        if (runs < 1 || runs > RUNS_MAX) {
            throw new IllegalArgumentException("runs must be from 1 to " + RUNS_MAX + ", found " + runs);
        }
        if (workers < 1) {
            throw new IllegalArgumentException("workers must be at least 1, found " + workers);
        }
        if (every < 0) {
            throw new IllegalArgumentException("every must not be negative, found " + every + " µs");
        }
    }

    /** One run with an input that fits, usual behaviour, any number of workers. */
    public static Scenario of(Workflow workflow) {
        return new Scenario(workflow, 1, 0, Samples.of(workflow)::input, Behaviours.USUAL, UNLIMITED, 1, Bounds.USUAL);
    }

    public Scenario withRuns(int count) {
        return new Scenario(workflow, count, every, input, behaviours, workers, seed, bounds);
    }

    public Scenario withEvery(long micros) {
        return new Scenario(workflow, runs, micros, input, behaviours, workers, seed, bounds);
    }

    public Scenario withInput(IntFunction<JsonNode> inputs) {
        return new Scenario(workflow, runs, every, inputs, behaviours, workers, seed, bounds);
    }

    public Scenario withBehaviours(Behaviours other) {
        return new Scenario(workflow, runs, every, input, other, workers, seed, bounds);
    }

    public Scenario withWorkers(int count) {
        return new Scenario(workflow, runs, every, input, behaviours, count, seed, bounds);
    }

    public Scenario withSeed(long other) {
        return new Scenario(workflow, runs, every, input, behaviours, workers, other, bounds);
    }

    public Scenario withBounds(Bounds other) {
        return new Scenario(workflow, runs, every, input, behaviours, workers, seed, other);
    }

    /**
     * Where a forecast ends even if its runs have not.
     *
     * @param events tries, things that come due and looks at what may start
     * @param time virtual time, in microseconds
     */
    public record Bounds(long events, long time) {
        public static final long EVENTS_MAX = 5_000_000;
        /** Ten years, in microseconds. */
        public static final long TIME_MAX = 3_653L * 24 * 60 * 60 * 1_000_000;

        public static final Bounds USUAL = new Bounds(EVENTS_MAX, TIME_MAX);
    }
}
