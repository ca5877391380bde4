package dev.weir.postgres.sql;

import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Many rows for one statement, written in one round trip. */
public interface Rows {
    void add(@Nullable Object... row);

    /** Executes the statement for all rows, if there are any; how many rows it changed. */
    int execute(Connection connection) throws SQLException;

    /** For a statement that takes a column of values for each {@code ?::type[]}. */
    static Rows of(String statement) {
        return new Grid(statement);
    }

    /** The same for a statement that inserts; where the session may, many rows are copied, which is cheaper for both. */
    static Rows inserting(String statement, boolean mayCopy) {
        return mayCopy ? new Inserting(statement) : new Grid(statement);
    }
}
