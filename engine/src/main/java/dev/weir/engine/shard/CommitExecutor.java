package dev.weir.engine.shard;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;

/** Runs commits, usually on another thread than the shard's loop. */
@FunctionalInterface
public interface CommitExecutor {
    /** Runs the work only when it is awaited, so that the order never depends on thread timing. */
    CommitExecutor WHEN_AWAITED = work -> work;

    /** Runs the work at once on the calling thread, for a loop that has nothing else to do meanwhile. */
    CommitExecutor SAME_THREAD = work -> {
        work.run();
        return () -> {};
    };

    /** Starts the work. The returned action waits until the work is done. */
    Runnable begin(Runnable work);

    /** Returns an executor that uses the given threads. */
    static CommitExecutor of(ExecutorService threads) {
        return work -> {
            Future<?> done = threads.submit(work);
            return () -> await(done);
        };
    }

    private static void await(Future<?> done) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    done.get();
                    return;
                } catch (InterruptedException e) {
                    // Keep waiting: the outcome of a write is known only when it ends.
                    interrupted = true;
                } catch (ExecutionException e) {
                    throw new IllegalStateException(
                            "expected a JournalFailure from a commit, found " + e.getCause(), e);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
