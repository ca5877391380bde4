package dev.weir.postgres;

import dev.weir.core.limit.RateBook;
import dev.weir.postgres.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Starts that no rate can count any more. They are forgotten in parts, each a transaction, so that nobody waits for long. */
final class OldStarts {
    /** How long starts are kept at least, in microseconds: one hour. */
    static final long KEPT_LEAST = 3_600_000_000L;
    /** Rows that go at once. */
    static final int PART_ROWS = 10_000;
    /** Limits whose rows go at once. */
    private static final int PART_LIMITS = 500;

    private static final Sql SQL = Sql.of(OldStarts.class);

    private final Connection connection;

    OldStarts(Connection connection) {
        this.connection = connection;
    }

    /** The starts of a limit before a time. */
    private record Old(int org, String limit, long before) {}

    void forget() throws SQLException {
        List<Old> old = old();
        for (int from = 0; from < old.size(); from += PART_LIMITS) {
            List<Old> part = old.subList(from, Math.min(old.size(), from + PART_LIMITS));
            while (forget(part) == PART_ROWS) {
                // There are more of these.
            }
        }
    }

    private List<Old> old() throws SQLException {
        List<Old> old = new ArrayList<>();
        try (var statement = connection.prepareStatement(SQL.get("forgettable_starts"))) {
            statement.setLong(1, KEPT_LEAST);
            statement.setInt(2, RateBook.REMEMBERED_STARTS);
            try (var found = statement.executeQuery()) {
                while (found.next()) {
                    old.add(new Old(found.getInt("org"), found.getString("limit"), found.getLong("at")));
                }
            }
        }
        return old;
    }

    private int forget(List<Old> part) throws SQLException {
        try (var statement = connection.prepareStatement(SQL.get("forget_starts"))) {
            statement.setObject(1, part.stream().map(Old::org).toArray(Integer[]::new));
            statement.setObject(2, part.stream().map(Old::limit).toArray(String[]::new));
            statement.setObject(3, part.stream().map(Old::before).toArray(Long[]::new));
            statement.setInt(4, PART_ROWS);
            statement.setInt(5, PART_ROWS);
            return statement.executeUpdate();
        }
    }
}
