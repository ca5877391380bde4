package dev.weir.postgres.embedded;

import java.time.Duration;

/**
 * The settings of an embedded PostgreSQL. Durability is deliberately not one of them.
 *
 * @param port the port on 127.0.0.1, or {@link #ANY_PORT}
 * @param maxConnections the most sessions at once; each costs some megabytes when it is used
 * @param sharedBuffersMiB the size of PostgreSQL's own cache, in MiB
 * @param startMax the longest time for a start; the replay of the log after a crash may take longer
 * @param stopMax the longest time for a stop with a checkpoint; after that the server is stopped without one
 */
public record EmbeddedSettings(
        int port, int maxConnections, int sharedBuffersMiB, Duration startMax, Duration stopMax) {
    /** Stands for any free port. */
    public static final int ANY_PORT = 0;

    public static final int PORT_MAX = 65_535;

    /** The fewest connections: with less, PostgreSQL has no room for its own workers and a pool. */
    public static final int CONNECTIONS_MIN = 5;

    public static final int CONNECTIONS_MAX = 1_000;
    public static final int SHARED_BUFFERS_MIN_MIB = 16;
    public static final int SHARED_BUFFERS_MAX_MIB = 65_536;

    /** Settings that fit a laptop: a session for each shard, a pool, and room for people. */
    public static final EmbeddedSettings DEFAULT =
            new EmbeddedSettings(ANY_PORT, 300, 128, Duration.ofMinutes(2), Duration.ofSeconds(30));

    public EmbeddedSettings {
        requireBetween("port", port, ANY_PORT, PORT_MAX);
        requireBetween("maxConnections", maxConnections, CONNECTIONS_MIN, CONNECTIONS_MAX);
        requireBetween("sharedBuffersMiB", sharedBuffersMiB, SHARED_BUFFERS_MIN_MIB, SHARED_BUFFERS_MAX_MIB);
        requireAtLeastOneSecond("startMax", startMax);
        requireAtLeastOneSecond("stopMax", stopMax);
    }

    public EmbeddedSettings withPort(int port) {
        return new EmbeddedSettings(port, maxConnections, sharedBuffersMiB, startMax, stopMax);
    }

    public EmbeddedSettings withMaxConnections(int maxConnections) {
        return new EmbeddedSettings(port, maxConnections, sharedBuffersMiB, startMax, stopMax);
    }

    public EmbeddedSettings withSharedBuffersMiB(int sharedBuffersMiB) {
        return new EmbeddedSettings(port, maxConnections, sharedBuffersMiB, startMax, stopMax);
    }

    private static void requireBetween(String name, int value, int min, int max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(name + ": expected " + min + " to " + max + ", found " + value);
        }
    }

    private static void requireAtLeastOneSecond(String name, Duration value) {
        if (value.compareTo(Duration.ofSeconds(1)) < 0) {
            throw new IllegalArgumentException(name + ": expected at least 1 s, found " + value);
        }
    }
}
