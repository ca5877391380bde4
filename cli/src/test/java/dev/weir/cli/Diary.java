package dev.weir.cli;

import dev.weir.client.Handler;
import dev.weir.client.Job;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A handler that records when its attempts began and ended. Tests check limits by these records alone. */
final class Diary implements Handler {
    private final long bodyNanos;
    private final List<Note> notes = new ArrayList<>();

    /** One attempt, on the monotonic clock. */
    record Note(String step, long began, long ended) {}

    Diary(Duration body) {
        this.bodyNanos = body.toNanos();
    }

    @Override
    public @Nullable JsonNode handle(Job job) throws InterruptedException {
        long began = System.nanoTime();
        // Nothing counts the latch down: the attempt takes its full time unless it is interrupted.
        new CountDownLatch(1).await(bodyNanos, TimeUnit.NANOSECONDS);
        write(new Note(job.claim().run() + "/" + job.claim().step(), began, System.nanoTime()));
        return null;
    }

    private synchronized void write(Note note) {
        notes.add(note);
    }

    synchronized List<Note> notes() {
        return List.copyOf(notes);
    }

    /** Returns the most attempts that were under way at one moment. */
    int mostAtOnce() {
        int most = 0;
        for (Note at : notes()) {
            int under = (int) notes().stream()
                    .filter(other -> other.began() <= at.began() && at.began() < other.ended())
                    .count();
            most = Math.max(most, under);
        }
        return most;
    }

    /** Returns the most attempts that began in any window of this length. */
    int mostBegunWithin(Duration window) {
        int most = 0;
        for (Note at : notes()) {
            int begun = (int) notes().stream()
                    .filter(other -> other.began() - at.began() >= 0 && other.began() - at.began() < window.toNanos())
                    .count();
            most = Math.max(most, begun);
        }
        return most;
    }

    Duration fromFirstToLastBeginning() {
        long first = notes().stream().mapToLong(Note::began).min().orElse(0);
        long last = notes().stream().mapToLong(Note::began).max().orElse(0);
        return Duration.ofNanos(last - first);
    }
}
