package dev.weir.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.core.command.ClaimWork;
import dev.weir.core.command.StartRun;
import dev.weir.core.run.Organisation;
import dev.weir.core.state.RunState;
import dev.weir.core.state.UnitId;
import dev.weir.engine.EngineSettings;
import dev.weir.engine.Weir;
import dev.weir.engine.log.LogChunk;
import dev.weir.engine.records.PageRequest;
import dev.weir.engine.records.RunFilter;
import dev.weir.engine.request.StartOutcome;
import dev.weir.engine.request.StartRequest;
import dev.weir.postgres.sql.DatabaseAddress;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests the removal of history by age, with the store's clock moved ahead by days. */
@Timeout(180)
class OldHistoryTest {
    private static final Duration SOCKET_TIMEOUT = Duration.ofSeconds(60);
    private static final Duration AGE = Duration.ofDays(30);
    private static final String OWNER = "history_owner";
    private static final String TWO_STEPS = """
            workflow: two
            steps: [{id: a, uses: m}, {id: b, uses: m, needs: [a]}]
            """;

    /** More passes than any test here needs. */
    private static final int PASSES_MAX = 200;

    /** The address with an owner who is not a superuser, so that row-level security applies to housekeeping too. */
    private final DatabaseAddress address =
            new DatabaseAddress(TestPostgres.address().url().replaceFirst("/weir$", "/old_history"), OWNER, "secret");

    private PostgresDatabase postgres;
    private OrganisationHarness harness;
    private long ahead;

    @BeforeEach
    void open_a_database_of_its_own() throws Exception {
        TestPostgres.postgres();
        try (var connection = TestPostgres.address().connect("test", SOCKET_TIMEOUT)) {
            execute(connection, "drop database if exists old_history with (force)");
            execute(connection, """
                    do $$ begin
                        if not exists (select from pg_roles where rolname = 'history_owner') then
                            create role history_owner login createrole password 'secret';
                            grant weir_engine, weir_request, weir_starter to history_owner with admin option;
                        end if;
                    end $$""");
            execute(connection, "create database old_history owner history_owner");
        }
        postgres = PostgresDatabase.open(address, new Retention(AGE));
        postgres.organisations().createOrganisation("org");
        harness = new OrganisationHarness(postgres.journal(), "org", TWO_STEPS);
    }

    @AfterEach
    void close() {
        harness.close();
        postgres.close();
    }

    @Test
    void runs_that_ended_before_the_retention_period_are_removed_completely() throws Exception {
        run("old");
        moveAhead(Duration.ofDays(20));
        run("newer");
        assertThat(removeAll()).as("nothing is 30 days old").isZero();
        moveAhead(Duration.ofDays(20));
        removeAll();
        assertThat(postgres.records().findRun("org", "old")).isEmpty();
        assertThat(listed()).containsExactly("newer");
        assertThat(postgres.records().steps("org", "newer"))
                .extracting(step -> step.state().toString())
                .containsExactly("COMPLETED", "COMPLETED");
        assertThat(count("run_ids")).isEqualTo(1);
        assertThat(count("run_history")).isEqualTo(1);
        assertThat(count("step_history")).isEqualTo(1);
        moveAhead(Duration.ofDays(40));
        removeAll();
        for (String table : List.of("run_ids", "run_history", "step_history", "attempt_log", "claim_log")) {
            assertThat(count(table)).as(table).isZero();
        }
    }

    @Test
    void a_run_that_lives_keeps_all_that_is_older_and_can_be_completed() throws Exception {
        run("gone");
        harness.commit(StartRun.of("living", harness.plan, OrganisationHarness.json("{\"n\":1}")));
        var first = harness.claim(1).getFirst();
        postgres.records()
                .logs()
                .append("org", new LogChunk(first.claim().unit(), first.claim().fence(), 0, "said"));
        harness.commit(harness.completion(first, "7"));
        moveAhead(Duration.ofDays(90));
        removeAll();
        assertThat(listed()).containsExactly("living");
        assertThat(log("living")).isEqualTo("said");
        assertThat(removeAll()).as("a second time there is nothing to do").isZero();

        harness.memory = Organisation.restore(harness.ownership.load("org"), harness.now());
        var second = harness.claim(1).getFirst();
        assertThat(second.claim().unit()).isEqualTo(UnitId.of("living", "b"));
        harness.commit(harness.completion(second, "8"));
        assertThat(harness.memory.findEnded("living")).contains(RunState.COMPLETED);
        var found = postgres.records().findRun("org", "living").orElseThrow();
        assertThat(found.input()).isEqualTo(OrganisationHarness.json("{\"n\":1}"));
        assertThat(postgres.records()
                        .findStep("org", UnitId.of("living", "a"))
                        .orElseThrow()
                        .attempts())
                .isEqualTo(1);

        moveAhead(Duration.ofDays(29));
        removeAll();
        assertThat(log("living")).as("29 days after its end").isEqualTo("said");
        moveAhead(Duration.ofDays(9));
        removeAll();
        assertThat(listed()).isEmpty();
        assertThat(count("step_history")).isZero();
        assertThat(count("attempt_log")).isZero();
        assertThat(partitionsBeforeNow()).isZero();
    }

