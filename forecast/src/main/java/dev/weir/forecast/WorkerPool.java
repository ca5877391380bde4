package dev.weir.forecast;

import java.util.List;

/**
 * Workers that serve the same modules.
 *
 * @param size the attempts that they can execute at once
 */
public record WorkerPool(List<String> modules, int size) {
    public WorkerPool {
        modules = List.copyOf(modules);
        if (size < 1) {
            throw new IllegalArgumentException("a pool needs at least one worker, found " + size);
        }
    }
}
