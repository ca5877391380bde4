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
    static final long RETENTION_MIN_MICROS = 3_600_000_000L;
    /** The most rows deleted at once. */
    static final int BATCH_ROWS = 10_000;
    /** The most limits whose rows are deleted at once. */
    private static final int BATCH_LIMITS = 500;

    private static final SqlStatements SQL = SqlStatements.of(ExpiredStarts.class);

    private final Connection connection;
    private final long now;

    ExpiredStarts(Connection connection, long now) {
        this.connection = connection;
        this.now = now;
    }

    /** The starts of a limit before a time. */
    private record ExpiredRange(int org, String limit, long before) {}

    void delete() throws SQLException {
        List<ExpiredRange> expired = findExpired();
        for (int from = 0; from < expired.size(); from += BATCH_LIMITS) {
            List<ExpiredRange> batch = expired.subList(from, Math.min(expired.size(), from + BATCH_LIMITS));
            while (delete(batch) == BATCH_ROWS) {
                // A full batch means that there may be more.
            }
        }
    }

    private List<ExpiredRange> findExpired() throws SQLException {
        List<ExpiredRange> expired = new ArrayList<>();
        try (var statement = connection.prepareStatement(SQL.get("forgettable_starts"))) {
            statement.setLong(1, now);
            statement.setLong(2, RETENTION_MIN_MICROS);
            statement.setInt(3, RateTracker.EXACT_STARTS);
            try (var found = statement.executeQuery()) {
                while (found.next()) {
                    expired.add(new ExpiredRange(found.getInt("org"), found.getString("limit"), found.getLong("at")));
                }
            }
        }
        return expired;
    }

    private int delete(List<ExpiredRange> batch) throws SQLException {
        try (var statement = connection.prepareStatement(SQL.get("forget_starts"))) {
            statement.setObject(1, batch.stream().map(ExpiredRange::org).toArray(Integer[]::new));
            statement.setObject(2, batch.stream().map(ExpiredRange::limit).toArray(String[]::new));
            statement.setObject(3, batch.stream().map(ExpiredRange::before).toArray(Long[]::new));
            statement.setInt(4, BATCH_ROWS);
            statement.setInt(5, BATCH_ROWS);
            return statement.executeUpdate();
        }
    }
}
