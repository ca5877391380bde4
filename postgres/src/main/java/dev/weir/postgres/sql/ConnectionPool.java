package dev.weir.postgres.sql;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.weir.engine.request.TooManyReads;
import dev.weir.engine.request.Unavailable;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Connections for short transactions, each under one of Weir's roles. The role is reset with the transaction. No
 * organisation can use all connections, so that one that reads much delays only itself.
 */
public final class ConnectionPool implements AutoCloseable {
    /** The number of connections for the reads of requests. */
    public static final int READING = 8;

    /** The number of connections for look-ups that every request needs first: the owner of a token, and the shard. */
    public static final int FINDING = 4;

    /** The most connections that one organisation reads with at once. */
    static final int READERS_MAX = 3;

    /**
     * The longest time that a request waits for its turn, and then again for a connection. It is shorter than the
     * longest time of a request.
     */
    public static final Duration WAIT_MAX = Duration.ofSeconds(10);

    private static final Duration ANSWER_MAX = Duration.ofSeconds(30);
    private static final Duration STATEMENT_MAX = Duration.ofSeconds(20);
    private static final Duration IDLE_IN_TRANSACTION_MAX = Duration.ofSeconds(10);
    private static final Duration PROBE_MAX = Duration.ofMillis(500);
    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private final HikariDataSource source;
    private final Duration waitMax;
    private final Map<Integer, Semaphore> readers = new ConcurrentHashMap<>();

    /** Work within a transaction. */
    @FunctionalInterface
    public interface Work<T> {
        T with(Connection connection) throws SQLException;
    }

    /**
     * Creates a pool that opens connections when they are needed.
     *
     * @param waitMax the longest time a caller waits for its turn, and then for a connection
     */
    public ConnectionPool(DatabaseAddress access, String name, int connections, Duration waitMax) {
        this.waitMax = waitMax;
        var config = new HikariConfig();
        config.setPoolName("weir " + name);
        config.setDataSource(access.dataSource("weir", ANSWER_MAX));
        config.setMaximumPoolSize(connections);
        config.setMinimumIdle(1);
        config.setAutoCommit(false);
        config.setConnectionTimeout(waitMax.toMillis());
        config.setValidationTimeout(PROBE_MAX.toMillis());
        config.setConnectionInitSql("set statement_timeout = " + STATEMENT_MAX.toMillis()
                + "; set idle_in_transaction_session_timeout = " + IDLE_IN_TRANSACTION_MAX.toMillis());
        source = new HikariDataSource(config);
    }

    /** Runs the work as the role that writes and sees every organisation. */
    public <T> T asEngine(String during, Work<T> work) {
        return within(during, "set local role " + DatabaseAddress.ENGINE_ROLE, work);
    }

    /**
     * Runs the work as the role that only reads and sees one organisation.
     *
     * @throws TooManyReads if other reads of that organisation use all of its connections for too long
     */
    public <T> T asRequest(String during, int org, Work<T> work) {
        Semaphore turns = readers.computeIfAbsent(org, number -> new Semaphore(READERS_MAX, true));
        try {
            if (!turns.tryAcquire(waitMax.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new TooManyReads(
                        during + ": expected at most " + READERS_MAX
                                + " reads of an organisation at once, found more for " + waitMax.toSeconds()
                                + " s; send fewer requests at once",
                        RETRY_AFTER);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Unavailable(during + ": interrupted while waiting for other reads", RETRY_AFTER);
        }
        try {
            return reading(during, org, work);
        } finally {
            turns.release();
        }
    }

    private <T> T reading(String during, int org, Work<T> work) {
        String limits = "set local role " + DatabaseAddress.REQUEST_ROLE + "; set local weir.org = '" + org
                + "'; set transaction read only";
        return within(during, limits, work);
    }

    private <T> T within(String during, String as, Work<T> work) {
        try (Connection connection = source.getConnection()) {
            try {
                try (var statement = connection.createStatement()) {
                    statement.execute(as);
                }
                T done = work.with(connection);
                connection.commit();
                return done;
            } catch (SQLException | RuntimeException e) {
                connection.rollback();
                throw e;
            }
        } catch (SQLException e) {
            var unavailable = new Unavailable(during + ": " + e.getMessage(), RETRY_AFTER);
            unavailable.initCause(e);
            throw unavailable;
        }
    }

    @Override
    public void close() {
        source.close();
    }
}
