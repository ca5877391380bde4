package dev.weir.postgres.sql;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * New rows of one table. A few rows are inserted by a statement that shares a round trip with others. Many rows are
 * inserted with COPY, which takes two round trips.
 */
final class BulkInsert implements StatementRows {
    /** The most rows for which COPY's round trips cost more than the rows. */
    private static final int INSERT_ROWS_MAX = 64;

    private final String statement;
    private final List<@Nullable Object[]> buffered = new ArrayList<>();
    private @Nullable CopyRows copy;

    BulkInsert(String statement) {
        this.statement = statement;
    }

    @Override
    public void add(@Nullable Object... row) {
        if (copy == null && buffered.size() < INSERT_ROWS_MAX) {
            buffered.add(row);
            return;
        }
        if (copy == null) {
            copy = CopyRows.forInsert(statement);
            buffered.forEach(copy::add);
        }
        copy.add(row);
    }

    @Override
    public void addTo(PipelinedTransaction transaction) throws SQLException {
        if (copy != null) {
            copy.addTo(transaction);
            return;
        }
        var rows = new UnnestRows(statement);
        buffered.forEach(rows::add);
        rows.addTo(transaction);
    }
}
