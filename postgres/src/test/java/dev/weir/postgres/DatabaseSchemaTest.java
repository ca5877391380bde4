package dev.weir.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.core.limit.Moment;
import dev.weir.core.limit.Pin;
import dev.weir.core.limit.Rate;
import dev.weir.postgres.json.SettingJson;
import dev.weir.postgres.sql.DatabaseAddress;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;

class DatabaseSchemaTest {
    private static final String DATABASE = "of_a_newer_weir";

    @Test
    void tables_of_a_newer_weir_are_refused_and_left_as_they_are() throws Exception {
        Server.postgres();
        execute(Server.access(), "create database " + DATABASE);
        DatabaseAddress own = Server.access();
        var access = new DatabaseAddress(
                own.url().replaceFirst("/[^/?]+($|\\?)", "/" + DATABASE + "$1"), own.user(), own.password());
        PostgresDatabase.open(access).close();
        execute(access, """
                insert into flyway_schema_history
                    (installed_rank, version, description, type, script, installed_by, execution_time, success)
                values (999, '999', 'later', 'SQL', 'V999__later.sql', 'somebody', 1, true)
                """);
        execute(access, "drop table starts");

        assertThatThrownBy(() -> PostgresDatabase.open(access).close())
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("found version 999")
                .hasMessageMatching("(?s).*expected tables of version \\d+ or older.*")
                .hasMessageContaining("a newer Weir");
        try (var connection = access.connect("schema", Duration.ofSeconds(30));
                Statement statement = connection.createStatement();
                var found = statement.executeQuery(
                        "select count(*), max(installed_rank), to_regclass('weir.starts')::text from flyway_schema_history")) {
            found.next();
            assertThat(found.getInt(2)).isEqualTo(999);
            assertThat(found.getString(3)).as("a table that nobody makes again").isNull();
        }
    }

    @Test
    void pins_of_an_older_weir_keep_their_values() throws Exception {
        Server.postgres();
        execute(Server.access(), "create database of_an_older_weir");
        DatabaseAddress own = Server.access();
        var access = new DatabaseAddress(
                own.url().replaceFirst("/[^/?]+($|\\?)", "/of_an_older_weir$1"), own.user(), own.password());
        Flyway.configure()
                .dataSource(access.dataSource("schema", Duration.ofSeconds(30)))
                .schemas(DatabaseAddress.SCHEMA)
                .defaultSchema(DatabaseAddress.SCHEMA)
                .locations("classpath:dev/weir/postgres/migrations")
                .target("9")
                .load()
                .migrate();
        execute(access, """
                insert into weir.pins (org, "limit", parallelism, count, period, "window", until)
                values (1, 'key:lasting', 3, 2, 1000000, 's', 9223372036854775807),
                       (1, 'key:temporary', 4, null, null, null, 4102444800000000)
                """);

        PostgresDatabase.open(access).close();

        var lasting = new Pin(3, Rate.sliding(2, 1_000_000), Moment.NEVER);
        assertThat(pin(access, "key:lasting")).isEqualTo(lasting);
        assertThat(pin(access, "key:temporary")).isEqualTo(new Pin(4, null, 4_102_444_800_000_000L));
    }

    private static Pin pin(DatabaseAddress access, String limit) throws SQLException {
        try (var connection = access.connect("schema", Duration.ofSeconds(30));
                Statement statement = connection.createStatement();
                var found = statement.executeQuery("select pin from weir.pins where \"limit\" = '" + limit + "'")) {
            found.next();
            return SettingJson.readPin(found.getString(1));
        }
    }

    private static void execute(DatabaseAddress access, String sql) throws SQLException {
        try (var connection = access.connect("schema", Duration.ofSeconds(30));
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
