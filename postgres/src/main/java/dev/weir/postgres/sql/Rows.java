package dev.weir.postgres.sql;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Many rows for one statement, handed over at once. */
public interface Rows {
    void add(@Nullable Object... row);

    /** Sends them off. */
    void addTo(Trips trips) throws SQLException;

    /** For a statement that takes a column of values for each {@code ?::type[]}. */
    static Rows of(String statement) {
        return new Grid(statement);
    }

    /** The same for a statement that inserts; where the session may, many rows are copied, which is cheaper for both. */
    static Rows inserting(String statement, boolean mayCopy) {
        return mayCopy ? new Inserting(statement) : new Grid(statement);
    }
}
