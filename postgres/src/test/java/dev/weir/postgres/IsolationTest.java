package dev.weir.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.postgres.sql.DatabaseAddress;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests that no role that serves a request sees or changes data of another organisation. */
@Tag("S9")
class IsolationTest {
    /** Tables that belong to no organisation: the shards and the migrations. */
    private static final Set<String> SHARED_TABLES = Set.of("shards", "flyway_schema_history");

    /** Tables of which a request sees nothing at all. */
    private static final Set<String> HIDDEN = Set.of(
            "api_tokens",
            "console_sessions",
            "inbox",
            "organisation_readers",
            "organisation_starters",
            "secrets",
            "sign_in_links");

    private static final String NO_RIGHT = "42501";

    /** The SQLSTATE of a write to a view that cannot be written. */
    private static final String NO_TABLE = "55000";

    @Test
    void every_table_of_an_organisation_forces_row_level_security() throws Exception {
        TestPostgres.postgres();
        List<String> open = new ArrayList<>();
        List<String> seen = new ArrayList<>();
        try (var connection = connect();
                var statement = connection.createStatement();
                var tables = statement.executeQuery("""
                        select relname, relrowsecurity and relforcerowsecurity from pg_class
                        where relnamespace = 'weir'::regnamespace and relkind in ('r', 'p')
                        """)) {
            while (tables.next()) {
                seen.add(tables.getString(1));
                if (!tables.getBoolean(2)) {
                    open.add(tables.getString(1));
                }
            }
        }
        assertThat(open)
                .as("tables without forced row-level security")
                .containsExactlyInAnyOrderElementsOf(SHARED_TABLES);
        assertThat(seen).hasSizeGreaterThan(30).contains("runs", "run_history_default");
    }

    @Test
    void views_are_read_with_the_rights_of_the_one_who_reads() throws Exception {
        try (var connection = connect();
                var statement = connection.createStatement();
                var views = statement.executeQuery("""
                        select relname, coalesce(array_to_string(reloptions, ','), '') from pg_class
                        where relnamespace = 'weir'::regnamespace and relkind = 'v'
                        """)) {
            while (views.next()) {
                assertThat(views.getString(2)).as(views.getString(1)).contains("security_invoker=true");
            }
        }
    }

    @Test
    void a_request_sees_the_rows_of_its_organisation_only_and_none_without_one() throws Exception {
        String mine = TestPostgres.createOrganisation();
        String other = TestPostgres.createOrganisation();
        TestPostgres.postgres().organisations().createToken(mine, "t");
        var counts = new TreeMap<String, Integer>();
        OrganisationHarness.addSampleRuns(mine);
        OrganisationHarness.addSampleRuns(other);
        try (var connection = connect()) {
            connection.setAutoCommit(false);
            int own = number(connection, mine);
            for (String table : tables(connection)) {
                try (var statement = connection.createStatement()) {
                    statement.execute("set local role " + DatabaseAddress.REQUEST_ROLE);
                    assertThat(count(connection, table, ""))
                            .as("%s without an organisation", table)
                            .isZero();
                    statement.execute("set local weir.org = '" + own + "'");
                    assertThat(count(connection, table, "where " + others(connection, table, own, mine)))
                            .as(table)
                            .isZero();
                    counts.put(table, count(connection, table, ""));
                }
                connection.rollback();
            }
        }
        assertThat(counts).containsEntry("organisations", 1);
        assertThat(counts.get("runs")).isPositive();
        assertThat(counts.get("claims")).isPositive();
        assertThat(counts.get("run_history")).isPositive();
        assertThat(counts.get("stored_ended_steps")).isPositive();
        assertThat(counts.get("stored_live_steps")).isPositive();
        assertThat(counts.get("claim_events")).isPositive();
        for (String view : List.of("live_runs", "live_steps", "live_claims", "history_runs", "history_steps")) {
            assertThat(counts.get(view)).as(view).isPositive();
        }
    }

    /** Returns the condition for rows of other organisations. Views for people name the organisation. */
    private static String others(Connection connection, String table, int own, String name) throws SQLException {
        if (table.equals("organisations")) {
            return "number <> " + own;
        }
        try (var columns = connection.getMetaData().getColumns(null, DatabaseAddress.SCHEMA, table, "organisation")) {
            return columns.next() ? "organisation <> '" + name + "'" : "org <> " + own;
        }
    }

    @Test
    void a_request_can_neither_write_nor_see_tokens() throws Exception {
        try (var connection = connect()) {
            connection.setAutoCommit(false);
            for (String table : tables(connection)) {
                refused(connection, "insert into " + table + " default values");
            }
            for (String table : HIDDEN) {
                refused(connection, "select from " + table);
            }
            refused(connection, "select weir.make_partition('run_history', 0)");
        }
    }

    @Test
    void a_program_can_leave_a_start_but_neither_read_starts_nor_set_their_author() throws Exception {
        String mine = TestPostgres.createOrganisation();
        try (var connection = connect();
                var statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            int own = number(connection, mine);
            statement.execute("set local role " + DatabaseAddress.STARTER_ROLE);
            statement.execute("insert into inbox (org, request) values (" + own + ", '{}')");
            for (String wrong : List.of(
                    "insert into inbox (org, request, left_by) values (" + own + ", '{}', 'ann')",
                    "select left_by from inbox",
                    "select request from inbox",
                    "update inbox set request = '{}'",
                    "delete from inbox",
                    "truncate inbox",
                    "select subject from dead_letters")) {
                var before = connection.setSavepoint();
                assertThatThrownBy(() -> statement.execute(wrong))
                        .as(wrong)
                        .isInstanceOfSatisfying(
                                SQLException.class,
                                e -> assertThat(e.getSQLState()).isEqualTo(NO_RIGHT));
                connection.rollback(before);
            }
            connection.rollback();
        }
    }

    private static void refused(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute("set local role " + DatabaseAddress.REQUEST_ROLE);
            statement.execute("set local weir.org = '1'");
            assertThatThrownBy(() -> statement.execute(sql))
                    .as(sql)
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            e -> assertThat(e.getSQLState()).as(e.getMessage()).isIn(NO_RIGHT, NO_TABLE));
        }
        connection.rollback();
    }

    private static List<String> tables(Connection connection) throws SQLException {
        List<String> tables = new ArrayList<>();
        try (var statement = connection.createStatement();
                var found = statement.executeQuery("""
                        select relname from pg_class
                        where relnamespace = 'weir'::regnamespace and relkind in ('r', 'p', 'v') and not relispartition
                        """)) {
            while (found.next()) {
                if (!SHARED_TABLES.contains(found.getString(1)) && !HIDDEN.contains(found.getString(1))) {
                    tables.add(found.getString(1));
                }
            }
        }
        return tables;
    }

    private static int count(Connection connection, String table, String where) throws SQLException {
        try (var statement = connection.createStatement();
                var found = statement.executeQuery("select count(*) from " + table + " " + where)) {
            found.next();
            return found.getInt(1);
        }
    }

    private static int number(Connection connection, String org) throws SQLException {
        try (var statement = connection.prepareStatement("select number from organisations where name = ?")) {
            statement.setString(1, org);
            try (var found = statement.executeQuery()) {
                found.next();
                return found.getInt(1);
            }
        }
    }

    private static Connection connect() throws SQLException {
        return TestPostgres.address().connect("isolation", Duration.ofSeconds(30));
    }
}
