package dev.weir.postgres.sql;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** New rows of one table: a few are inserted by a statement that goes with others, many are copied, which takes two round trips. */
final class Inserting implements Rows {
    /** Up to so many rows the trips cost more than the rows. */
    private static final int FEW = 64;

    private final String statement;
    private final List<@Nullable Object[]> few = new ArrayList<>();
    private @Nullable Copy copy;

    Inserting(String statement) {
        this.statement = statement;
    }

    @Override
    public void add(@Nullable Object... row) {
        if (copy == null && few.size() < FEW) {
            few.add(row);
            return;
        }
        if (copy == null) {
            copy = Copy.instead(statement);
            few.forEach(copy::add);
        }
        copy.add(row);
    }

    @Override
    public void addTo(Trips trips) throws SQLException {
        if (copy != null) {
            copy.addTo(trips);
            return;
        }
        var grid = new Grid(statement);
        few.forEach(grid::add);
        grid.addTo(trips);
    }
}
