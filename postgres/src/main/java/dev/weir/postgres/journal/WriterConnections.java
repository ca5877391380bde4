package dev.weir.postgres.journal;

import dev.weir.postgres.sql.DatabaseAddress;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/** Opens connections for the role that writes. They are never shared, pooled, or used again after a failure. */
final class WriterConnections {
    static final String APPLICATION = "weir journal";
    static final String LOAD_APPLICATION = "weir loads";

    /** The time after which the server cancels a statement, so that a statement that hangs blocks nobody. */
    static final Duration STATEMENT_TIMEOUT = Duration.ofSeconds(10);

    /** The time after which a paused owner loses its transaction. */
    static final Duration IDLE_IN_TRANSACTION_TIMEOUT = Duration.ofSeconds(5);

    /** The longest wait for an answer. It is longer than a statement may take, so that the server gives up first. */
    static final Duration SOCKET_TIMEOUT = Duration.ofSeconds(15);

    /** The longest time to load a large organisation. */
    static final Duration LOAD_TIMEOUT = Duration.ofMinutes(2);

    /**
     * The longest wait for an answer while loading. It is longer than a statement may take then, so that the server
     * gives up first and the connection survives.
     */
    static final Duration LOAD_SOCKET_TIMEOUT = LOAD_TIMEOUT.plusSeconds(15);

    /**
     * The settings of a session. Rows are written one by one by key. A cached plan that scans a table because it was
     * small when it was analysed would stay slow forever.
     */
    private static final String SESSION_SETTINGS = String.join(
            "; ",
            "set role " + DatabaseAddress.ENGINE_ROLE,
            "set statement_timeout = " + STATEMENT_TIMEOUT.toMillis(),
            "set idle_in_transaction_session_timeout = " + IDLE_IN_TRANSACTION_TIMEOUT.toMillis(),
            "set jit = off",
            "set enable_seqscan = off",
            "set enable_hashjoin = off",
            "set enable_mergejoin = off",
            "set plan_cache_mode = force_generic_plan");

    private static final String LOAD_SETTINGS = String.join(
            "; ",
            "set local statement_timeout = " + LOAD_TIMEOUT.toMillis(),
            "set local idle_in_transaction_session_timeout = " + LOAD_TIMEOUT.toMillis(),
            "set local enable_seqscan = on",
            "set local enable_hashjoin = on",
            "set local enable_mergejoin = on",
            "set local plan_cache_mode = auto");

    /** The settings of a session that only loads organisations: each transaction sees one snapshot. */
    private static final String LOAD_SESSION_SETTINGS = String.join(
            "; ",
            "set role " + DatabaseAddress.ENGINE_ROLE,
            "set statement_timeout = " + LOAD_TIMEOUT.toMillis(),
            "set idle_in_transaction_session_timeout = " + LOAD_TIMEOUT.toMillis(),
            "set jit = off",
            "set default_transaction_isolation = 'repeatable read'");

    private WriterConnections() {}

    static Connection open(DatabaseAddress address) throws SQLException {
        return configure(address.connect(APPLICATION, SOCKET_TIMEOUT), SESSION_SETTINGS);
    }

    /** Opens a connection that reads organisations beside the loops. */
    static Connection openForLoads(DatabaseAddress address) throws SQLException {
        return configure(address.connect(LOAD_APPLICATION, LOAD_SOCKET_TIMEOUT), LOAD_SESSION_SETTINGS);
    }

    private static Connection configure(Connection connection, String settings) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(settings);
            connection.setAutoCommit(false);
            return connection;
        } catch (SQLException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    /** Configures the rest of the transaction for large reads instead of small writes. */
    static void prepareForLoad(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(LOAD_SETTINGS);
        }
    }
}
