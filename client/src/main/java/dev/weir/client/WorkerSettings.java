package dev.weir.client;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * How a worker works.
 *
 * @param name told to the server, and shown to those who ask who runs a step
 * @param concurrency jobs at once
 * @param lease how long a claim lasts without a heartbeat, from 5 s to 1 h; a heartbeat is sent after a third of it
 * @param poll how long one request waits for work at the most, up to 20 s: never longer than a third of the lease, so that
 *     what is given at its end can be begun at once
 * @param grace how long a close waits for jobs that are under way
 * @param trouble is told, in words, what goes wrong and does not end the worker
 */
public record WorkerSettings(
        String name, int concurrency, Duration lease, Duration poll, Duration grace, Consumer<String> trouble) {
    private static final Duration USUAL = Duration.ofSeconds(30);

    public WorkerSettings {
        if (concurrency < 1 || concurrency > 500) {
            throw new IllegalArgumentException("concurrency must be from 1 to 500, found " + concurrency);
        }
        if (lease.compareTo(Duration.ofSeconds(5)) < 0 || lease.compareTo(Duration.ofHours(1)) > 0) {
            throw new IllegalArgumentException("a lease must be from 5 s to 1 h, found " + lease);
        }
        if (poll.isNegative() || poll.compareTo(Duration.ofSeconds(20)) > 0) {
            throw new IllegalArgumentException("a poll waits from 0 to 20 s, found " + poll);
        }
    }

    /** How long one request waits for work. */
    Duration asking() {
        Duration third = lease.dividedBy(3);
        return poll.compareTo(third) < 0 ? poll : third;
    }

    public static WorkerSettings named(String name) {
        return new WorkerSettings(name, 1, USUAL, Duration.ofSeconds(20), USUAL, trouble -> {});
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
