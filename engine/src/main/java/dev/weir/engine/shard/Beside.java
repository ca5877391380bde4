package dev.weir.engine.shard;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;

/** Does something beside the thread that turns a shard. */
@FunctionalInterface
public interface Beside {
    /** Nothing is done before it is waited for: two that depend on each other are told apart by nobody's speed. */
    Beside WHEN_AWAITED = work -> work;

    /** Not beside at all: there is nothing else to do meanwhile. */
    Beside AT_ONCE = work -> {
        work.run();
        return () -> {};
    };

    /** Begins; what it gives returns when the work is done. */
    Runnable begin(Runnable work);

    /** On threads of their own. */
    static Beside on(ExecutorService threads) {
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
                    // What is being written is waited for: only then is it known what was.
                    interrupted = true;
                } catch (ExecutionException e) {
                    throw new IllegalStateException(
                            "expected that writing tells its failures, found " + e.getCause(), e);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
