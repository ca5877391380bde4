package dev.weir.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.core.command.StartRun;
import dev.weir.core.limit.Moment;
import dev.weir.postgres.sql.DatabaseAddress;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests housekeeping while another session reads the history in one long transaction, as a dump does. */
@Timeout(120)
class HousekeepingTest {
    private static final List<String> TABLES = List.of("run_history", "step_history", "claim_log", "attempt_log");
    private static final Duration SOCKET_TIMEOUT = Duration.ofSeconds(60);

    /**
     * The time limit of a pass: long for work that does not wait, and short for work that would wait for the reader.
     */
    private static final int PASS_TIMEOUT_SECONDS = 20;

    private final DatabaseAddress address = new DatabaseAddress(
            TestPostgres.address().url().replaceFirst("/weir$", "/housekeeping"),
            TestPostgres.address().user(),
            TestPostgres.address().password());
    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    private PostgresDatabase postgres;
    private Connection reader;
    private int organisations;

    @BeforeEach
    void open_a_database_of_its_own_with_the_partitions_of_this_week_only() throws Exception {
        TestPostgres.postgres();
        try (var connection = TestPostgres.address().connect("test", SOCKET_TIMEOUT)) {
            execute(connection, "drop database if exists housekeeping with (force)");
            execute(connection, "create database housekeeping");
        }
        postgres = PostgresDatabase.open(address);
        try (var connection = address.connect("test", SOCKET_TIMEOUT)) {
            assertThat(partitions(connection)).hasSize(TABLES.size() * Housekeeping.PARTITION_WEEKS);
            for (String table : TABLES) {
                for (String later : partitions(connection).stream()
                        .filter(name -> name.startsWith(table))
                        .sorted()
                        .skip(1)
                        .toList()) {
                    execute(connection, "drop table weir." + later);
                }
            }
        }
        reader = address.connect("reader", SOCKET_TIMEOUT);
        reader.setAutoCommit(false);
        for (String table : TABLES) {
            execute(reader, "select count(*) from weir." + table);
        }
    }

    @AfterEach
    void close() throws Exception {
        reader.close();
        executor.close();
        postgres.close();
    }

    @Test
    void housekeeping_does_not_wait_for_a_reader_and_creates_the_partitions_afterwards() throws Exception {
        var housekeeping = runHousekeeping();
        finishRun(newHarness());
        assertThat(housekeeping.get(PASS_TIMEOUT_SECONDS, TimeUnit.SECONDS)).isEqualTo(Housekeeping.RETRY_INTERVAL);
        try (var connection = address.connect("test", SOCKET_TIMEOUT)) {
            assertThat(partitions(connection)).hasSize(TABLES.size());
            reader.rollback();
            assertThat(runHousekeeping().get(PASS_TIMEOUT_SECONDS, TimeUnit.SECONDS))
                    .isEqualTo(Housekeeping.INTERVAL);
            assertThat(partitions(connection)).hasSize(TABLES.size() * Housekeeping.PARTITION_WEEKS);
            assertThat(value(connection, """
                    select count(*)::text from pg_class
                    where relkind = 'r' and relispartition and relnamespace = 'weir'::regnamespace
                      and not (relrowsecurity and relforcerowsecurity)""")).isEqualTo("0");
        }
        finishRun(newHarness());
    }

    @Test
    void a_node_starts_while_the_reader_goes_on() throws Exception {
        var opening = executor.submit(() -> PostgresDatabase.open(address));
        opening.get(PASS_TIMEOUT_SECONDS, TimeUnit.SECONDS).close();
    }

    @Test
    void writing_goes_on_even_while_a_partition_waits_for_the_reader() throws Exception {
        var harness = newHarness();
        try (var connection = address.connect("waits for ever", SOCKET_TIMEOUT)) {
            var waiting = executor.submit(() -> {
                execute(
                        connection,
                        "select weir.make_partition(parent, starts_at) from weir.missing_partitions("
                                + "(extract(epoch from now()) * 1000000)::bigint, 2)");
                return true;
            });
            try (var watching = address.connect("watching", SOCKET_TIMEOUT)) {
                await().until(() -> value(watching, """
                        select count(*)::text from pg_stat_activity
                        where application_name = 'waits for ever' and wait_event_type = 'Lock'""").equals("1"));
            }
            finishRun(harness);
            assertThat(waiting.isDone()).isFalse();
            reader.rollback();
            waiting.get(PASS_TIMEOUT_SECONDS, TimeUnit.SECONDS);
        }
    }

