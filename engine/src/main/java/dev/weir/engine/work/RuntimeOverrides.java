package dev.weir.engine.work;

import org.jspecify.annotations.Nullable;

/**
 * An operator's values for a run's own limits; absent = what the definition says.
 *
 * @param maxParallel slots that may be in use at once
 */
public record RuntimeOverrides(
        @Nullable Integer maxParallel, @Nullable Integer maxConcurrentSteps) {
    public RuntimeOverrides(@Nullable Integer maxParallel) {
        this(maxParallel, null);
    }
}
