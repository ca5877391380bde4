package dev.weir.server.http;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs failures that are bugs, with their stack traces. It logs each kind of failure once per minute, so that a
 * repeated request does not fill the log. Failures of one kind share an id until they are logged again.
 */
final class FailureLog {
    static final Duration PERIOD = Duration.ofMinutes(1);
    /** The most kinds of failures that are distinguished within a period. Further ones are logged as one kind. */
    static final int KINDS_MAX = 20;

    private static final Logger LOG = LoggerFactory.getLogger(FailureLog.class);
    private static final String OTHERS = "others";

    private final LongSupplier nanos;
    private final Map<String, String> ids = new HashMap<>();
    private long periodStart;

    /** @param nanos the monotonic clock */
    FailureLog(LongSupplier nanos) {
        this.nanos = nanos;
        this.periodStart = nanos.getAsLong();
    }

    /**
     * Logs a failure unless one of its kind was logged within the period. Returns the id under which it is in the
     * log.
     */
    synchronized String log(Throwable failure) {
        long now = nanos.getAsLong();
        if (now - periodStart > PERIOD.toNanos()) {
            ids.clear();
            periodStart = now;
        }
        String kind = ids.size() < KINDS_MAX || ids.containsKey(kind(failure)) ? kind(failure) : OTHERS;
        return ids.computeIfAbsent(kind, ignored -> {
            String id = UUID.randomUUID().toString();
            LOG.error(
                    "A request failed with error {}; further failures of this kind are not logged for a minute",
                    id,
                    failure);
            return id;
        });
    }

    private static String kind(Throwable failure) {
        StackTraceElement[] trace = failure.getStackTrace();
        return failure.getClass().getName() + (trace.length == 0 ? "" : " at " + trace[0]);
    }
}