    @Test
    void a_week_that_has_rows_in_the_default_partition_stays_there() throws Exception {
        reader.rollback();
        try (var connection = address.connect("test", SOCKET_TIMEOUT)) {
            execute(connection, """
                    insert into weir.claim_log (at, org, events)
                    select (extract(epoch from now() + interval '7 days') * 1000000)::bigint, 1, '[]'""");
            assertThat(runHousekeeping().get(PASS_TIMEOUT_SECONDS, TimeUnit.SECONDS))
                    .isEqualTo(Housekeeping.INTERVAL);
            assertThat(partitions(connection)).hasSize(TABLES.size() * Housekeeping.PARTITION_WEEKS - 1);
        }
    }

    @Test
    void pins_pauses_and_holds_go_when_their_time_is_long_over() throws Exception {
        reader.rollback();
        try (var connection = address.connect("test", SOCKET_TIMEOUT)) {
            for (String table : List.of("pins", "pauses", "retry_after_holds")) {
                boolean pins = table.equals("pins");
                execute(
                        connection,
                        "insert into weir." + table + " (org, \"limit\"" + (pins ? ", pin" : "") + """
                        , until) select 1, 'key:' || age,"""
                                + (pins ? " '{}'," : "") + """
                        (extract(epoch from now() - age) * 1000000)::bigint
                        from unnest(array['-1 hour', '1 hour', '2 days']::interval[]) as age""");
                execute(
                        connection,
                        "insert into weir." + table + " (org, \"limit\"" + (pins ? ", pin" : "")
                                + ", until) values (1, 'key:ever'" + (pins ? ", '{}'" : "") + ", " + Moment.NEVER
                                + ")");
            }
            assertThat(runHousekeeping().get(PASS_TIMEOUT_SECONDS, TimeUnit.SECONDS))
                    .isEqualTo(Housekeeping.INTERVAL);
            for (String table : List.of("pins", "pauses", "retry_after_holds")) {
                assertThat(value(connection, "select string_agg(\"limit\", ' ' order by until) from weir." + table))
                        .as(table)
                        .isEqualTo("key:01:00:00 key:-01:00:00 key:ever");
            }
        }
    }

    private Future<Duration> runHousekeeping() {
        return executor.submit(postgres::runHousekeeping);
    }

    private OrganisationHarness newHarness() {
        organisations++;
        postgres.organisations().createOrganisation("org-" + organisations);
        return new OrganisationHarness(postgres.journal(), "org-" + organisations);
    }

    /** Starts a run, claims its step and completes both, which creates rows in every history table. */
    private void finishRun(OrganisationHarness harness) throws Exception {
        executor.submit(() -> {
                    harness.commit(StartRun.of("r", harness.plan, OrganisationHarness.json("{}")));
                    harness.commit(harness.completion(harness.claim(1).getFirst(), "1"));
                    harness.close();
                })
                .get(PASS_TIMEOUT_SECONDS, TimeUnit.SECONDS);
    }

    private static List<String> partitions(Connection connection) throws SQLException {
        List<String> names = new ArrayList<>();
        try (var statement = connection.createStatement();
                var found = statement.executeQuery("""
                        select relname from pg_class
                        where relkind = 'r' and relispartition and relnamespace = 'weir'::regnamespace
                          and relname !~ '_default$' order by 1""")) {
            while (found.next()) {
                names.add(found.getString(1));
            }
        }
        return names;
    }

    private static String value(Connection connection, String query) throws SQLException {
        try (var statement = connection.createStatement();
                var found = statement.executeQuery(query)) {
            found.next();
            return found.getString(1);
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
