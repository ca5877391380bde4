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
 * A transaction on its way to the server. Statements that follow each other go in one round trip, the commit with the last
 * of them: the server begins with the next as soon as it is done with one, and waits for nobody.
 */
public final class Trips {
    /** Between two statements; the driver takes them apart again. The last line of one may be a comment. */
    private static final String THEN = "\n;";

    private static final String COMMIT = "COMMIT";

    private final Connection connection;
    private final List<Grid> together = new ArrayList<>();
    /** What goes first, until it has gone. */
    private @Nullable Opening opening;
    /** Whether the server was told to commit. */
    private boolean committing;

    public Trips(Connection connection) {
        this(connection, null);
    }

    public Trips(Connection connection, @Nullable Opening opening) {
        this.connection = connection;
        this.opening = opening;
    }

    /** A question with which a transaction begins, of which the answer is one number. */
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
     * Whether the server may have committed, after a failure: it was told to, and it does not say that it waits for the end of
     * a transaction that has failed.
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

    /** Goes with those before it. */
    void add(Grid statement) {
        together.add(statement);
    }

    /** Goes by itself, after those before it. */
    void add(Copy copy) throws SQLException {
        go("");
        copy.execute(connection);
    }

    /** Goes by itself: it is seldom wanted, and the driver remembers what goes together often. */
    public void alone(Rows rows) throws SQLException {
        go("");
        rows.addTo(this);
        go("");
    }

    /** Whatever was added has been executed after this, and committed. */
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
            for (Grid each : together) {
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
