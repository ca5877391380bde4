package dev.weir.postgres;

import dev.weir.core.limit.Moment;
import dev.weir.postgres.sql.DatabaseAddress;
import dev.weir.postgres.sql.SqlFailures;
import dev.weir.postgres.sql.SqlStatements;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates partitions for the coming weeks, deletes starts that no rate counts any more and settings that have expired,
 * and removes history older than the retention. While it waits for a lock, all later lock requests queue behind it. It
 * therefore never waits for long: there are weeks left to try again.
 */
final class Housekeeping {
    /** The number of weeks that have partitions, including the current one. */
    static final int PARTITION_WEEKS = 4;

    /** The longest time it waits for a lock and blocks others behind it. */
    static final Duration LOCK_TIMEOUT = Duration.ofMillis(300);

    /** The time until the next pass; shorter if something was left undone. */
    static final Duration INTERVAL = Duration.ofHours(1);

    static final Duration RETRY_INTERVAL = Duration.ofMinutes(5);

    /** The time until the next pass if there is more to remove than one pass does. */
    static final Duration BACKLOG_INTERVAL = Duration.ofSeconds(1);

    private static final Duration EXPIRY_MARGIN = Duration.ofDays(1);

    /** The longest time to create a partition. Meanwhile the table's default partition is scanned and locked. */
    private static final int CREATE_TIMEOUT_SECONDS = 5;

    /** The number of old dead letters that one statement removes. */
    static final int DEAD_LETTERS_PER_PASS = 10_000;

    private static final Duration SOCKET_TIMEOUT = Duration.ofMinutes(10);
    private static final String APPLICATION = "weir housekeeping";
    private static final SqlStatements SQL = SqlStatements.of(Housekeeping.class);
    private static final Logger LOG = LoggerFactory.getLogger(Housekeeping.class);

    /**
     * SQLSTATEs that leave nothing to do: another node creates the same partition, or the default partition already has
     * rows of that week.
     */
    private static final Set<String> NOTHING_TO_DO = Set.of("42P07", SqlFailures.UNIQUE_VIOLATION, "23514");

    private static final Set<String> RETRYABLE = Set.of(SqlFailures.LOCK_TIMEOUT, SqlFailures.CANCELLED, "40P01");

    /** SQLSTATEs that mean that another node drops, or has dropped, the same week. */
    private static final Set<String> DROPPED_ELSEWHERE = Set.of("42P01", "42P07", SqlFailures.UNIQUE_VIOLATION);

    private final DatabaseAddress address;
    private final Retention retention;
    private final @Nullable OldHistory oldHistory;

    Housekeeping(DatabaseAddress address, Retention retention) {
        this.address = address;
        this.retention = retention;
        this.oldHistory = retention.age() == null ? null : new OldHistory(retention.age());
    }

    /** Returns how many times runs were removed from the history. */
    long removals() {
        return oldHistory == null ? 0 : oldHistory.removals();
    }

    /** A week of a table that has no partition yet. */
    private record MissingPartition(String table, long startsAt) {
        @Override
        public String toString() {
            var day = Instant.ofEpochSecond(TimeUnit.MICROSECONDS.toSeconds(startsAt))
                    .atOffset(ZoneOffset.UTC)
                    .toLocalDate();
            return table + " from " + day;
        }
    }

    /** Does everything that is possible without waiting long for a lock. @return the time until the next pass */
    Duration run() throws SQLException {
        try (var connection = address.connect(APPLICATION, SOCKET_TIMEOUT)) {
            return run(connection, now(connection));
        }
    }

    /** Does the same at a given time instead of the store's time. */
    Duration runAt(long now) throws SQLException {
        try (var connection = address.connect(APPLICATION, SOCKET_TIMEOUT)) {
            return run(connection, now);
        }
    }

    private Duration run(Connection connection, long now) throws SQLException {
        try (var setting = connection.createStatement()) {
            setting.execute("set lock_timeout = " + LOCK_TIMEOUT.toMillis());
        }
        return Stream.of(
                        runOrPostpone(() -> createPartitions(connection, now) ? INTERVAL : RETRY_INTERVAL),
                        runOrPostpone(() -> deleteExpiredStarts(connection, now)),
                        runOrPostpone(() -> deleteExpiredSettings(connection, now)),
                        runOrPostpone(() -> removeDeadLetters(connection, now)),
                        runOrPostpone(() -> removeHistory(connection, now)))
                .min(Comparator.naturalOrder())
                .orElse(INTERVAL);
    }

    private static long now(Connection connection) throws SQLException {
        try (var statement = connection.prepareStatement(SQL.get("now"));
                var found = statement.executeQuery()) {
            found.next();
            return found.getLong(1);
        }
    }

