package dev.weir.postgres;

import dev.weir.postgres.sql.Access;
import dev.weir.postgres.sql.Failures;
import dev.weir.postgres.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes partitions for the weeks to come, and forgets what no rate can count any more and whose time is over. Whoever waits for a lock has all
 * those who come later wait behind it, so it waits for none for long: there are weeks to try again.
 */
final class Housekeeping {
    /** Weeks for which there are partitions, this one included. */
    static final int WEEKS = 4;

    /** How long it waits for a lock, and makes others wait behind it. */
    static final Duration LOCK_MAX = Duration.ofMillis(300);

    /** When it is due again; sooner if something was left. */
    static final Duration EVERY = Duration.ofHours(1);

    static final Duration AGAIN = Duration.ofMinutes(5);

    /** How long it may take to make a partition: meanwhile the default one of its table is looked through, and locked. */
    private static final int MAKING_MAX_SECONDS = 5;

    private static final Duration ANSWER_MAX = Duration.ofMinutes(10);
    private static final String APPLICATION = "weir housekeeping";
    private static final Sql SQL = Sql.of(Housekeeping.class);
    private static final Logger LOG = LoggerFactory.getLogger(Housekeeping.class);

    /** Another node makes the same one, or rows of that week have come into the default partition: nothing is left to do. */
    private static final Set<String> NEEDLESS = Set.of("42P07", Failures.UNIQUE_VIOLATION, "23514");

    private static final Set<String> LATER = Set.of(Failures.LOCK_TIMEOUT, "57014", "40P01");

    private final Access access;

    Housekeeping(Access access) {
        this.access = access;
    }

    /** A week of a table that has no partition yet. */
    private record Missing(String table, long startsAt) {
        @Override
        public String toString() {
            var day = Instant.ofEpochSecond(TimeUnit.MICROSECONDS.toSeconds(startsAt))
                    .atOffset(ZoneOffset.UTC)
                    .toLocalDate();
            return table + " from " + day;
        }
    }

    /**
     * Does all that can be done without waiting for somebody.
     *
     * @return when it is to be done again
     */
    Duration keep() throws SQLException {
        try (var connection = access.connect(APPLICATION, ANSWER_MAX)) {
            try (var patience = connection.createStatement()) {
                patience.execute("set lock_timeout = " + LOCK_MAX.toMillis());
            }
            boolean made = done(() -> makePartitions(connection));
            boolean forgot = done(() -> forgetStarts(connection));
            boolean cleared = done(() -> clearTimes(connection));
            return made && forgot && cleared ? EVERY : AGAIN;
        }
    }

    /** Something that is done unless somebody would have to be waited for. */
    @FunctionalInterface
    private interface Chore {
        boolean done() throws SQLException;
    }

    private static boolean done(Chore chore) throws SQLException {
        try {
            return chore.done();
        } catch (SQLException e) {
            if (!LATER.contains(e.getSQLState())) {
                throw e;
            }
            LOG.warn("housekeeping was held up, and is tried again in {} min: {}", AGAIN.toMinutes(), e.getMessage());
            return false;
        }
    }

    private static boolean makePartitions(Connection connection) throws SQLException {
        List<Missing> left = new ArrayList<>();
        Set<String> busy = new TreeSet<>();
        for (Missing each : missing(connection)) {
            // Who keeps one partition of a table from being made keeps all, and its readers are made to wait once only.
            if (busy.contains(each.table) || !make(connection, each)) {
                busy.add(each.table);
                left.add(each);
            }
        }
        if (!left.isEmpty()) {
            LOG.warn(
                    "partitions could not be made, and are tried again in {} min: {}. Somebody has been reading these"
                            + " tables in one transaction, such as a dump. Nothing is lost: what is written before there"
                            + " is a partition lies in the default one",
                    AGAIN.toMinutes(),
                    left);
        }
        return left.isEmpty();
    }

    private static List<Missing> missing(Connection connection) throws SQLException {
        List<Missing> missing = new ArrayList<>();
        try (var statement = connection.prepareStatement(SQL.get("missing_partitions"))) {
            statement.setInt(1, WEEKS);
            try (var found = statement.executeQuery()) {
                while (found.next()) {
                    missing.add(new Missing(found.getString(1), found.getLong(2)));
                }
            }
        }
        return missing;
    }

    /** Makes one, in a transaction of its own. Tells whether it need not be tried again. */
    private static boolean make(Connection connection, Missing week) throws SQLException {
        try (var statement = connection.prepareStatement(SQL.get("make_partition"))) {
            statement.setString(1, week.table);
            statement.setLong(2, week.startsAt);
            statement.setQueryTimeout(MAKING_MAX_SECONDS);
            statement.execute();
            return true;
        } catch (SQLException e) {
            if (NEEDLESS.contains(e.getSQLState())) {
                return true;
            }
            if (LATER.contains(e.getSQLState())) {
                return false;
            }
            throw e;
        }
    }

    /** Pins, pauses and holds whose time is over; a day later, so that no clock that is a little wrong ends one. */
    private static boolean clearTimes(Connection connection) throws SQLException {
        for (String table : List.of("clear_pins", "clear_pauses", "clear_holds")) {
            try (var statement = connection.prepareStatement(SQL.get(table))) {
                statement.executeUpdate();
            }
        }
        return true;
    }

    private static boolean forgetStarts(Connection connection) throws SQLException {
        new OldStarts(connection).forget();
        return true;
    }
}
