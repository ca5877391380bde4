package dev.weir.client;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * The settings of a worker.
 *
 * @param name the name that the server shows when someone asks which worker runs a step
 * @param concurrency the most jobs at once
 * @param lease the time that a claim lasts without a heartbeat, from 5 s to 1 h; a heartbeat is sent after a third
 *     of it
 * @param poll the longest time that one request waits for work, up to 20 s; the worker never waits longer than a
 *     third of the lease, so that a job that is granted at the end of the wait can begin at once
 * @param grace the time that a close waits for the jobs under way
 * @param trouble a listener for problems that do not end the worker, described in words
 */
public record WorkerSettings(
        String name, int concurrency, Duration lease, Duration poll, Duration grace, Consumer<String> trouble) {
    private static final Duration DEFAULT_LEASE_AND_GRACE = Duration.ofSeconds(30);

    public WorkerSettings {
        if (concurrency < 1 || concurrency > 500) {
            throw new IllegalArgumentException("concurrency must be between 1 and 500, found " + concurrency);
        }
        if (lease.compareTo(Duration.ofSeconds(5)) < 0 || lease.compareTo(Duration.ofHours(1)) > 0) {
            throw new IllegalArgumentException("the lease must be between 5 s and 1 h, found " + lease);
        }
        if (poll.isNegative() || poll.compareTo(Duration.ofSeconds(20)) > 0) {
            throw new IllegalArgumentException("the poll time must be between 0 and 20 s, found " + poll);
        }
    }

    /** Returns the time that one request waits for work. */
    Duration pollWait() {
        Duration third = lease.dividedBy(3);
        return poll.compareTo(third) < 0 ? poll : third;
    }

    public static WorkerSettings named(String name) {
        return new WorkerSettings(
                name, 1, DEFAULT_LEASE_AND_GRACE, Duration.ofSeconds(20), DEFAULT_LEASE_AND_GRACE, trouble -> {});
    }

    public WorkerSettings withConcurrency(int jobs) {
        return new WorkerSettings(name, jobs, lease, poll, grace, trouble);
    }

    public WorkerSettings withLease(Duration time) {
        return new WorkerSettings(name, concurrency, time, poll, grace, trouble);
    }

    public WorkerSettings withTrouble(Consumer<String> listener) {
        return new WorkerSettings(name, concurrency, lease, poll, grace, listener);
    }
}
