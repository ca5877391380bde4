package dev.weir.engine.shard;

import java.util.concurrent.Executor;

/** Runs the loads of organisations, usually on other threads than the loops of the shards. */
@FunctionalInterface
public interface LoadExecutor {
    /** Runs loads at once on the calling thread, so that the order never depends on thread timing. */
    LoadExecutor SAME_THREAD = (load, isQuick) -> load.run();

    /**
     * Starts a load.
     *
     * @param isQuick false for an organisation that is known to be large, for which no quick load may wait
     */
    void execute(Runnable load, boolean isQuick);

    /** Returns an executor that runs quick and thorough loads on different threads. */
    static LoadExecutor of(Executor quick, Executor thorough) {
        return (load, isQuick) -> (isQuick ? quick : thorough).execute(load);
    }
}
