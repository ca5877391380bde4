package dev.weir.engine.call;

import java.time.Duration;

/**
 * The settings of HTTP calls.
 *
 * @param egressPolicy policy for the addresses that calls may reach
 * @param maxConcurrentCalls number of calls that may be in progress at once on this node
 * @param connectTimeout longest time to connect
 * @param bodyBytesMax largest body of a response
 * @param memoryBytes memory that all calls in progress may use together; a call that needs more waits
 */
public record CallSettings(
        EgressPolicy egressPolicy,
        int maxConcurrentCalls,
        Duration connectTimeout,
        int bodyBytesMax,
        long memoryBytes) {
    public static final int CONCURRENT_CALLS_MAX = 10_000;
    /** The largest body that fits into a step's output together with status and headers. */
    public static final int BODY_BYTES_MAX = 192 * 1024;

    /** The smallest memory for calls. The value of the largest response fits into its part of it. */
    public static final long MEMORY_BYTES_MIN = 64L * 1024 * 1024;
    /** The divisor of the heap size that gives the default memory for calls. */
    private static final int HEAP_DIVISOR = 8;

    public static final CallSettings DEFAULT = new CallSettings(
            EgressPolicy.PUBLIC,
            256,
            Duration.ofSeconds(10),
            BODY_BYTES_MAX,
            Math.max(MEMORY_BYTES_MIN, Runtime.getRuntime().maxMemory() / HEAP_DIVISOR));

    public CallSettings {
        if (maxConcurrentCalls < 1 || maxConcurrentCalls > CONCURRENT_CALLS_MAX) {
            throw new IllegalArgumentException(
                    "places: expected 1 to " + CONCURRENT_CALLS_MAX + ", found " + maxConcurrentCalls);
        }
        if (bodyBytesMax < 1 || bodyBytesMax > BODY_BYTES_MAX) {
            throw new IllegalArgumentException(
                    "bodyBytesMax: expected 1 to " + BODY_BYTES_MAX + ", found " + bodyBytesMax);
        }
        if (memoryBytes < MEMORY_BYTES_MIN) {
            throw new IllegalArgumentException(
                    "memoryBytes: expected at least " + MEMORY_BYTES_MIN + ", found " + memoryBytes);
        }
    }

    public CallSettings withEgressPolicy(EgressPolicy other) {
        return new CallSettings(other, maxConcurrentCalls, connectTimeout, bodyBytesMax, memoryBytes);
    }

    public CallSettings withMaxConcurrentCalls(int other) {
        return new CallSettings(egressPolicy, other, connectTimeout, bodyBytesMax, memoryBytes);
    }
}
