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
    private static final Duration ANSWER_MAX = Duration.ofSeconds(60);

    /**
     * The time limit of a pass: long for work that does not wait, and short for work that would wait for the reader.
     */
    private static final int SOON_SECONDS = 20;

    private final DatabaseAddress access = new DatabaseAddress(
            Server.access().url().replaceFirst("/weir$", "/housekeeping"),
            Server.access().user(),
            Server.access().password());
    private final ExecutorService beside = Executors.newVirtualThreadPerTaskExecutor();
    private PostgresDatabase postgres;
    private Connection reader;
    private int made;

    @BeforeEach
    void open_a_database_of_its_own_with_the_partitions_of_this_week_only() throws Exception {
        Server.postgres();
        try (var connection = Server.access().connect("test", ANSWER_MAX)) {
            execute(connection, "drop database if exists housekeeping with (force)");
            execute(connection, "create database housekeeping");
        }
        postgres = PostgresDatabase.open(access);
        try (var connection = access.connect("test", ANSWER_MAX)) {
            assertThat(partitions(connection)).hasSize(TABLES.size() * Housekeeping.WEEKS);
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
        reader = access.connect("reader", ANSWER_MAX);
        reader.setAutoCommit(false);
        for (String table : TABLES) {
            execute(reader, "select count(*) from weir." + table);
        }
    }

    @AfterEach
    void close() throws Exception {
        reader.close();
        beside.close();
        postgres.close();
    }

    @Test
    void it_waits_for_nobody_and_makes_the_partitions_when_the_reader_has_ended() throws Exception {
        var keeping = keepHouse();
        finishARunIn(world());
        assertThat(keeping.get(SOON_SECONDS, TimeUnit.SECONDS)).isEqualTo(Housekeeping.AGAIN);
        try (var connection = access.connect("test", ANSWER_MAX)) {
            assertThat(partitions(connection)).hasSize(TABLES.size());
            reader.rollback();
            assertThat(keepHouse().get(SOON_SECONDS, TimeUnit.SECONDS)).isEqualTo(Housekeeping.EVERY);
            assertThat(partitions(connection)).hasSize(TABLES.size() * Housekeeping.WEEKS);
            assertThat(value(connection, """
                    select count(*)::text from pg_class
                    where relkind = 'r' and relispartition and relnamespace = 'weir'::regnamespace
                      and not (relrowsecurity and relforcerowsecurity)""")).isEqualTo("0");
        }
        finishARunIn(world());
    }

    @Test
    void a_node_starts_while_the_reader_goes_on() throws Exception {
        var opening = beside.submit(() -> PostgresDatabase.open(access));
        opening.get(SOON_SECONDS, TimeUnit.SECONDS).close();
    }

    @Test
    void writing_goes_on_even_while_a_partition_waits_for_the_reader() throws Exception {
        var world = world();
        try (var connection = access.connect("waits for ever", ANSWER_MAX)) {
            var waiting = beside.submit(() -> {
                execute(
                        connection,
                        "select weir.make_partition(parent, starts_at) from weir.missing_partitions("
                                + "(extract(epoch from now()) * 1000000)::bigint, 2)");
                return true;
            });
            try (var watching = access.connect("watching", ANSWER_MAX)) {
                await().until(() -> value(watching, """
                        select count(*)::text from pg_stat_activity
                        where application_name = 'waits for ever' and wait_event_type = 'Lock'""").equals("1"));
            }
            finishARunIn(world);
            assertThat(waiting.isDone()).isFalse();
            reader.rollback();
            waiting.get(SOON_SECONDS, TimeUnit.SECONDS);
        }
    }

    @Test
    void a_week_that_has_rows_in_the_default_partition_stays_there() throws Exception {
        reader.rollback();
        try (var connection = access.connect("test", ANSWER_MAX)) {
            execute(connection, """
                    insert into weir.claim_log (at, org, events)
                    select (extract(epoch from now() + interval '7 days') * 1000000)::bigint, 1, '[]'""");
            assertThat(keepHouse().get(SOON_SECONDS, TimeUnit.SECONDS)).isEqualTo(Housekeeping.EVERY);
            assertThat(partitions(connection)).hasSize(TABLES.size() * Housekeeping.WEEKS - 1);
        }
    }

    @Test
    void pins_pauses_and_holds_go_when_their_time_is_long_over() throws Exception {
        reader.rollback();
        try (var connection = access.connect("test", ANSWER_MAX)) {
            for (String table : List.of("pins", "pauses", "holds")) {
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
            assertThat(keepHouse().get(SOON_SECONDS, TimeUnit.SECONDS)).isEqualTo(Housekeeping.EVERY);
            for (String table : List.of("pins", "pauses", "holds")) {
                assertThat(value(connection, "select string_agg(\"limit\", ' ' order by until) from weir." + table))
                        .as(table)
                        .isEqualTo("key:01:00:00 key:-01:00:00 key:ever");
            }
        }
    }

    private Future<Duration> keepHouse() {
        return beside.submit(postgres::keepHouse);
    }

    private Worlds world() {
        made++;
        postgres.tenants().createOrganisation("org-" + made);
        return new Worlds(postgres.journal(), "org-" + made);
    }

    /** Starts a run, claims its step and completes both, which creates rows in every history table. */
    private void finishARunIn(Worlds world) throws Exception {
        beside.submit(() -> {
                    world.commit(StartRun.of("r", world.plan, Worlds.json("{}")));
                    world.commit(world.completed(world.claim(1).getFirst(), "1"));
                    world.close();
                })
                .get(SOON_SECONDS, TimeUnit.SECONDS);
    }

    private static List<String> partitions(Connection connection) throws SQLException {
        List<String> names = new ArrayList<>();
        try (var statement = connection.createStatement();
                var found = statement.executeQuery("""
                        select relname from pg_class
                        where relkind = 'r' and relispartition and relnamespace = 'weir'::regnamespace
                          and relname !~ '_rest$' order by 1""")) {
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
