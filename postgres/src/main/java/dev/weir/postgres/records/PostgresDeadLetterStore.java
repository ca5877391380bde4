package dev.weir.postgres.records;

import dev.weir.engine.records.DeadLetterFilter;
import dev.weir.engine.records.DeadLetterRecord;
import dev.weir.engine.records.DeadLetterStore;
import dev.weir.engine.records.PageRequest;
import dev.weir.engine.records.RecordPage;
import dev.weir.postgres.access.DeadLetterRows;
import dev.weir.postgres.sql.ConnectionPool;
import dev.weir.postgres.sql.SqlStatements;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** Reads dead letters as a database role that sees only the requested organisation. */
final class PostgresDeadLetterStore implements DeadLetterStore {
    private static final SqlStatements SQL = SqlStatements.of(PostgresDeadLetterStore.class);

    /** The position of the first criterion among the parameters of a list. */
    private static final int FIRST_CRITERION = 4;

    private final ConnectionPool pool;
    private final ToIntFunction<String> numberOf;

    PostgresDeadLetterStore(ConnectionPool pool, ToIntFunction<String> numberOf) {
        this.pool = pool;
        this.numberOf = numberOf;
    }

    /**
     * The range of dead letters that is searched for one page.
     *
     * @param from the oldest one
     * @param isLast true if there are no older ones
     */
    private record SearchedNumbers(long from, boolean isLast) {}

    @Override
    public RecordPage<DeadLetterRecord> deadLetters(String org, DeadLetterFilter filter, PageRequest page) {
        long before = PostgresRecords.cursor(page, Long.MAX_VALUE);
        int number = numberOf.applyAsInt(org);
        return pool.runAsRequest("reading the dead letters of " + org, number, connection -> {
            SearchedNumbers range = findRange(connection, number, before);
            try (var statement = connection.prepareStatement(SQL.get("dead_letters"))) {
                statement.setInt(1, number);
                statement.setLong(2, range.from);
                statement.setLong(3, before);
                statement.setInt(bind(statement, filter), page.limit() + 1);
                List<DeadLetterRecord> found = new ArrayList<>();
                try (var rows = statement.executeQuery()) {
                    while (rows.next()) {
                        found.add(DeadLetterRows.read(rows));
                    }
                }
                boolean isFull = found.size() > page.limit();
                List<DeadLetterRecord> entries = isFull ? found.subList(0, page.limit()) : found;
                String next = isFull
                        ? String.valueOf(entries.getLast().letter().number())
                        : range.isLast ? "" : String.valueOf(range.from);
                return new RecordPage<>(entries, next);
            }
        });
    }

    private static SearchedNumbers findRange(Connection connection, int org, long before) throws SQLException {
        try (var statement = connection.prepareStatement(SQL.get("oldest_examined"))) {
            statement.setInt(1, org);
            statement.setLong(2, before);
            statement.setInt(3, LETTERS_EXAMINED_MAX);
            try (var found = statement.executeQuery()) {
                found.next();
                return new SearchedNumbers(found.getLong("oldest"), found.getInt("examined") < LETTERS_EXAMINED_MAX);
            }
        }
    }

    /** Sets the criteria, each of them twice, after the range. Returns the index of the next parameter. */
    private static int bind(PreparedStatement statement, DeadLetterFilter filter) throws SQLException {
        int index = FIRST_CRITERION;
        for (String criterion : new @Nullable String[] {
            filter.state() == null ? null : DeadLetterRows.letter(filter.state()),
            filter.kind() == null ? null : DeadLetterRows.letter(filter.kind()),
            filter.reason() == null ? null : filter.reason().word(),
            filter.workflow(),
            filter.key()
        }) {
            statement.setString(index++, criterion);
            statement.setString(index++, criterion);
        }
        return index;
    }

    @Override
    public Optional<DeadLetterRecord> findDeadLetter(String org, long number) {
        int orgNumber = numberOf.applyAsInt(org);
        return pool.runAsRequest("reading dead letter " + number + " of " + org, orgNumber, connection -> {
            try (var statement = connection.prepareStatement(SQL.get("dead_letter"))) {
                statement.setInt(1, orgNumber);
                statement.setLong(2, number);
                try (var found = statement.executeQuery()) {
                    return found.next() ? Optional.of(DeadLetterRows.read(found)) : Optional.empty();
                }
            }
        });
    }
}
