package dev.weir.cli.rig;

import dev.weir.cli.rig.Evidence.Event;
import dev.weir.cli.rig.Evidence.Run;
import dev.weir.cli.rig.Evidence.Step;
import dev.weir.engine.organisations.OrganisationStore;
import dev.weir.postgres.embedded.EmbeddedPostgres;
import dev.weir.postgres.embedded.EmbeddedSettings;
import dev.weir.postgres.sql.DatabaseAddress;
import dev.weir.postgres.sql.SqlStatements;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The PostgreSQL server of the tests, always on the same port, and direct queries on it. */
final class Database implements AutoCloseable {
    private static final SqlStatements SQL = SqlStatements.of(Database.class);
    private static final Duration STOP_MAX = Duration.ofSeconds(20);

    private final Path directory;
    private EmbeddedPostgres postgres;

    Database(Path directory) throws IOException {
        this.directory = directory;
        this.postgres = EmbeddedPostgres.open(directory, EmbeddedSettings.DEFAULT);
    }

    int port() {
        return postgres.port();
    }

    String user() {
        return postgres.user();
    }

    String password() {
        return postgres.password();
    }

    /** Stops the server as pg_ctl stop -m immediate does: all its processes end at once, without a checkpoint. */
    void stopImmediately() throws IOException, InterruptedException {
        int rc = new ProcessBuilder("kill", "-QUIT", String.valueOf(postgres.pid()))
                .inheritIO()
                .start()
                .waitFor();
        if (rc != 0) {
            throw new IOException("kill -QUIT of the postmaster answered " + rc);
        }
    }

    /** Starts the server again after a stop, and returns how long that took. */
    Duration reopen() throws IOException {
        long from = System.nanoTime();
        Awaitility.await("the end of PostgreSQL")
                .atMost(STOP_MAX)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(10))
                .until(() -> !postgres.isRunning());
        int port = postgres.port();
        postgres.close();
        postgres = EmbeddedPostgres.open(directory, EmbeddedSettings.DEFAULT.withPort(port));
        return Duration.ofNanos(System.nanoTime() - from);
    }

    /** Converts a row. */
    @FunctionalInterface
    private interface RowReader<T> {
        T read(ResultSet row) throws SQLException;
    }

    private <T> List<T> query(String statement, RowReader<T> read) throws SQLException {
        List<T> rows = new ArrayList<>();
        try (var connection = postgres.dataSource().getConnection();
                var query = connection.createStatement();
                var found = query.executeQuery(SQL.get(statement))) {
            while (found.next()) {
                rows.add(read.read(found));
            }
        }
        return rows;
    }

    List<Event> events() throws SQLException {
        return query(
                "events",
                row -> new Event(
                        row.getLong("at"),
                        row.getString("kind"),
                        new Evidence.RowKey(row.getLong("run"), row.getInt("step"), row.getInt("item")),
                        row.getLong("fence"),
                        json(row.getString("limit_needs")),
                        String.valueOf(row.getString("limit")),
                        json(row.getString("value"))));
    }

    List<Run> runs() throws SQLException {
        return query(
                "runs",
                row -> new Run(
                        row.getLong("number"),
                        row.getString("id"),
                        row.getString("workflow"),
                        row.getString("state"),
                        row.getLong("started_at"),
                        row.getLong("ended_at")));
    }

    List<Step> steps() throws SQLException {
        return query(
                "steps",
                row -> new Step(
                        new Evidence.RowKey(row.getLong("run"), row.getInt("step"), row.getInt("item")),
                        row.getString("state"),
                        row.getLong("fence"),
                        json(row.getString("last_update"))));
    }

    /** Returns the number of rows that are left of ended work. */
    Map<String, Long> leftovers() throws SQLException {
        Map<String, Long> leftovers = new LinkedHashMap<>();
        query("left", row -> leftovers.put(row.getString("kind"), row.getLong("rows")));
        return leftovers;
    }

    long liveRuns() throws SQLException {
        return query("living", row -> row.getLong(1)).getFirst();
    }

    /** Returns the number of times that the shard was taken. */
    long epoch() throws SQLException {
        return query("epoch", row -> row.getLong(1)).getFirst();
    }

    /** Creates an organisation in the given shard, and returns an API token of it. */
    String createOrganisation(OrganisationStore tenants, String name, int shard) throws SQLException {
        tenants.createOrganisation(name);
        try (var connection = postgres.dataSource().getConnection();
                var moved = connection.prepareStatement(SQL.get("move"))) {
            moved.setInt(1, shard);
            moved.setString(2, name);
            moved.executeUpdate();
        }
        return tenants.createToken(name, "rig");
    }

    /** Returns all rows of an organisation. */
    TableRows tableRows(String organisation) throws SQLException {
        Map<String, String> rows = new LinkedHashMap<>();
        try (var connection = postgres.dataSource().getConnection();
                var query = connection.prepareStatement(SQL.get("kept"))) {
            query.setString(1, organisation);
            try (var found = query.executeQuery()) {
                while (found.next()) {
                    rows.put(found.getString("name"), found.getString("rows"));
                }
            }
        }
        return TableRows.of(rows);
    }

    DatabaseAddress address() {
        return new DatabaseAddress(postgres.jdbcUrl(), postgres.user(), postgres.password());
    }

    private static JsonNode json(@Nullable String text) {
        return text == null
                ? JsonMapper.shared().missingNode()
                : JsonMapper.shared().readTree(text);
    }

    @Override
    public void close() throws IOException {
        postgres.close();
    }
}
