package dev.weir.postgres.records;

import dev.weir.core.limit.Moment;
import dev.weir.core.state.UnitId;
import dev.weir.engine.records.LoggedAttempt;
import dev.weir.engine.records.PageRequest;
import dev.weir.engine.records.RecordPage;
import dev.weir.engine.records.Records;
import dev.weir.postgres.sql.SqlStatements;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Lists the attempts that have logged something, by the flow-control key of their step. */
final class LoggedAttemptReader {
    private static final SqlStatements SQL = SqlStatements.of(LoggedAttemptReader.class);

    private final Connection connection;
    private final int org;
    private final String key;

    LoggedAttemptReader(Connection connection, int org, String key) {
        this.connection = connection;
        this.org = org;
        this.key = key;
    }

    /** The position of an attempt in the list. Every component falls from one entry to the next. */
    record Cursor(long run, int step, int item, int attempt) {
        private static final Cursor BEGINNING =
                new Cursor(Long.MAX_VALUE, Short.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE);
        private static final Pattern TEXT =
                Pattern.compile("([0-9]{1,18})\\.([0-9]{1,4})\\.(-1|[0-9]{1,9})\\.([0-9]{1,9})");

        /** Parses the end of a page; throws if the text is anything else. */
        static Cursor of(String text) {
            if (text.isEmpty()) {
                return BEGINNING;
            }
            Matcher parts = TEXT.matcher(text);
            if (!parts.matches()) {
                throw new IllegalArgumentException("expected the cursor of a page, found '" + text + "'");
            }
            return new Cursor(
                    Long.parseLong(parts.group(1)),
                    Integer.parseInt(parts.group(2)),
                    Integer.parseInt(parts.group(3)),
                    Integer.parseInt(parts.group(4)));
        }

        private static Cursor of(ResultSet row) throws SQLException {
            return new Cursor(row.getLong("run"), row.getInt("step"), row.getInt("item"), row.getInt("attempt"));
        }

        private int bind(PreparedStatement statement, int index) throws SQLException {
            statement.setLong(index, run);
            statement.setInt(index + 1, step);
            statement.setInt(index + 2, item);
            statement.setInt(index + 3, attempt);
            return index + 4;
        }

        @Override
        public String toString() {
            return run + "." + step + "." + item + "." + attempt;
        }
    }

    RecordPage<LoggedAttempt> read(PageRequest page, Cursor after) throws SQLException {
        List<LoggedAttempt> attempts = new ArrayList<>();
        int examined = 0;
        Cursor last = after;
        try (var statement = connection.prepareStatement(SQL.get("logged_attempts"))) {
            int index = 1;
            for (int kind = 0; kind < 4; kind++) {
                statement.setString(index++, key);
            }
            statement.setInt(index++, org);
            index = after.bind(statement, index);
            statement.setInt(index, Records.LOGS_EXAMINED_MAX);
            try (var found = statement.executeQuery()) {
                while (attempts.size() < page.limit() && found.next()) {
                    examined++;
                    last = Cursor.of(found);
                    if (found.getBoolean("has_key")) {
                        attempts.add(attempt(found, last));
                    }
                }
            }
        }
        boolean mayHaveMore = attempts.size() == page.limit() || examined == Records.LOGS_EXAMINED_MAX;
        return new RecordPage<>(attempts, mayHaveMore ? last.toString() : "");
    }

    private LoggedAttempt attempt(ResultSet found, Cursor position) throws SQLException {
        var unit = new UnitId(found.getString("run_id"), found.getString("step_id"), position.item);
        try (var statement = connection.prepareStatement(SQL.get("log_of_attempt"))) {
            statement.setInt(1, org);
            position.bind(statement, 2);
            try (var log = statement.executeQuery()) {
                log.next();
                return LoggedAttempt.of(
                        unit,
                        position.attempt,
                        Moment.toInstant(found.getLong("at")),
                        log.getString("text"),
                        log.getBoolean("truncated"));
            }
        }
    }
}
