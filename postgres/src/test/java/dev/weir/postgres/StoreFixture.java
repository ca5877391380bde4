package dev.weir.postgres;

import dev.weir.postgres.sql.DatabaseAddress;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.flywaydb.core.Flyway;

/** Writes all rows of a store as SQL text, and loads such a text into a new database of the same schema version. */
final class StoreFixture {
    private static final Duration SOCKET_TIMEOUT = Duration.ofSeconds(60);

    /** The age added to the loaded rows: a year, in whole weeks because of the partitions. */
    private static final long AGE_MICROS = Duration.ofDays(52 * 7).toNanos() / 1_000;

    /** The times of this decade and the next, in microseconds. */
    private static final Pattern TIME = Pattern.compile("\\b1[789]\\d{14}\\b");

    private StoreFixture() {}

    /**
     * Creates a database with the schema of that version, and loads the fixture of that version into it. The rows
     * become a year older, so that no test depends on the time since the fixture was written: all timers are due.
     */
    static DatabaseAddress load(String database, int version) throws SQLException, IOException {
        TestPostgres.postgres();
        DatabaseAddress address = TestPostgres.createDatabase(database);
        Flyway.configure()
                .dataSource(address.dataSource("fixture", SOCKET_TIMEOUT))
                .schemas(DatabaseAddress.SCHEMA)
                .defaultSchema(DatabaseAddress.SCHEMA)
                .locations("classpath:dev/weir/postgres/migrations")
                .target(String.valueOf(version))
                .load()
                .migrate();
        try (var connection = address.connect("fixture", SOCKET_TIMEOUT);
                var statement = connection.createStatement()) {
            statement.setEscapeProcessing(false);
            statement.execute(TIME.matcher(text(version))
                    .replaceAll(time -> String.valueOf(Long.parseLong(time.group()) - AGE_MICROS)));
        }
        return address;
    }

    static String name(int version) {
        return "store-v" + version + ".sql";
    }

    private static String text(int version) throws IOException {
        try (InputStream in = StoreFixture.class.getResourceAsStream(name(version))) {
            if (in == null) {
                throw new IOException("expected the fixture " + name(version) + ", found none");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** Returns the rows of a store as SQL. Partitions come first, sequences last. */
    static String text(DatabaseAddress address) throws SQLException {
        var text = new StringBuilder("-- Written by StoreFixtureTest. Do not edit.\n");
        try (var connection = address.connect("fixture", SOCKET_TIMEOUT)) {
            for (String query : List.of(PARTITIONS, SHARDS)) {
                strings(connection, query).forEach(line -> text.append(line).append('\n'));
            }
            for (String query : strings(connection, TABLES)) {
                strings(connection, query).forEach(line -> text.append(line).append('\n'));
            }
            strings(connection, SEQUENCES).forEach(line -> text.append(line).append('\n'));
        }
        return text.toString();
    }

    private static List<String> strings(Connection connection, String query) throws SQLException {
        List<String> found = new ArrayList<>();
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery(query)) {
            while (rows.next()) {
                found.add(rows.getString(1));
            }
        }
        return found;
    }

    /** The weeks of the partitions that have rows. */
    private static final String PARTITIONS = """
            select format('select weir.make_partition(%L, %s);', parent, at / 604800000000 * 604800000000)
            from (select 'run_history' as parent, ended_at as at from weir.run_history
                  union select 'step_history', ended_at from weir.step_history
                  union select 'claim_log', at from weir.claim_log
                  union select 'attempt_log', at from weir.attempt_log) as rows
            group by 1
            order by 1
            """;

    /** The shards that had an owner. Their rows exist already. */
    private static final String SHARDS = """
            select format('update weir.shards set epoch = %s, owner = %L where shard = %s;', epoch, owner, shard)
            from weir.shards
            where epoch > 0
            order by shard
            """;

    /** For each table a query that returns an insert for each of its rows, in the order of their texts. */
    private static final String TABLES = """
            select format('select format(''insert into weir.%I (%s) overriding system value values (%%s);'','
                          ' concat_ws('', '', %s)) from weir.%I as fixture_row order by fixture_row::text',
                          tables.relname,
                          string_agg(format('%I', columns.attname), ', ' order by columns.attnum),
                          string_agg(format('quote_nullable(%I::text)', columns.attname), ', ' order by columns.attnum),
                          tables.relname)
            from pg_class tables join pg_attribute columns on columns.attrelid = tables.oid
            where tables.relnamespace = 'weir'::regnamespace and tables.relkind in ('r', 'p')
              and not tables.relispartition and tables.relname not in ('shards', 'flyway_schema_history')
              and columns.attnum > 0 and not columns.attisdropped and columns.attgenerated = ''
            group by tables.relname
            order by tables.relname <> 'organisations', tables.relname
            """;

    private static final String SEQUENCES = """
            select format('select setval(%L, %s, true);', 'weir.' || sequencename, last_value)
            from pg_sequences
            where schemaname = 'weir' and last_value is not null
            order by 1
            """;
}