    @Test
    void an_id_starts_a_new_run_once_its_run_was_removed_also_for_memory_that_knew_it() throws Exception {
        long fence = run("again");
        harness.close();
        try (var weir = Weir.open(postgres.journal(), postgres.records(), new EngineSettings("test"))) {
            var start = StartRequest.of("again", "two", OrganisationHarness.json("{}"));
            moveAhead(Duration.ofDays(29));
            removeAll();
            assertThat(weir.start("org", start).get())
                    .as("29 days after its end")
                    .isEqualTo(new StartOutcome.Existing("again", RunState.COMPLETED));
            moveAhead(Duration.ofDays(11));
            removeAll();
            await().until(() -> weir.start("org", start).get() instanceof StartOutcome.Started);
            var request = new ClaimWork(
                    "q", "w", List.of(new ClaimWork.ServedModule("m")), 1, micros(Duration.ofSeconds(30)));
            var claim = weir.claim("org", request, Duration.ofSeconds(10))
                    .get()
                    .getFirst()
                    .claim();
            assertThat(claim.unit()).isEqualTo(UnitId.of("again", "a"));
            assertThat(claim.fence()).as("above those of the run before").isGreaterThan(fence);
            assertThat(listed()).containsExactly("again");
        }
    }

    @Test
    void rows_outside_of_the_weeks_go_too_and_those_of_runs_that_live_stay() throws Exception {
        run("gone");
        harness.commit(StartRun.of("living", harness.plan, OrganisationHarness.json("{}")));
        harness.commit(harness.completion(harness.claim(1).getFirst(), "7"));
        try (var connection = superuser()) {
            for (String table : List.of("run_history", "step_history", "claim_log", "attempt_log")) {
                String time = table.endsWith("history") ? "ended_at" : "at";
                execute(connection, "create temp table moved as select * from weir." + table);
                execute(connection, "delete from weir." + table);
                String identity = table.equals("claim_log") ? " overriding system value" : "";
                long age = micros(Duration.ofDays(70));
                execute(connection, "update moved set " + time + " = " + time + " - " + age);
                if (table.equals("run_history")) {
                    execute(connection, "update moved set accepted_at = accepted_at - " + age);
                }
                execute(connection, "insert into weir." + table + identity + " select * from moved");
                execute(connection, "drop table moved");
            }
            execute(connection, """
                    insert into weir.emitted_events (at, org, depth, run, step, root, event, data)
                    select (extract(epoch from now() - interval '70 days') * 1000000)::bigint, number, 1, run, 's', run, 'e', '{}'
                    from weir.organisations, unnest(array['gone', 'living']) as run""");
        }
        removeAll();
        assertThat(listed()).containsExactly("living");
        assertThat(count("run_history")).isZero();
        assertThat(count("step_history")).isEqualTo(1);
        assertThat(count("claim_log")).isZero();
        assertThat(text("select string_agg(run, ' ') from weir.emitted_events")).isEqualTo("living");
    }

    @Test
    void old_events_go_except_those_that_an_open_burst_or_a_run_needs() throws Exception {
        harness.commit(StartRun.of("living", harness.plan, OrganisationHarness.json("{}")));
        long old = now() - micros(Duration.ofDays(70));
        try (var connection = superuser()) {
            execute(connection, """
                    insert into weir.events (org, number, at, print, triggers, id, name, data)
                    select organisations.number, event, %d, 1, case when event <> 5 then 1 end, 'e' || event, 'e', '{}'
                    from weir.organisations, generate_series(1, 5) as event""".formatted(old));
            execute(connection, """
                    insert into weir.event_outcomes (org, event, workflow, "trigger", outcome, run, "window")
                    select number, event, 'w', 't', outcome, run, "window"
                    from weir.organisations, (values (1, 'filtered', null, null), (2, 'started', 'living', null),
                                                     (3, 'debounced', null, 1), (4, 'debounced', null, 2))
                                             as of (event, outcome, run, "window")""");
            execute(connection, """
                    insert into weir.debounce_windows (org, number, opened_at, due, last_event, events, workflow, "trigger", key,
                                                       closed_at, outcome)
                    select organisations.number, "window", %1$d, %1$d, "window" + 2, 1, 'w', 't', '',
                           case when "window" = 2 then %1$d end, case when "window" = 2 then 'failed' end
                    from weir.organisations, generate_series(1, 2) as "window\"""".formatted(old));
        }
        removeAll();
        assertThat(text("select string_agg(id, ' ' order by id) from weir.events"))
                .isEqualTo("e2 e3 e5");
        assertThat(text("select string_agg(event::text, ' ' order by event) from weir.event_outcomes"))
                .isEqualTo("2 3");
        assertThat(text("select string_agg(number::text, ' ' order by number) from weir.debounce_windows"))
                .isEqualTo("1");
    }

