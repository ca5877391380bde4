package dev.weir.cli;

import dev.weir.client.Handler;
import dev.weir.client.Job;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A handler that records when its attempts began and ended. Tests check limits by these records alone. */
final class RecordingHandler implements Handler.WithoutInput {
    private final long durationNanos;
    private final List<AttemptRecord> attempts = new ArrayList<>();

    /** One attempt, on the monotonic clock. */
    record AttemptRecord(String step, long startedAt, long endedAt) {}

    RecordingHandler(Duration duration) {
        this.durationNanos = duration.toNanos();
    }

    @Override
    public @Nullable Object handle(Job job) throws InterruptedException {
        long began = System.nanoTime();
        // Nothing counts the latch down: the attempt takes its full time unless it is interrupted.
        new CountDownLatch(1).await(durationNanos, TimeUnit.NANOSECONDS);
        add(new AttemptRecord(job.run() + "/" + job.step(), began, System.nanoTime()));
        return null;
    }

    private synchronized void add(AttemptRecord attempt) {
        attempts.add(attempt);
    }

    synchronized List<AttemptRecord> attempts() {
        return List.copyOf(attempts);
    }

    /** Returns the most attempts that were under way at one moment. */
    int maxConcurrent() {
        int max = 0;
        for (AttemptRecord attempt : attempts()) {
            int concurrent = (int) attempts().stream()
                    .filter(other -> other.startedAt() <= attempt.startedAt() && attempt.startedAt() < other.endedAt())
                    .count();
            max = Math.max(max, concurrent);
        }
        return max;
    }

    /** Returns the most attempts that began in any window of this length. */
    int maxStartedWithin(Duration window) {
        int max = 0;
        for (AttemptRecord attempt : attempts()) {
            int started = (int) attempts().stream()
                    .filter(other -> other.startedAt() - attempt.startedAt() >= 0
                            && other.startedAt() - attempt.startedAt() < window.toNanos())
                    .count();
            max = Math.max(max, started);
        }
        return max;
    }

    Duration timeBetweenFirstAndLastStart() {
        long first =
                attempts().stream().mapToLong(AttemptRecord::startedAt).min().orElse(0);
        long last =
                attempts().stream().mapToLong(AttemptRecord::startedAt).max().orElse(0);
        return Duration.ofNanos(last - first);
    }
}
