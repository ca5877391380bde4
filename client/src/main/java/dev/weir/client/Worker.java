package dev.weir.client;

import dev.weir.worker.Troubles;
import dev.weir.worker.WorkLoop;

/**
 * Claims work for its modules, runs up to a set number of jobs at once, keeps their claims alive with heartbeats, and
 * reports the results. It keeps running when the server restarts. After {@link #close} it claims nothing more and
 * finishes the jobs under way.
 *
 * <pre>{@code
 * try (var worker = Worker.of(client)
 *         .module("shipping.label", Parcel.class, (parcel, step) -> new Label(print(parcel)))
 *         .concurrency(16)
 *         .start()) {
 *     worker.join();
 * }
 * }</pre>
 */
public final class Worker implements AutoCloseable {
    private final WorkLoop<Job, EncodedReport> loop;
    private final LogSender logs;

    private Worker(WorkLoop<Job, EncodedReport> loop, LogSender logs) {
        this.loop = loop;
        this.logs = logs;
    }

    /** Returns a builder of a worker. */
    public static WorkerBuilder of(Client client) {
        return new WorkerBuilder(client);
    }

    static Worker start(Client client, WorkerBuilder.Modules modules, WorkLoop.Settings settings, Troubles troubles) {
        var logs = new LogSender(client, settings.name(), troubles);
        var source = new HttpWorkSource(client, modules.infos(), settings.name(), settings.lease());
        logs.start();
        return new Worker(WorkLoop.start(source, new JobRunner(modules.handlers(), logs), settings, troubles), logs);
    }

    /** Waits until the worker is closed, for example by another thread. */
    public void join() throws InterruptedException {
        loop.join();
    }

    /**
     * Waits until this many more jobs were reported, whatever their results. Jobs that an earlier call waited for
     * do not count.
     */
    public void awaitReports(int jobs) throws InterruptedException {
        loop.awaitReports(jobs);
    }

    /**
     * Stops claiming and waits for the jobs under way. Jobs that take longer than the grace period are interrupted,
     * and their claims expire.
     */
    @Override
    public void close() {
        loop.close();
        logs.close();
    }
}
