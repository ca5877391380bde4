package dev.weir.postgres.sql;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Many rows for one statement, sent at once. */
public interface StatementRows {
    void add(@Nullable Object... row);

    /** Adds the rows to the transaction. */
    void addTo(PipelinedTransaction transaction) throws SQLException;

    /** Creates rows for a statement that takes a column of values for each {@code ?::type[]}. */
    static StatementRows of(String statement) {
        return new UnnestRows(statement);
    }

    /**
     * Creates rows for an insert statement. If the session may use COPY, many rows are copied, which is cheaper for
     * client and server.
     */
    static StatementRows forInsert(String statement, boolean canCopy) {
        return canCopy ? new BulkInsert(statement) : new UnnestRows(statement);
    }
}
