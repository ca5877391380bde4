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
    public static final int READ_CONNECTIONS = 8;

    /** The number of connections for look-ups that every request needs first: the owner of a token, and the shard. */
    public static final int LOOKUP_CONNECTIONS = 4;

    /** The most connections that one organisation reads with at once. */
    static final int READS_PER_ORGANISATION_MAX = 3;

    /**
     * The longest time that a request waits for its turn, and then again for a connection. It is shorter than the
     * longest time of a request.
     */
    public static final Duration WAIT_MAX = Duration.ofSeconds(10);

    private static final Duration SOCKET_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration STATEMENT_TIMEOUT = Duration.ofSeconds(20);
    private static final Duration IDLE_IN_TRANSACTION_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration VALIDATION_TIMEOUT = Duration.ofMillis(500);
    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private final HikariDataSource source;
    private final Duration waitMax;
    private final Map<Integer, Semaphore> readPermits = new ConcurrentHashMap<>();

    /** Work within a transaction. */
    @FunctionalInterface
    public interface SqlTask<T> {
        T run(Connection connection) throws SQLException;
    }

    /**
     * Creates a pool that opens connections when they are needed.
     *
     * @param waitMax the longest time a caller waits for its turn, and then for a connection
     */
    public ConnectionPool(DatabaseAddress address, String name, int connections, Duration waitMax) {
        this.waitMax = waitMax;
        var config = new HikariConfig();
        config.setPoolName("weir " + name);
        config.setDataSource(address.dataSource("weir", SOCKET_TIMEOUT));
        config.setMaximumPoolSize(connections);
        config.setMinimumIdle(1);
        config.setAutoCommit(false);
        config.setConnectionTimeout(waitMax.toMillis());
        config.setValidationTimeout(VALIDATION_TIMEOUT.toMillis());
        config.setConnectionInitSql("set statement_timeout = " + STATEMENT_TIMEOUT.toMillis()
                + "; set idle_in_transaction_session_timeout = " + IDLE_IN_TRANSACTION_TIMEOUT.toMillis());
        source = new HikariDataSource(config);
    }

    /** Runs the work as the role that writes and sees every organisation. */
    public <T> T runAsEngine(String operation, SqlTask<T> work) {
        return runInTransaction(operation, "set local role " + DatabaseAddress.ENGINE_ROLE, work);
    }

    /**
     * Runs the work as the role that only reads and sees one organisation.
     *
     * @throws TooManyReads if other reads of that organisation use all of its connections for too long
     */
    public <T> T runAsRequest(String operation, int org, SqlTask<T> work) {
        Semaphore permits = readPermits.computeIfAbsent(org, number -> new Semaphore(READS_PER_ORGANISATION_MAX, true));
        try {
            if (!permits.tryAcquire(waitMax.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new TooManyReads(
                        operation + ": expected at most " + READS_PER_ORGANISATION_MAX
                                + " reads of an organisation at once, found more for " + waitMax.toSeconds()
                                + " s; send fewer requests at once",
                        RETRY_AFTER);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Unavailable(operation + ": interrupted while waiting for other reads", RETRY_AFTER);
        }
        try {
            return runReadOnly(operation, org, work);
        } finally {
            permits.release();
        }
    }

    private <T> T runReadOnly(String operation, int org, SqlTask<T> work) {
        String sessionSettings = "set local role " + DatabaseAddress.REQUEST_ROLE + "; set local weir.org = '" + org
                + "'; set transaction read only";
        return runInTransaction(operation, sessionSettings, work);
    }

    private <T> T runInTransaction(String operation, String sessionSettings, SqlTask<T> work) {
        try (Connection connection = source.getConnection()) {
            try {
                try (var statement = connection.createStatement()) {
                    statement.execute(sessionSettings);
                }
                T result = work.run(connection);
                connection.commit();
                return result;
            } catch (SQLException | RuntimeException e) {
                connection.rollback();
                throw e;
            }
        } catch (SQLException e) {
            var unavailable = new Unavailable(operation + ": " + e.getMessage(), RETRY_AFTER);
            unavailable.initCause(e);
            throw unavailable;
        }
    }

    @Override
    public void close() {
        source.close();
    }
}
