package dev.weir.server.http;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;

/**
 * The bounds on the resources that clients can use before they are authenticated, and on the use of a token.
 *
 * @param connections the most open connections; further clients wait until one is closed
 * @param headerTimeout the time within which a request line and its headers must arrive, even if they arrive steadily
 * @param tokenCheckInterval the time between two checks that the token of an open stream is still valid
 */
public record HttpBounds(int connections, Duration headerTimeout, Duration tokenCheckInterval) {
    /** The most connections if the process may open enough files: one for each of many workers. */
    private static final int CONNECTIONS_MAX = 10_000;

    private static final Duration DEFAULT_HEADER_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration DEFAULT_TOKEN_CHECK_INTERVAL = Duration.ofSeconds(15);

    /** Creates bounds with the default interval of token checks. */
    public HttpBounds(int connections, Duration headerTimeout) {
        this(connections, headerTimeout, DEFAULT_TOKEN_CHECK_INTERVAL);
    }

    public HttpBounds {
        if (connections < 1 || headerTimeout.isNegative() || headerTimeout.isZero()) {
            throw new IllegalArgumentException(
                    "expected at least one connection and some time, found " + connections + " and " + headerTimeout);
        }
    }

    /**
     * Returns the default bounds. Every connection is an open file, so half of the files that this process may open
     * are left for everything else.
     */
    public static HttpBounds defaults() {
        long files = ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                ? unix.getMaxFileDescriptorCount()
                : 2L * CONNECTIONS_MAX;
        return new HttpBounds((int) Math.max(1, Math.min(CONNECTIONS_MAX, files / 2)), DEFAULT_HEADER_TIMEOUT);
    }
}
