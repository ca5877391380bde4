package dev.weir.postgres;

import dev.weir.core.limit.Moment;
import dev.weir.postgres.sql.SqlStatements;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes history older than the retention: first ids and inputs of runs in small deletes, then runs, steps and logs by
 * whole weeks. Rows of runs that are live or ended later stay. Each call does a bounded part of the work, so that
 * nobody waits for long.
 */
final class OldHistory {
    /** The most rows that one statement deletes. */
    static final int ROWS_MAX = 2_000;

    /** The most delete statements in one call, for each kind of rows. */
    static final int DELETES_MAX = 10;

    /** The longest time to copy the rows of a week that are kept. Only those rows are locked. */
    private static final int COPY_TIMEOUT_SECONDS = 300;

    /** The longest time to drop a week. Meanwhile its table is locked. */
    private static final int DROP_TIMEOUT_SECONDS = 1;

    private static final long WEEK_MICROS = TimeUnit.DAYS.toMicros(7);

    /**
     * Statements for rows outside of the weekly partitions. Runs come first, because the other deletes depend on the
     * runs that are left.
     */
    private static final List<String> TRIM_STATEMENTS = List.of(
            "trim_runs",
            "trim_steps",
            "trim_logs",
            "trim_claim_log",
            "trim_events",
            "trim_windows",
            "trim_emitted_events");

    private static final SqlStatements SQL = SqlStatements.of(OldHistory.class);
    private static final Logger LOG = LoggerFactory.getLogger(OldHistory.class);

    private final Duration age;
    /** The cutoff time to which {@link #lastOrg} and {@link #lastRun} belong. */
    private long cutoff;

    /** The last run whose id was removed. All old runs before it have no id any more. */
    private int lastOrg;

    private long lastRun;
    private long removals;

    OldHistory(Duration age) {
        this.age = age;
    }

    /** A week of a history table. */
    private record Week(String parent, long startsAt) {
        @Override
        public String toString() {
            return parent + " of the week from "
                    + Moment.toInstant(startsAt).atOffset(ZoneOffset.UTC).toLocalDate();
        }
    }

    /**
     * Returns how many times runs were removed. When this number has grown, knowledge about runs elsewhere may be
     * outdated.
     */
    long removals() {
        return removals;
    }

    /** Removes the next part of the history that is too old. @return true if nothing is left to remove */
    boolean remove(Connection connection, long now) throws SQLException {
        long weekStart = Math.floorDiv(now - Moment.micros(age), WEEK_MICROS) * WEEK_MICROS;
        if (weekStart != cutoff) {
            restartAt(weekStart);
        }
        if (!removeIds(connection)) {
            return false;
        }
        List<Week> weeks = findOldWeeks(connection);
        if (!weeks.isEmpty()) {
            drop(connection, weeks.getFirst());
            return false;
        }
        boolean all = true;
        for (String trim : TRIM_STATEMENTS) {
            all &= trim(connection, trim);
        }
        restartAt(cutoff);
        return all;
    }

    private void restartAt(long newCutoff) {
        cutoff = newCutoff;
        lastOrg = 0;
        lastRun = 0;
    }

    /** Removes ids of old runs. Returns true if none is left. */
    private boolean removeIds(Connection connection) throws SQLException {
        for (int i = 0; i < DELETES_MAX; i++) {
            try (var statement = connection.prepareStatement(SQL.get("remove_ids"))) {
                statement.setLong(1, cutoff);
                statement.setInt(2, lastOrg);
                statement.setLong(3, lastRun);
                statement.setInt(4, ROWS_MAX);
                try (var last = statement.executeQuery()) {
                    if (!last.next()) {
                        return true;
                    }
                    lastOrg = last.getInt("org");
                    lastRun = last.getLong("number");
                    removals++;
                }
            }
        }
        return false;
    }

    private List<Week> findOldWeeks(Connection connection) throws SQLException {
        List<Week> weeks = new ArrayList<>();
        try (var statement = connection.prepareStatement(SQL.get("old_weeks"))) {
            statement.setLong(1, cutoff);
            try (var found = statement.executeQuery()) {
                while (found.next()) {
                    weeks.add(new Week(found.getString("parent"), found.getLong("starts_at")));
                }
            }
        }
        return weeks;
    }

    /** Copies the rows of a week that are kept and drops the week, in one transaction. */
    private void drop(Connection connection, Week week) throws SQLException {
        connection.setAutoCommit(false);
        try {
            boolean kept = copyKept(connection, week);
            try (var statement = connection.prepareStatement(SQL.get("drop_week"))) {
                statement.setString(1, week.parent);
                statement.setLong(2, week.startsAt);
                statement.setBoolean(3, kept);
                statement.setLong(4, cutoff);
                statement.setQueryTimeout(DROP_TIMEOUT_SECONDS);
                statement.execute();
            }
            connection.commit();
            removals++;
            LOG.info("Weir removed {}{}", week, kept ? ", except runs that are live or ended later" : "");
        } catch (SQLException e) {
            connection.rollback();
            throw e;
        } finally {
            connection.setAutoCommit(true);
        }
    }

    private static boolean copyKept(Connection connection, Week week) throws SQLException {
        try (var statement = connection.prepareStatement(SQL.get("copy_kept"))) {
            statement.setString(1, week.parent);
            statement.setLong(2, week.startsAt);
            statement.setQueryTimeout(COPY_TIMEOUT_SECONDS);
            try (var copied = statement.executeQuery()) {
                copied.next();
                return copied.getLong(1) > 0;
            }
        }
    }

    /** Deletes old rows with that statement. Returns true if none is left. */
    private boolean trim(Connection connection, String name) throws SQLException {
        for (int i = 0; i < DELETES_MAX; i++) {
            try (var statement = connection.prepareStatement(SQL.get(name))) {
                statement.setLong(1, cutoff);
                statement.setLong(2, cutoff);
                statement.setInt(3, ROWS_MAX);
                if (statement.executeUpdate() < ROWS_MAX) {
                    return true;
                }
            }
        }
        return false;
    }
}
