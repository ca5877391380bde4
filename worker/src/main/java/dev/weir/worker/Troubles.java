package dev.weir.worker;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;

/**
 * Tells a worker's user about problems that do not end the worker. The same problem again is reported at most once a
 * minute. An exception of the user's listener is ignored, so that the work continues.
 */
public final class Troubles {
    private static final long REPEAT_NANOS = Duration.ofMinutes(1).toNanos();

    private final BiConsumer<System.Logger.Level, String> listener;
    private final Map<String, Series> series = new ConcurrentHashMap<>();

    /** A message that was reported for an activity, and when. */
    private record Series(String message, long reportedAt) {}

    public Troubles(BiConsumer<System.Logger.Level, String> listener) {
        this.listener = listener;
    }

    /** Reports a single problem. */
    public void report(String message) {
        tell(System.Logger.Level.WARNING, message);
    }

    /** Reports the failure of an activity that is retried. */
    public void reportRetried(String activity, System.Logger.Level level, String message) {
        long now = System.nanoTime();
        Series last = series.get(activity);
        if (last == null || !last.message.equals(message) || now - last.reportedAt >= REPEAT_NANOS) {
            series.put(activity, new Series(message, now));
            tell(level, message);
        }
    }

    /** Ends a series of failures of an activity. */
    public void recovered(String activity) {
        if (!series.isEmpty()) {
            series.remove(activity);
        }
    }

    private void tell(System.Logger.Level level, String message) {
        try {
            listener.accept(level, message);
        } catch (RuntimeException e) {
            // Nobody else can be told.
        }
    }
}
