package dev.weir.core.definition;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What each run of a workflow may do at once; every run has its own count.
 *
 * @param maxConcurrentSteps steps (and items) in flight; absent = unlimited
 * @param maxStepsPerTick starts in one tick; absent = unlimited
 * @param maxParallel slots in flight; absent = unlimited
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
        Require.positive("max_concurrent_steps", maxConcurrentSteps);
        Require.positive("max_steps_per_tick", maxStepsPerTick);
        Require.positive("runtime/max_parallel", maxParallel);
        Require.between("runtime/tick_interval", tickInterval, Bounds.TICK_INTERVAL_MIN, Bounds.PERIOD_MAX);
    }
}
