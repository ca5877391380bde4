package dev.weir.engine.work;

import org.jspecify.annotations.Nullable;

/**
 * An operator's overrides of a run's own limits; absent = the value of the definition.
 *
 * @param maxParallel slots that may be in use at once
 */
public record RuntimeOverrides(
        @Nullable Integer maxParallel, @Nullable Integer maxConcurrentSteps) {
    public RuntimeOverrides(@Nullable Integer maxParallel) {
        this(maxParallel, null);
    }
}
