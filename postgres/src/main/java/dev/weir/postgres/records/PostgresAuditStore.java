package dev.weir.postgres.records;

import dev.weir.core.state.AuditEntry;
import dev.weir.engine.records.AuditFilter;
import dev.weir.engine.records.AuditStore;
import dev.weir.engine.records.PageRequest;
import dev.weir.engine.records.RecordPage;
import dev.weir.postgres.access.AuditRows;
import dev.weir.postgres.organisations.OrganisationDirectory;
import dev.weir.postgres.sql.ConnectionPool;
import dev.weir.postgres.sql.SqlStatements;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Reads audit chains as a database role that sees only the requested organisation. */
final class PostgresAuditStore implements AuditStore {
    private static final SqlStatements SQL = SqlStatements.of(PostgresAuditStore.class);
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,18}");

    private final ConnectionPool pool;
    private final OrganisationDirectory directory;

    PostgresAuditStore(ConnectionPool pool, OrganisationDirectory directory) {
        this.pool = pool;
        this.directory = directory;
    }

    private int number(String org) {
        return org.equals(ADMINISTRATION)
                ? AuditRows.ADMINISTRATION
                : directory
                        .findByName(org)
                        .orElseThrow(() -> new IllegalArgumentException("organisation not found: " + org))
                        .number();
    }

    /**
     * The range of entries that is searched for one page.
     *
     * @param from the oldest entry
     * @param isLast true if there are no older entries
     */
    private record SearchRange(long from, boolean isLast) {}

    @Override
    public RecordPage<AuditEntry> entries(String org, AuditFilter filter, PageRequest page) {
        if (!page.cursor().isEmpty() && !NUMBER.matcher(page.cursor()).matches()) {
            throw new IllegalArgumentException("expected the cursor of a page, found '" + page.cursor() + "'");
        }
        long before = page.cursor().isEmpty() ? Long.MAX_VALUE : Long.parseLong(page.cursor());
        int number = number(org);
        return pool.runAsRequest("reading the audit of " + org, number, connection -> {
            SearchRange range = findRange(connection, number, before);
            try (var statement = connection.prepareStatement(SQL.get("entries"))) {
                int index = 1;
                statement.setInt(index++, number);
                statement.setLong(index++, range.from);
                statement.setLong(index++, before);
                statement.setLong(index++, filter.since());
                statement.setLong(index++, filter.until());
                for (String text : new String[] {filter.actor(), filter.action(), filter.target()}) {
                    statement.setString(index++, text);
                    statement.setString(index++, text);
                }
                statement.setInt(index, page.limit() + 1);
                List<AuditEntry> found = read(statement);
                boolean isFull = found.size() > page.limit();
                List<AuditEntry> entries = isFull ? found.subList(0, page.limit()) : found;
                String next = isFull
                        ? String.valueOf(entries.getLast().number())
                        : range.isLast ? "" : String.valueOf(range.from);
                return new RecordPage<>(entries, next);
            }
        });
    }

    private static SearchRange findRange(Connection connection, int org, long before) throws SQLException {
        try (var statement = connection.prepareStatement(SQL.get("oldest_examined"))) {
            statement.setInt(1, org);
            statement.setLong(2, before);
            statement.setInt(3, ENTRIES_EXAMINED_MAX);
            try (var found = statement.executeQuery()) {
                found.next();
                return new SearchRange(found.getLong("oldest"), found.getInt("examined") < ENTRIES_EXAMINED_MAX);
            }
        }
    }

    @Override
    public List<AuditEntry> newest(String org, List<String> actions, List<String> targets) {
        int number = number(org);
        return pool.runAsRequest("reading the newest changes of " + org, number, connection -> {
            SearchRange range = findRange(connection, number, Long.MAX_VALUE);
            try (var statement = connection.prepareStatement(SQL.get("newest"))) {
                statement.setInt(1, number);
                statement.setLong(2, range.from);
                statement.setArray(3, connection.createArrayOf("text", actions.toArray()));
                statement.setArray(4, connection.createArrayOf("text", targets.toArray()));
                return read(statement);
            }
        });
    }

    @Override
    public List<AuditEntry> chain(String org, long after, int limit) {
        int number = number(org);
        return pool.runAsRequest("reading the audit chain of " + org, number, connection -> {
            try (var statement = connection.prepareStatement(SQL.get("chain"))) {
                statement.setInt(1, number);
                statement.setLong(2, after);
                statement.setInt(3, limit);
                return read(statement);
            }
        });
    }

    private static List<AuditEntry> read(PreparedStatement statement) throws SQLException {
        List<AuditEntry> entries = new ArrayList<>();
        try (var found = statement.executeQuery()) {
            while (found.next()) {
                entries.add(AuditRows.read(found));
            }
        }
        return entries;
    }
}
