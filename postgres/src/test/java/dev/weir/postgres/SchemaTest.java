package dev.weir.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.postgres.sql.Access;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SchemaTest {
    private static final String DATABASE = "of_a_newer_weir";

    @Test
    void tables_of_a_newer_weir_are_refused_and_left_as_they_are() throws Exception {
        Server.postgres();
        execute(Server.access(), "create database " + DATABASE);
        Access own = Server.access();
        var access =
                new Access(own.url().replaceFirst("/[^/?]+($|\\?)", "/" + DATABASE + "$1"), own.user(), own.password());
        Postgres.open(access).close();
        execute(access, """
                insert into flyway_schema_history
                    (installed_rank, version, description, type, script, installed_by, execution_time, success)
                values (999, '999', 'later', 'SQL', 'V999__later.sql', 'somebody', 1, true)
                """);
        execute(access, "drop table starts");

        assertThatThrownBy(() -> Postgres.open(access).close())
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

    private static void execute(Access access, String sql) throws SQLException {
        try (var connection = access.connect("schema", Duration.ofSeconds(30));
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
