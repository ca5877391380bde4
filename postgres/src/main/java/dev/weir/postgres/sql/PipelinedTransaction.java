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
    private static final String THEN = "\n;";

    private static final String COMMIT = "COMMIT";

    private final Connection connection;
    private final List<UnnestRows> together = new ArrayList<>();
    /** The statement to send first; null once it was sent. */
    private @Nullable Opening opening;
    /** True if COMMIT was sent to the server. */
    private boolean committing;

    public PipelinedTransaction(Connection connection) {
        this(connection, null);
    }

    public PipelinedTransaction(Connection connection, @Nullable Opening opening) {
        this.connection = connection;
        this.opening = opening;
    }

    /** A query that begins a transaction and returns one number. */
    public record Opening(String question, List<Object> values, LongConsumer answer) {
        private int set(PreparedStatement statement) throws SQLException {
            int place = 1;
            for (Object value : values) {
                statement.setObject(place++, value);
            }
            return place;
        }

        private void hear(PreparedStatement statement) throws SQLException {
            try (ResultSet found = statement.getResultSet()) {
                found.next();
                answer.accept(found.getLong(1));
            }
        }
    }

    /**
     * True if the server may have committed despite a failure: COMMIT was sent, and the server does not report a failed
     * transaction that must be ended.
     */
    public boolean mayHaveCommitted() {
        if (!committing) {
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
        together.add(statement);
    }

    /** Executes a COPY on its own, after the statements before it. */
    void add(CopyRows copy) throws SQLException {
        go("");
        copy.execute(connection);
    }

    /**
     * Executes rows in a round trip of their own. Used for rare statements, because the driver caches each combination
     * of statements that is sent together.
     */
    public void alone(StatementRows rows) throws SQLException {
        go("");
        rows.addTo(this);
        go("");
    }

    /** Executes everything that was added, and commits. */
    public void commit() throws SQLException {
        go(COMMIT);
    }

    private void go(String last) throws SQLException {
        List<String> texts = new ArrayList<>();
        Opening first = opening;
        if (first != null) {
            texts.add(first.question);
        }
        together.forEach(each -> texts.add(each.statement()));
        if (!last.isEmpty()) {
            texts.add(last);
        }
        if (texts.isEmpty()) {
            return;
        }
        try (PreparedStatement statement = connection.prepareStatement(String.join(THEN, texts))) {
            int place = first == null ? 1 : first.set(statement);
            for (UnnestRows each : together) {
                place = each.set(statement, place);
            }
            together.clear();
            opening = null;
            committing = !last.isEmpty();
            statement.execute();
            if (first != null) {
                first.hear(statement);
            }
        }
    }
}
