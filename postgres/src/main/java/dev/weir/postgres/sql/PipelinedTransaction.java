package dev.weir.postgres.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;

/**
 * A transaction whose statements are pipelined. Successive statements share one round trip, and COMMIT goes with the
 * last one. The server starts each statement as soon as the one before is done, without waiting for the client.
 */
public final class PipelinedTransaction {
    /**
     * Separates two statements; the driver splits them again. It begins with a newline because a statement may end with
     * a comment.
     */
    private static final String SEPARATOR = "\n;";

    private static final String COMMIT = "COMMIT";

    private final Connection connection;
    private final List<UnnestRows> pending = new ArrayList<>();
    /** The statement to send first; null once it was sent. */
    private @Nullable OpeningQuery openingQuery;
    /** True if COMMIT was sent to the server. */
    private boolean commitSent;

    public PipelinedTransaction(Connection connection) {
        this(connection, null);
    }

    public PipelinedTransaction(Connection connection, @Nullable OpeningQuery openingQuery) {
        this.connection = connection;
        this.openingQuery = openingQuery;
    }

    /** A query that begins a transaction and returns one number. */
    public record OpeningQuery(String sql, List<Object> parameters, LongConsumer onResult) {
        private int bind(PreparedStatement statement) throws SQLException {
            int parameter = 1;
            for (Object value : parameters) {
                statement.setObject(parameter++, value);
            }
            return parameter;
        }

        private void readResult(PreparedStatement statement) throws SQLException {
            try (ResultSet found = statement.getResultSet()) {
                found.next();
                onResult.accept(found.getLong(1));
            }
        }
    }

    /**
     * True if the server may have committed despite a failure: COMMIT was sent, and the server does not report a failed
     * transaction that must be ended.
     */
    public boolean mayHaveCommitted() {
        if (!commitSent) {
            return false;
        }
        try {
            return connection.isClosed()
                    || connection.unwrap(BaseConnection.class).getTransactionState() == TransactionState.IDLE;
        } catch (SQLException e) {
            return true;
        }
    }

    /** Adds a statement that shares a round trip with those before it. */
    void add(UnnestRows statement) {
        pending.add(statement);
    }

    /** Executes a COPY on its own, after the statements before it. */
    void add(CopyRows copy) throws SQLException {
        send("");
        copy.execute(connection);
    }

    /**
     * Executes rows in a round trip of their own. Used for rare statements, because the driver caches each combination
     * of statements that is sent together.
     */
    public void executeAlone(StatementRows rows) throws SQLException {
        send("");
        rows.addTo(this);
        send("");
    }

    /** Executes everything that was added, and commits. */
    public void commit() throws SQLException {
        send(COMMIT);
    }

    private void send(String last) throws SQLException {
        List<String> texts = new ArrayList<>();
        OpeningQuery first = openingQuery;
        if (first != null) {
            texts.add(first.sql);
        }
        pending.forEach(each -> texts.add(each.statement()));
        if (!last.isEmpty()) {
            texts.add(last);
        }
        if (texts.isEmpty()) {
            return;
        }
        try (PreparedStatement statement = connection.prepareStatement(String.join(SEPARATOR, texts))) {
            int parameter = first == null ? 1 : first.bind(statement);
            for (UnnestRows each : pending) {
                parameter = each.bind(statement, parameter);
            }
            pending.clear();
            openingQuery = null;
            commitSent = !last.isEmpty();
            statement.execute();
            if (first != null) {
                first.readResult(statement);
            }
        }
    }
}
