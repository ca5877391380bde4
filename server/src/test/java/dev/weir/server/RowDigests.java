package dev.weir.server;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Digests of the stored rows of an organisation, to show that nothing has changed them. */
final class RowDigests {
    private static final String TABLES = """
            select relname from pg_class join pg_attribute on attrelid = pg_class.oid and attname = 'org'
            where relnamespace = 'weir'::regnamespace and relkind in ('r', 'p') and not relispartition""";

    /** Tables in which an organisation of the isolation matrix has rows, which a leak would show or change. */
    static final List<String> FILLED_TABLES = List.of(
            "runs",
            "run_ids",
            "run_history",
            "workflows",
            "pins",
            "api_tokens",
            "audit_entries",
            "bulk_operations",
            "attempt_log",
            "dead_letters",
            "events");

    private RowDigests() {}

    /** Returns the digests by table. Tokens are marked as used, and owners note that they listen; both are left out. */
    static Map<String, String> of(PostgresNode node, String org) throws SQLException {
        Map<String, String> digests = new TreeMap<>();
        try (Connection connection = node.connect();
                var statement = connection.createStatement()) {
            List<String> tables = strings(statement, TABLES);
            statement.execute("set role weir_engine");
            for (String table : tables) {
                String rows = "select (to_jsonb(t) - 'last_used_at')::text as row from weir." + table
                        + " t where org = (select number from weir.organisations where name = '" + org + "')";
                String digest = "select count(*) || ' rows, ' || md5(coalesce(string_agg(row, ',' order by row), ''))"
                        + " from (" + rows + ") as rows";
                digests.put(table, strings(statement, digest).getFirst());
            }
            String own = "select (to_jsonb(o) - 'listening_spans')::text from weir.organisations o where name = '" + org
                    + "'";
            digests.put("organisations", strings(statement, own).getFirst());
        }
        return digests;
    }

    private static List<String> strings(Statement statement, String query) throws SQLException {
        List<String> strings = new ArrayList<>();
        try (var found = statement.executeQuery(query)) {
            while (found.next()) {
                strings.add(found.getString(1));
            }
        }
        return strings;
    }
}
