package dev.weir.postgres.records;

import dev.weir.core.limit.Moment;
import dev.weir.engine.records.NoticeFilter;
import dev.weir.engine.records.NoticeRecord;
import dev.weir.engine.records.NoticeStore;
import dev.weir.engine.records.PageRequest;
import dev.weir.engine.records.RecordPage;
import dev.weir.postgres.access.NoticeRows;
import dev.weir.postgres.sql.ConnectionPool;
import dev.weir.postgres.sql.SqlStatements;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** Reads notices as a database role that sees only the requested organisation. */
final class PostgresNoticeStore implements NoticeStore {
    private static final SqlStatements SQL = SqlStatements.of(PostgresNoticeStore.class);

    /** The position of the limit among the parameters of a list, after four criteria that are given twice. */
    private static final int LIMIT_INDEX = 11;

    private final ConnectionPool pool;
    private final ToIntFunction<String> numberOf;

    PostgresNoticeStore(ConnectionPool pool, ToIntFunction<String> numberOf) {
        this.pool = pool;
        this.numberOf = numberOf;
    }

    @Override
    public RecordPage<NoticeRecord> notices(String org, NoticeFilter filter, PageRequest page) {
        long before = PostgresRecords.cursor(page, Long.MAX_VALUE);
        int number = numberOf.applyAsInt(org);
        return pool.runAsRequest("reading the notices of " + org, number, connection -> {
            try (var statement = connection.prepareStatement(SQL.get("notices"))) {
                statement.setInt(1, number);
                statement.setLong(2, before);
                bind(statement, filter);
                statement.setInt(LIMIT_INDEX, page.limit() + 1);
                List<NoticeRecord> found = new ArrayList<>();
                try (var rows = statement.executeQuery()) {
                    while (rows.next()) {
                        found.add(read(rows));
                    }
                }
                boolean isFull = found.size() > page.limit();
                List<NoticeRecord> entries = isFull ? found.subList(0, page.limit()) : found;
                return new RecordPage<>(
                        entries,
                        isFull ? String.valueOf(entries.getLast().notice().number()) : "");
            }
        });
    }

    private static void bind(PreparedStatement statement, NoticeFilter filter) throws SQLException {
        statement.setObject(3, filter.open(), Types.BOOLEAN);
        statement.setObject(4, filter.open(), Types.BOOLEAN);
        @Nullable
        String[] criteria = {
            filter.kind() == null ? null : filter.kind().word(),
            filter.severity() == null ? null : filter.severity().word(),
            filter.subject()
        };
        int index = 5;
        for (String criterion : criteria) {
            statement.setString(index++, criterion);
            statement.setString(index++, criterion);
        }
    }

    private static NoticeRecord read(ResultSet row) throws SQLException {
        long closedAt = row.getLong("closed_at");
        return new NoticeRecord(NoticeRows.read(row), closedAt == 0 ? null : Moment.toInstant(closedAt));
    }
}