    @Test
    void a_week_that_somebody_reads_is_dropped_later_and_nobody_waits_for_long() throws Exception {
        run("old");
        moveAhead(Duration.ofDays(40));
        try (var reader = address.connect("reader", SOCKET_TIMEOUT)) {
            reader.setAutoCommit(false);
            execute(reader, "select count(*) from weir.run_history");
            assertThat(postgres.runHousekeepingAt(now())).isEqualTo(Housekeeping.RETRY_INTERVAL);
            assertThat(count("run_history")).isEqualTo(1);
            assertThat(postgres.records().findRun("org", "old"))
                    .as("its id is gone")
                    .isEmpty();
            run("beside");
            reader.rollback();
        }
        removeAll();
        assertThat(listed()).containsExactly("beside");
    }

    @Test
    void very_many_ids_go_in_parts() throws Exception {
        int many = OldHistory.ROWS_MAX * OldHistory.DELETES_MAX + 1;
        run("first");
        try (var connection = superuser()) {
            execute(connection, """
                    insert into weir.run_history
                    select (template).*
                    from (select jsonb_populate_record(runs, jsonb_build_object('number', 1000 + n, 'id', 'r' || n))
                                     as template
                          from weir.run_history runs, generate_series(1, %s) as n) as made""".formatted(many));
            execute(connection, """
                    insert into weir.run_ids (org, id, number, input)
                    select org, id, number, '{}' from weir.run_history where number > 1000""");
        }
        moveAhead(Duration.ofDays(40));
        assertThat(postgres.runHousekeepingAt(now())).isEqualTo(Housekeeping.BACKLOG_INTERVAL);
        assertThat(count("run_ids")).isEqualTo(2);
        assertThat(count("run_history"))
                .as("runs go after the last of their ids")
                .isEqualTo(many + 1);
        removeAll();
        assertThat(count("run_ids")).isZero();
        assertThat(count("run_history")).isZero();
    }

    @Test
    void without_an_age_nothing_goes() throws Exception {
        run("old");
        moveAhead(Duration.ofDays(4_000));
        assertThat(new Housekeeping(address, Retention.UNLIMITED).runAt(now())).isEqualTo(Housekeeping.INTERVAL);
        assertThat(listed()).containsExactly("old");
    }

    /** Starts a run of two steps and completes it. Returns the fence of its last claim. */
    private long run(String id) {
        harness.commit(StartRun.of(id, harness.plan, OrganisationHarness.json("{}")));
        harness.commit(harness.completion(harness.claim(1).getFirst(), "1"));
        var last = harness.claim(1).getFirst();
        harness.commit(harness.completion(last, "2"));
        return last.claim().fence();
    }

    private List<String> listed() {
        return postgres.records().runs("org", RunFilter.all(), new PageRequest("", 50)).entries().stream()
                .map(run -> run.run())
                .toList();
    }

    private String log(String run) {
        var said = postgres.records().logs().read("org", UnitId.of(run, "a"), null, "");
        return said.text();
    }

    /**
     * Moves the clock that the store reports to the engine, and lets housekeeping create the partitions of that time.
     */
    private void moveAhead(Duration by) throws Exception {
        ahead += micros(by);
        try (var connection = superuser()) {
            execute(connection, """
                    do $$ begin
                        execute regexp_replace(
                            pg_get_functiondef('weir.fence(int, bigint, bigint, bigint)'::regprocedure),
                            'at := .*?;', 'at := (extract(epoch from clock_timestamp()) * 1000000)::bigint + %s;');
                    end $$""".formatted(ahead));
        }
        new Housekeeping(address, Retention.UNLIMITED).runAt(now());
    }

    private long now() {
        return System.currentTimeMillis() * 1_000 + ahead;
    }

    /** Removes all history that is too old. Returns the number of passes. */
    private int removeAll() throws SQLException {
        for (int passes = 0; passes < PASSES_MAX; passes++) {
            Duration again = postgres.runHousekeepingAt(now());
            if (!again.equals(Housekeeping.BACKLOG_INTERVAL)) {
                assertThat(again).isEqualTo(Housekeeping.INTERVAL);
                return passes;
            }
        }
        throw new AssertionError("expected an end of removing, found none after " + PASSES_MAX + " passes");
    }

    private int partitionsBeforeNow() throws SQLException {
        return Integer.parseInt(text("select count(*)::text from weir.old_weeks(" + (now() - micros(AGE)) + ")"));
    }

    private long count(String table) throws SQLException {
        return Long.parseLong(text("select count(*)::text from weir." + table));
    }

    private static long micros(Duration duration) {
        return TimeUnit.MILLISECONDS.toMicros(duration.toMillis());
    }

    private Connection superuser() throws SQLException {
        return new DatabaseAddress(
                        address.url(),
                        TestPostgres.address().user(),
                        TestPostgres.address().password())
                .connect("test", SOCKET_TIMEOUT);
    }

    private String text(String query) throws SQLException {
        try (var connection = superuser();
                var statement = connection.createStatement();
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
