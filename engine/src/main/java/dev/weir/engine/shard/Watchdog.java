package dev.weir.engine.shard;

import dev.weir.core.run.Organisation;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports commands that use more than 100 ms of the loop's CPU. The rules limit each decision by units of work. This
 * class detects units that take longer than measured, and work that is not counted.
 */
final class Watchdog {
    /** The CPU time that one command may use, in microseconds. */
    static final long CPU_MAX = 100_000;
    /** The shortest time between two log lines, in microseconds. All slow commands are counted. */
    static final long LOG_INTERVAL = 10_000_000;

    /**
     * The shortest time between two samples of the CPU time, in microseconds. Commands that take less together are
     * harmless, and a sample takes longer than most commands.
     */
    static final long SAMPLE_INTERVAL = 10_000;

    private static final Logger LOG = LoggerFactory.getLogger(Watchdog.class);
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final long NANOS_PER_MICRO = 1_000;
    private static final long MICROS_PER_MILLI = 1_000;

    private final Counters counters;
    private final LongSupplier monotonic;
    /** The CPU time that the thread has used, in microseconds. */
    private final LongSupplier cpu;

    private final Consumer<String> warnings;

    /** The time of the last sample, and the CPU time that the thread had used by then. */
    private long sampledAt = Long.MIN_VALUE;

    private long sampledCpu;
    private long loggedAt = Long.MIN_VALUE;

    /** @param warnings a listener for the log lines */
    Watchdog(Counters counters, LongSupplier monotonic, LongSupplier cpu, Consumer<String> warnings) {
        this.counters = counters;
        this.monotonic = monotonic;
        this.cpu = cpu;
        this.warnings = warnings;
    }

    static Watchdog of(ShardContext context) {
        return new Watchdog(context.counters(), context.monotonic(), Watchdog::threadCpu, LOG::warn);
    }

    private static long threadCpu() {
        return THREADS.getCurrentThreadCpuTime() / NANOS_PER_MICRO;
    }

    /** Starts the measurement before the first command of an organisation batch. */
    void begin() {
        long monotonicNow = monotonic.getAsLong();
        if (isSampleDue(monotonicNow)) {
            sample(monotonicNow);
        }
    }

    /**
     * Records that a command, or the advance of due work, is decided. The next one begins.
     *
     * @param message the command; absent = due work
     */
    void recordEnd(OrganisationBatch orgBatch, @Nullable Message<?> message) {
        long monotonicNow = monotonic.getAsLong();
        if (!isSampleDue(monotonicNow)) {
            return;
        }
        long before = sampledCpu;
        sample(monotonicNow);
        long used = sampledCpu - before;
        if (used > CPU_MAX) {
            counters.add(CounterName.SLOW_COMMANDS);
            log(orgBatch.org, message == null ? "due work" : message.describe(), used, orgBatch.organisation());
        }
    }

    private boolean isSampleDue(long monotonicNow) {
        return sampledAt == Long.MIN_VALUE || monotonicNow - sampledAt >= SAMPLE_INTERVAL;
    }

    private void sample(long monotonicNow) {
        sampledAt = monotonicNow;
        sampledCpu = cpu.getAsLong();
    }

    private void log(String org, String description, long used, Organisation organisation) {
        long monotonicNow = sampledAt;
        if (loggedAt != Long.MIN_VALUE && monotonicNow - loggedAt < LOG_INTERVAL) {
            return;
        }
        loggedAt = monotonicNow;
        String heaviest = organisation
                .heaviestUnit()
                .map(unit -> ", most of it for " + unit.describe())
                .orElse("");
        warnings.accept("Organisation " + org + ": " + description + " used " + used / MICROS_PER_MILLI
                + " ms of the loop's CPU time" + heaviest);
    }
}
