package dev.weir.server.http;

import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts refused requests by status, for the metrics. It logs a flood of them as one line per minute, because one
 * line per request would let anyone fill the disk.
 */
final class RefusalCounter {
    /** The number of refused requests within {@link #PERIOD} from which they count as a flood. */
    static final int FLOOD_MIN = 1_000;

    static final Duration PERIOD = Duration.ofMinutes(1);

    private static final Logger LOG = LoggerFactory.getLogger(RefusalCounter.class);

    private final MeterRegistry meters;
    private final Map<Integer, Long> counts = new TreeMap<>();
    private long periodStart;

    /** @param nanos the monotonic clock now */
    RefusalCounter(MeterRegistry meters, long nanos) {
        this.meters = meters;
        this.periodStart = nanos;
    }

    void count(int status) {
        meters.counter("weir.http.refused", "status", String.valueOf(status)).increment();
        synchronized (this) {
            counts.merge(status, 1L, Long::sum);
        }
    }

    /** Ends the period if its time is over. */
    synchronized void report(long nanos) {
        if (nanos - periodStart < PERIOD.toNanos()) {
            return;
        }
        long total = counts.values().stream().mapToLong(Long::longValue).sum();
        if (total >= FLOOD_MIN) {
            String byStatus = counts.entrySet().stream()
                    .map(each -> each.getValue() + " with status " + each.getKey())
                    .collect(Collectors.joining(", "));
            LOG.warn(
                    "The node refused {} requests within {} s: {}",
                    total,
                    (nanos - periodStart) / 1_000_000_000,
                    byStatus);
        }
        counts.clear();
        periodStart = nanos;
    }
}
