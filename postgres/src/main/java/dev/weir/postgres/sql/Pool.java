package dev.weir.postgres.sql;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.weir.engine.Unavailable;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/** Connections for short transactions, each under one of Weir's roles; what it was is forgotten with the transaction. */
public final class Pool implements AutoCloseable {
    private static final int CONNECTIONS_MAX = 8;
    private static final Duration ANSWER_MAX = Duration.ofSeconds(30);
    private static final Duration STATEMENT_MAX = Duration.ofSeconds(20);
    private static final Duration IDLE_IN_TRANSACTION_MAX = Duration.ofSeconds(10);
    private static final Duration CONNECTION_MAX = Duration.ofSeconds(10);
    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private final HikariDataSource source;

    /** What is done within a transaction. */
    @FunctionalInterface
    public interface Work<T> {
        T with(Connection connection) throws SQLException;
    }

    public Pool(Access access) {
        var config = new HikariConfig();
        config.setPoolName("weir");
        config.setDataSource(access.dataSource("weir", ANSWER_MAX));
        config.setMaximumPoolSize(CONNECTIONS_MAX);
        config.setMinimumIdle(1);
        config.setAutoCommit(false);
        config.setConnectionTimeout(CONNECTION_MAX.toMillis());
        config.setConnectionInitSql("set statement_timeout = " + STATEMENT_MAX.toMillis()
                + "; set idle_in_transaction_session_timeout = " + IDLE_IN_TRANSACTION_MAX.toMillis());
        source = new HikariDataSource(config);
    }

    /** As the role that writes, and sees every organisation. */
    public <T> T asEngine(String during, Work<T> work) {
        return within(during, "set local role " + Access.ENGINE_ROLE, work);
    }

    /** As the role that only reads, and sees one organisation. */
    public <T> T asRequest(String during, int org, Work<T> work) {
        String limits = "set local role " + Access.REQUEST_ROLE + "; set local weir.org = '" + org
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
