package dev.weir.worker;

import java.lang.reflect.InvocationTargetException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** Creates the threads of a worker. */
final class WorkerThreads {
    private WorkerThreads() {}

    /**
     * Returns the threads that run handlers: virtual ones where the platform has them, from Java 21 on. They are found
     * by reflection, because this module must also run on Java 17.
     */
    static ExecutorService forHandlers(String name) {
        try {
            return (ExecutorService)
                    Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException e) {
            var number = new AtomicInteger();
            return Executors.newCachedThreadPool(task -> daemon(task, name + " job " + number.incrementAndGet()));
        }
    }

    /** Returns a platform thread. Handlers that use all CPUs cannot keep it from running. */
    static Thread daemon(Runnable task, String name) {
        var thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }
}
