package dev.weir.postgres.embedded;

import java.time.Duration;

/**
 * What may be chosen about an embedded PostgreSQL. Whether it is durable may not.
 *
 * @param port the port on 127.0.0.1, or {@link #ANY_PORT}
 * @param maxConnections sessions at once; each costs some megabytes when it is used
 * @param sharedBuffersMiB PostgreSQL's own cache, in MiB
 * @param startMax how long a start may take; the replay of the log after a crash may take longer
 * @param stopMax how long a stop may take with a checkpoint; after that it is stopped without one
 */
public record Settings(int port, int maxConnections, int sharedBuffersMiB, Duration startMax, Duration stopMax) {
    /** Take a port that is free. */
    public static final int ANY_PORT = 0;

    public static final int PORT_MAX = 65_535;

    /** Below this PostgreSQL has no room for its own workers and a pool. */
    public static final int CONNECTIONS_MIN = 5;

    public static final int CONNECTIONS_MAX = 1_000;
    public static final int SHARED_BUFFERS_MIN_MIB = 16;
    public static final int SHARED_BUFFERS_MAX_MIB = 65_536;

    /** Fits a laptop: a session for each shard, a pool, and room for people. */
    public static final Settings DEFAULT =
            new Settings(ANY_PORT, 300, 128, Duration.ofMinutes(2), Duration.ofSeconds(30));

    public Settings {
        between("port", port, ANY_PORT, PORT_MAX);
        between("maxConnections", maxConnections, CONNECTIONS_MIN, CONNECTIONS_MAX);
        between("sharedBuffersMiB", sharedBuffersMiB, SHARED_BUFFERS_MIN_MIB, SHARED_BUFFERS_MAX_MIB);
        atLeastOneSecond("startMax", startMax);
        atLeastOneSecond("stopMax", stopMax);
    }

    public Settings withPort(int port) {
        return new Settings(port, maxConnections, sharedBuffersMiB, startMax, stopMax);
    }

    public Settings withMaxConnections(int maxConnections) {
        return new Settings(port, maxConnections, sharedBuffersMiB, startMax, stopMax);
    }

    public Settings withSharedBuffersMiB(int sharedBuffersMiB) {
        return new Settings(port, maxConnections, sharedBuffersMiB, startMax, stopMax);
    }

    private static void between(String name, int value, int min, int max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(name + ": expected " + min + " to " + max + ", found " + value);
        }
    }

    private static void atLeastOneSecond(String name, Duration value) {
        if (value.compareTo(Duration.ofSeconds(1)) < 0) {
            throw new IllegalArgumentException(name + ": expected at least 1 s, found " + value);
        }
    }
}
