package dev.weir.forecast;

import dev.weir.core.definition.Workflow;
import java.util.function.IntFunction;
import tools.jackson.databind.JsonNode;

/**
 * The subject of a forecast.
 *
 * @param runs the number of runs
 * @param interval the time between the starts of two runs, in microseconds; 0 = all at once
 * @param input the input of a run, by its number from 1
 * @param workers the attempts that workers can execute at once; {@link #UNLIMITED} for any number
 */
public record ForecastScenario(
        Workflow workflow,
        int runs,
        long interval,
        IntFunction<JsonNode> input,
        WorkflowBehaviour behaviour,
        int workers,
        long seed,
        Bounds bounds) {
    public static final int UNLIMITED = Integer.MAX_VALUE;
    /** The most runs of one forecast. */
    public static final int RUNS_MAX = 100_000;

    public ForecastScenario {
        if (runs < 1 || runs > RUNS_MAX) {
            throw new IllegalArgumentException("runs must be from 1 to " + RUNS_MAX + ", found " + runs);
        }
        if (workers < 1) {
            throw new IllegalArgumentException("workers must be at least 1, found " + workers);
        }
        if (interval < 0) {
            throw new IllegalArgumentException("every must not be negative, found " + interval + " µs");
        }
    }

    /** Creates a scenario of one run with a fitting input, default behaviour and unlimited workers. */
    public static ForecastScenario of(Workflow workflow) {
        return new ForecastScenario(
                workflow,
                1,
                0,
                SampleData.of(workflow)::input,
                WorkflowBehaviour.ALL_DEFAULT,
                UNLIMITED,
                1,
                Bounds.DEFAULT);
    }

    public ForecastScenario withRuns(int count) {
        return new ForecastScenario(workflow, count, interval, input, behaviour, workers, seed, bounds);
    }

    public ForecastScenario withInterval(long micros) {
        return new ForecastScenario(workflow, runs, micros, input, behaviour, workers, seed, bounds);
    }

    public ForecastScenario withInput(IntFunction<JsonNode> inputs) {
        return new ForecastScenario(workflow, runs, interval, inputs, behaviour, workers, seed, bounds);
    }

    public ForecastScenario withBehaviour(WorkflowBehaviour other) {
        return new ForecastScenario(workflow, runs, interval, input, other, workers, seed, bounds);
    }

    public ForecastScenario withWorkers(int count) {
        return new ForecastScenario(workflow, runs, interval, input, behaviour, count, seed, bounds);
    }

    public ForecastScenario withSeed(long other) {
        return new ForecastScenario(workflow, runs, interval, input, behaviour, workers, other, bounds);
    }

    public ForecastScenario withBounds(Bounds other) {
        return new ForecastScenario(workflow, runs, interval, input, behaviour, workers, seed, other);
    }

    /**
     * The bounds at which a forecast ends even if its runs have not.
     *
     * @param events the number of attempts, due events and admission passes
     * @param time the virtual time, in microseconds
     */
    public record Bounds(long events, long time) {
        public static final long EVENTS_MAX = 5_000_000;
        /** Ten years, in microseconds. */
        public static final long TIME_MAX = 3_653L * 24 * 60 * 60 * 1_000_000;

        public static final Bounds DEFAULT = new Bounds(EVENTS_MAX, TIME_MAX);
    }
}
