package dev.weir.postgres.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** New rows of one table: a few are inserted by a statement that is at hand, which takes one round trip; many are copied. */
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
    public int execute(Connection connection) throws SQLException {
        if (copy != null) {
            return copy.execute(connection);
        }
        var grid = new Grid(statement);
        few.forEach(grid::add);
        return grid.execute(connection);
    }
}
