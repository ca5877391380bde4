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
    private static final int FEW = 64;

    private final String statement;
    private final List<@Nullable Object[]> few = new ArrayList<>();
    private @Nullable CopyRows copy;

    BulkInsert(String statement) {
        this.statement = statement;
    }

    @Override
    public void add(@Nullable Object... row) {
        if (copy == null && few.size() < FEW) {
            few.add(row);
            return;
        }
        if (copy == null) {
            copy = CopyRows.instead(statement);
            few.forEach(copy::add);
        }
        copy.add(row);
    }

    @Override
    public void addTo(PipelinedTransaction trips) throws SQLException {
        if (copy != null) {
            copy.addTo(trips);
            return;
        }
        var grid = new UnnestRows(statement);
        few.forEach(grid::add);
        grid.addTo(trips);
    }
}
