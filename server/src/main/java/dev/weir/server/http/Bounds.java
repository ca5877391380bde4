package dev.weir.server.http;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;

/**
 * How much of the server those may have who have not said yet who they are.
 *
 * @param connections open at once; who comes then waits until one is closed
 * @param headers how long a request line and its headers may take, however steadily they drip
 */
public record Bounds(int connections, Duration headers) {
    /** Connections where there are files enough: one for each of many workers. */
    private static final int CONNECTIONS_MAX = 10_000;

    private static final Duration HEADERS_TIME_MAX = Duration.ofSeconds(10);

    public Bounds {
        if (connections < 1 || headers.isNegative() || headers.isZero()) {
            throw new IllegalArgumentException(
                    "expected at least one connection and some time, found " + connections + " and " + headers);
        }
    }

    /** Every connection is an open file: half of those that this process may have are left for all else. */
    public static Bounds usual() {
        long files = ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                ? unix.getMaxFileDescriptorCount()
                : 2L * CONNECTIONS_MAX;
        return new Bounds((int) Math.max(1, Math.min(CONNECTIONS_MAX, files / 2)), HEADERS_TIME_MAX);
    }
}