    /** A task that is postponed if it would have to wait. It returns the time until it is due again. */
    @FunctionalInterface
    private interface HousekeepingTask {
        Duration run() throws SQLException;
    }

    private static Duration runOrPostpone(HousekeepingTask task) throws SQLException {
        try {
            return task.run();
        } catch (SQLException e) {
            if (!RETRYABLE.contains(e.getSQLState())) {
                throw e;
            }
            LOG.warn(
                    "Housekeeping was blocked; Weir retries it in {} min: {}",
                    RETRY_INTERVAL.toMinutes(),
                    e.getMessage());
            return RETRY_INTERVAL;
        }
    }

    private static boolean createPartitions(Connection connection, long now) throws SQLException {
        List<MissingPartition> remaining = new ArrayList<>();
        Set<String> blockedTables = new TreeSet<>();
        for (MissingPartition each : findMissing(connection, now)) {
            // A transaction that blocks one partition of a table blocks all, so the readers of a table are made to wait
            // only once.
            if (blockedTables.contains(each.table) || !createPartition(connection, each)) {
                blockedTables.add(each.table);
                remaining.add(each);
            }
        }
        if (!remaining.isEmpty()) {
            LOG.warn(
                    "Weir could not create partitions and retries in {} min: {}. A long transaction reads these tables,"
                            + " for example a dump. Nothing is lost: until the partitions exist, rows go to the default"
                            + " partition",
                    RETRY_INTERVAL.toMinutes(),
                    remaining);
        }
        return remaining.isEmpty();
    }

    private static List<MissingPartition> findMissing(Connection connection, long now) throws SQLException {
        List<MissingPartition> missing = new ArrayList<>();
        try (var statement = connection.prepareStatement(SQL.get("missing_partitions"))) {
            statement.setLong(1, now);
            statement.setInt(2, PARTITION_WEEKS);
            try (var found = statement.executeQuery()) {
                while (found.next()) {
                    missing.add(new MissingPartition(found.getString(1), found.getLong(2)));
                }
            }
        }
        return missing;
    }

    /** Creates a partition in a transaction of its own. Returns true if there is no need to repeat it. */
    private static boolean createPartition(Connection connection, MissingPartition week) throws SQLException {
        try (var statement = connection.prepareStatement(SQL.get("make_partition"))) {
            statement.setString(1, week.table);
            statement.setLong(2, week.startsAt);
            statement.setQueryTimeout(CREATE_TIMEOUT_SECONDS);
            statement.execute();
            return true;
        } catch (SQLException e) {
            if (NOTHING_TO_DO.contains(e.getSQLState())) {
                return true;
            }
            if (RETRYABLE.contains(e.getSQLState())) {
                return false;
            }
            throw e;
        }
    }

    /**
     * Deletes pins, pauses, holds and sessions a day after they expired, so that a slightly wrong clock never ends one
     * early.
     */
    private static Duration deleteExpiredSettings(Connection connection, long now) throws SQLException {
        for (String table : List.of(
                "clear_pins",
                "clear_pauses",
                "clear_retry_after_holds",
                "clear_console_sessions",
                "clear_sign_in_links")) {
            try (var statement = connection.prepareStatement(SQL.get(table))) {
                statement.setLong(1, now - Moment.micros(EXPIRY_MARGIN));
                statement.executeUpdate();
            }
        }
        return INTERVAL;
    }

    private static Duration deleteExpiredStarts(Connection connection, long now) throws SQLException {
        new ExpiredStarts(connection, now).delete();
        return INTERVAL;
    }

    /** Removes dead letters that are older than the history of their runs. */
    private Duration removeDeadLetters(Connection connection, long now) throws SQLException {
        Duration age = retention.age();
        if (age == null) {
            return INTERVAL;
        }
        try (var statement = connection.prepareStatement(SQL.get("remove_dead_letters"))) {
            statement.setLong(1, now - Moment.micros(age));
            statement.setInt(2, DEAD_LETTERS_PER_PASS);
            return statement.executeUpdate() < DEAD_LETTERS_PER_PASS ? INTERVAL : BACKLOG_INTERVAL;
        }
    }

    private Duration removeHistory(Connection connection, long now) throws SQLException {
        try {
            return oldHistory == null || oldHistory.remove(connection, now) ? INTERVAL : BACKLOG_INTERVAL;
        } catch (SQLException e) {
            if (DROPPED_ELSEWHERE.contains(e.getSQLState())) {
                return RETRY_INTERVAL;
            }
            throw e;
        }
    }
}
