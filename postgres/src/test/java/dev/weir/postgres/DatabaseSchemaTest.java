package dev.weir.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.postgres.sql.DatabaseAddress;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DatabaseSchemaTest {
    @Test
    void tables_of_a_newer_weir_are_refused_and_left_as_they_are() throws Exception {
        DatabaseAddress address = TestPostgres.createDatabase("of_a_newer_weir");
        PostgresDatabase.open(address).close();
        execute(address, """
                insert into flyway_schema_history
                    (installed_rank, version, description, type, script, installed_by, execution_time, success)
                values (999, '999', 'later', 'SQL', 'V999__later.sql', 'somebody', 1, true)
                """);
        execute(address, "drop table rate_starts");

        assertThatThrownBy(() -> PostgresDatabase.open(address).close())
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("found version 999")
                .hasMessageMatching("(?s).*expected tables of version \\d+ or older.*")
                .hasMessageContaining("a newer Weir");
        try (var connection = address.connect("schema", Duration.ofSeconds(30));
                Statement statement = connection.createStatement();
                var found = statement.executeQuery(
                        "select count(*), max(installed_rank), to_regclass('weir.rate_starts')::text"
                                + " from flyway_schema_history")) {
            found.next();
            assertThat(found.getInt(2)).isEqualTo(999);
            assertThat(found.getString(3)).as("a table that is not recreated").isNull();
        }
    }

    @Test
    void tables_of_an_unreleased_weir_are_refused_and_left_as_they_are() throws Exception {
        DatabaseAddress address = TestPostgres.createDatabase("of_an_unreleased_weir");
        PostgresDatabase.open(address).close();
        execute(
                address,
                "update flyway_schema_history set checksum = 4711, description = 'tables' where version = '1'",
                """
                insert into flyway_schema_history
                    (installed_rank, version, description, type, script, installed_by, execution_time, success)
                values (999, '15', 'old history', 'SQL', 'V15__old_history.sql', 'somebody', 1, true)
                """,
                "drop table rate_starts");

        assertThatThrownBy(() -> PostgresDatabase.open(address).close())
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("expected tables of a released Weir")
                .hasMessageContaining("found tables whose migration 1 (\"tables\") is not that of this Weir")
                .hasMessageContaining("start this Weir with an empty database")
                .hasMessageContaining("weir up --data DIR");
        assertThat(tables(address)).contains("runs").doesNotContain("rate_starts");
    }

    @Test
    void tables_of_another_program_in_the_schema_are_refused_and_left_as_they_are() throws Exception {
        DatabaseAddress address = TestPostgres.createDatabase("of_another_program");
        execute(address, "create schema weir", "create table weir.orders (id int)");

        assertThatThrownBy(() -> PostgresDatabase.open(address).close())
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("expected no tables, or those of Weir, in the schema weir")
                .hasMessageContaining("found orders: another program has made them")
                .hasMessageContaining("start this Weir with an empty database");
        assertThat(tables(address)).containsExactly("orders");
    }

    private static List<String> tables(DatabaseAddress address) throws SQLException {
        List<String> tables = new ArrayList<>();
        try (var connection = address.connect("schema", Duration.ofSeconds(30));
                Statement statement = connection.createStatement();
                var found = statement.executeQuery("select tablename from pg_tables where schemaname = 'weir'")) {
            while (found.next()) {
                tables.add(found.getString(1));
            }
        }
        return tables;
    }

    private static void execute(DatabaseAddress address, String... all) throws SQLException {
        try (var connection = address.connect("schema", Duration.ofSeconds(30));
                Statement statement = connection.createStatement()) {
            for (String sql : all) {
                statement.execute(sql);
            }
        }
    }
}
