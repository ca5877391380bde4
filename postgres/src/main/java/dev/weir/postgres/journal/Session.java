package dev.weir.postgres.journal;

import dev.weir.postgres.sql.Access;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/** Connections as the role that writes. None of them is shared, pooled, or used again after a failure. */
final class Session {
    static final String APPLICATION = "weir journal";

    /** After this a statement is given up by the server, so that nobody is kept waiting by one that hangs. */
    static final Duration STATEMENT_MAX = Duration.ofSeconds(10);

    /** A paused owner loses its transaction after this. */
    static final Duration IDLE_IN_TRANSACTION_MAX = Duration.ofSeconds(5);

    /** Longer than a statement may take, so that it is the server who gives up first. */
    static final Duration ANSWER_MAX = Duration.ofSeconds(15);

    /** What reading a large organisation may take. */
    static final Duration LOAD_MAX = Duration.ofMinutes(2);

    /** Longer than a statement of it may take, so that it is the server who gives up first, and the connection is kept. */
    static final Duration LOAD_ANSWER_MAX = LOAD_MAX.plusSeconds(15);

    /**
     * Rows are written one by one through their keys: a plan that scans a table because it was small when somebody
     * looked is slow for ever after.
     */
    private static final String OPENING = String.join(
            "; ",
            "set role " + Access.ENGINE_ROLE,
            "set statement_timeout = " + STATEMENT_MAX.toMillis(),
            "set idle_in_transaction_session_timeout = " + IDLE_IN_TRANSACTION_MAX.toMillis(),
            "set jit = off",
            "set enable_seqscan = off",
            "set enable_hashjoin = off",
            "set enable_mergejoin = off",
            "set plan_cache_mode = force_generic_plan");

    private static final String READING = String.join(
            "; ",
            "set local statement_timeout = " + LOAD_MAX.toMillis(),
            "set local idle_in_transaction_session_timeout = " + LOAD_MAX.toMillis(),
            "set local enable_seqscan = on",
            "set local enable_hashjoin = on",
            "set local enable_mergejoin = on",
            "set local plan_cache_mode = auto");

    private Session() {}

    static Connection open(Access access) throws SQLException {
        Connection connection = access.connect(APPLICATION, ANSWER_MAX);
        try (Statement statement = connection.createStatement()) {
            statement.execute(OPENING);
            connection.setAutoCommit(false);
            return connection;
        } catch (SQLException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    /** For the rest of the transaction, reads a lot instead of writing a little. */
    static void readMuch(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(READING);
        }
    }
}
