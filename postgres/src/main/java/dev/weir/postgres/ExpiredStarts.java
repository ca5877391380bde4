package dev.weir.postgres;

import dev.weir.core.limit.RateTracker;
import dev.weir.postgres.sql.SqlStatements;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Deletes starts that no rate counts any more. Each batch is a transaction of its own, so that nobody waits for long.
 */
final class ExpiredStarts {
    /** The shortest time for which starts are kept, in microseconds: one hour. */
    static final long KEPT_LEAST = 3_600_000_000L;
    /** The most rows deleted at once. */
    static final int PART_ROWS = 10_000;
    /** The most limits whose rows are deleted at once. */
    private static final int PART_LIMITS = 500;

    private static final SqlStatements SQL = SqlStatements.of(ExpiredStarts.class);

    private final Connection connection;
    private final long now;

    ExpiredStarts(Connection connection, long now) {
        this.connection = connection;
        this.now = now;
    }

    /** The starts of a limit before a time. */
    private record Old(int org, String limit, long before) {}

    void forget() throws SQLException {
        List<Old> old = old();
        for (int from = 0; from < old.size(); from += PART_LIMITS) {
            List<Old> part = old.subList(from, Math.min(old.size(), from + PART_LIMITS));
            while (forget(part) == PART_ROWS) {
                // A full batch means that there may be more.
            }
        }
    }

    private List<Old> old() throws SQLException {
        List<Old> old = new ArrayList<>();
        try (var statement = connection.prepareStatement(SQL.get("forgettable_starts"))) {
            statement.setLong(1, now);
            statement.setLong(2, KEPT_LEAST);
            statement.setInt(3, RateTracker.REMEMBERED_STARTS);
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
