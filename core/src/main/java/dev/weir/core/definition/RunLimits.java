package dev.weir.core.definition;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The limits of each run of a workflow. Every run is counted separately.
 *
 * @param maxConcurrentSteps the steps (and items) in flight; absent = unlimited
 * @param maxStepsPerTick the starts in one tick; absent = unlimited
 * @param maxParallel the slots in flight; absent = unlimited
 * @param tickInterval the time between two ticks
 */
public record RunLimits(
        @Nullable Integer maxConcurrentSteps,
        @Nullable Integer maxStepsPerTick,
        @Nullable Integer maxParallel,
        Duration tickInterval) {
    public static final Duration DEFAULT_TICK_INTERVAL = Duration.ofSeconds(1);
    public static final RunLimits NONE = new RunLimits(null, null, null, DEFAULT_TICK_INTERVAL);

    public RunLimits {
        FieldChecks.checkPositive("max_concurrent_steps", maxConcurrentSteps);
        FieldChecks.checkPositive("max_steps_per_tick", maxStepsPerTick);
        FieldChecks.checkPositive("runtime/max_parallel", maxParallel);
        FieldChecks.checkRange(
                "runtime/tick_interval", tickInterval, DefinitionBounds.TICK_INTERVAL_MIN, DefinitionBounds.PERIOD_MAX);
    }
}
