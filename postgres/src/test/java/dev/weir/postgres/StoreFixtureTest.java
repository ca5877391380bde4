package dev.weir.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.core.command.AmendInput;
import dev.weir.core.command.ApproveStep;
import dev.weir.core.command.Assignment;
import dev.weir.core.command.ClaimWork;
import dev.weir.core.command.Command;
import dev.weir.core.command.ProvideInput;
import dev.weir.core.command.ResumeKey;
import dev.weir.core.command.ResumeRun;
import dev.weir.core.command.SendSignal;
import dev.weir.core.command.UpdateStep;
import dev.weir.core.limit.LimitId;
import dev.weir.core.state.NoticeSettings;
import dev.weir.core.state.Rights;
import dev.weir.core.state.UnitId;
import dev.weir.core.state.Update;
import dev.weir.engine.EngineSettings;
import dev.weir.engine.Weir;
import dev.weir.engine.call.CallSettings;
import dev.weir.engine.organisations.Caller;
import dev.weir.engine.request.StartRequest;
import dev.weir.engine.secret.SecretSource;
import dev.weir.engine.shard.CounterName;
import dev.weir.postgres.sql.DatabaseAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that this Weir can go on with the store of every earlier schema version. A fixture {@code store-vN.sql} has the
 * rows of a store of version N in which every kind of row occurs. The test loads it under that version, migrates it,
 * and lets a real node finish all of its runs.
 *
 * <p>{@link #the_fixture_of_the_newest_version_is_written} wrote the fixtures: {@link FixtureScenario} fills a store
 * through a real node, and {@link StoreFixture} turns its rows into SQL. To write the fixture of a new schema version:
 *
 * <pre>mvn verify -pl postgres -am -Dtest=StoreFixtureTest -Dsurefire.failIfNoSpecifiedTests=false -Dweir.fixture=write</pre>
 *
 * <p>Every schema version of which stores exist needs a fixture, once: write it together with its migration, and add the version to the test.
 * Extend the scenario first if the migration brings a new kind of row. Never write the fixture of a released version
 * again: a later Weir writes other rows than those that exist at users.
 */
@Timeout(300)
class StoreFixtureTest {
    private static final List<String> MODULES =
            List.of("m", "done", "item", "flaky", "told", "rated", "narrow", "asks", "stops", "boom", "paged", "early");
    private static final Path RESOURCES = Path.of("src/test/resources/dev/weir/postgres");
    private static final Path MIGRATIONS = Path.of("src/main/resources/dev/weir/postgres/migrations");
    private static final String TOKEN = "fixture-token";
    private static final String SESSION = "fixture-session";
    private static final String LINK = "fixture-link";

    /** Versions of which no store exists: they came together with the next one, whose fixture covers them. */
    private static final Set<Integer> WITHOUT_STORES = Set.of(4, 5, 6);

    private int requests;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 8, 9, 10})
    void a_store_of_an_earlier_schema_version_is_migrated_and_its_runs_are_finished(int version) throws Exception {
        DatabaseAddress address = StoreFixture.load("fixture_v" + version, version);
        try (PostgresDatabase database = PostgresDatabase.open(address);
                Weir weir = Weir.open(database.journal(), database.records(), settings("later"))) {
            Set<String> before = new TreeSet<>(strings(address, "select organisation || ' ' || run_id from live_runs"));
            assertThat(before).hasSizeGreaterThan(30);
            if (version >= 2) {
                assertThat(strings(address, "select id from run_ids where started_by = 'this process'"))
                        .as("the actor moved from the rows of the run to its id")
                        .contains("first_version", "completed");
            }
            reportClaims(weir, address);
            awaitSweep(weir);
            var operators = new OperatorAssertions(address, database, weir);
            if (version >= 7) {
                operators.assertThatSettingsAreUsed();
            }
            act(weir);
            finish(weir, address);
            awaitSweep(weir);
            assertThatAllRunsHaveEnded(address, before, version);
            assertThatNothingElseIsLost(address, database, weir);
            if (version >= 3) {
                assertThatRunLimitsAndOperationsAreKept(address);
            }
            if (version >= 7) {
                operators.assertThatRowsAreKept();
            }
            if (version >= 8) {
                assertThat(database.sessions().find(SESSION))
                        .map(found -> found.caller().token())
                        .contains("fixture");
                assertThat(database.sessions().beginByLink(LINK)).isPresent();
            }
            if (version >= 10) {
                operators.assertThatNoticeThresholdsAreKept();
            }
        }
    }

    private static void assertThatRunLimitsAndOperationsAreKept(DatabaseAddress address) throws SQLException {
        assertThat(strings(address, """
                select concat_ws(' ', workflow, max_concurrent_runs, max_cascade_depth, version, reason)
                from live_run_limits
                where scope = 'workflow'
                """))
                .as("the temporary values have ended")
                .containsExactly("one 900 20 2 a backlog");
        assertThat(strings(address, "select id from bulk_operations where ended_at is not null and action = 'c'"))
                .containsExactly("operation");
    }

    /** Opens and closes notices early: at the first open dead letter, and a moment after a value has become low. */
    private static EngineSettings settings(String node) {
        var notices = new NoticeSettings(80, 70, 500_000, TimeUnit.HOURS.toMicros(1), 1);
        return new EngineSettings(node, SecretSource.none(), CallSettings.DEFAULT, notices);
    }

    @Test
    void every_schema_version_has_a_fixture() throws Exception {
        try (Stream<Path> migrations = Files.list(MIGRATIONS)) {
            for (Path migration : migrations.toList()) {
                String version = migration.getFileName().toString().replaceAll("^V(\\d+)__.*", "$1");
                if (!WITHOUT_STORES.contains(Integer.parseInt(version))) {
                    assertThat(RESOURCES.resolve(StoreFixture.name(Integer.parseInt(version))))
                            .exists();
                }
            }
        }
    }

    /** Reports the claims that workers held when the fixture was written, wherever they are stored. */
    private static void reportClaims(Weir weir, DatabaseAddress address) throws Exception {
        Map<String, List<CompletableFuture<UpdateStep.Answer>>> answers = new TreeMap<>();
        try (var connection = address.connect("test", Duration.ofSeconds(30));
                var statement = connection.createStatement();
                var claims = statement.executeQuery("""
                        select claims.organisation, claims.run_id, claims.step_id, coalesce(claims.item_index, -1) as item,
                               claims.fence, claims.stored_in
                        from live_claims claims
                             join live_steps steps on steps.organisation = claims.organisation
                                                  and steps.run_id = claims.run_id and steps.step_id = claims.step_id
                                                  and steps.item_index is not distinct from claims.item_index
                        where steps.state = 'running' and claims.worker = 'worker-1'
                        """)) {
            while (claims.next()) {
                var unit = new UnitId(claims.getString("run_id"), claims.getString("step_id"), claims.getInt("item"));
                var done = new UpdateStep(
                        unit, claims.getLong("fence"), new Update.Completed(OrganisationHarness.json("{}")));
                answers.computeIfAbsent(claims.getString("stored_in"), ignored -> new ArrayList<>())
                        .add(weir.send(claims.getString("organisation"), done));
            }
        }
        assertThat(answers).containsOnlyKeys("page", "row", "run");
        for (List<CompletableFuture<UpdateStep.Answer>> each : answers.values()) {
            for (CompletableFuture<UpdateStep.Answer> answer : each) {
                assertThat(get(answer)).isEqualTo(UpdateStep.Answer.APPLIED);
            }
        }
    }

    /** Gives the runs what they wait for from people. */
    private static void act(Weir weir) throws Exception {
        for (Command<?> command : List.of(
                new ResumeKey(new LimitId.Key("closed")),
                new ResumeKey(new LimitId.Key("remote")),
                new SendSignal("signals", "signal-2", "go", OrganisationHarness.json("{}")),
                new ApproveStep("gated", "a", "ann", null),
                new AmendInput("incomplete", OrganisationHarness.json("{\"address\":\"here\"}")),
                new ProvideInput(UnitId.of("asks", "a"), OrganisationHarness.json("\"this one\"")),
                new ResumeRun("stops"),
                new ResumeRun("paused"))) {
            get(weir.send(FixtureScenario.NORTH, command));
        }
    }

    /** Completes all work until no run is left. */
    private void finish(Weir weir, DatabaseAddress address) throws Exception {
        while (!strings(address, "select run_id from live_runs union all select id::text from inbox")
                .isEmpty()) {
            for (String org : List.of(FixtureScenario.NORTH, FixtureScenario.SOUTH)) {
                requests++;
                var serves = MODULES.stream().map(ClaimWork.ServedModule::new).toList();
                var work = new ClaimWork("finish-" + requests, "worker-2", serves, 50, ClaimWork.LEASE_MAX);
                for (Assignment given : get(weir.claim(org, work, Duration.ofMillis(500)))) {
                    var done = new Update.Completed(OrganisationHarness.json("{}"));
                    get(weir.send(
                            org,
                            new UpdateStep(given.claim().unit(), given.claim().fence(), done)));
                }
            }
        }
    }

    private static void assertThatAllRunsHaveEnded(DatabaseAddress address, Set<String> before, int version)
            throws SQLException {
        List<String> ended =
                new ArrayList<>(List.of("failed failed", "cancelled cancelled", "undo failed", "cancelling cancelled"));
        if (version >= 7) {
            ended.addAll(List.of("dead failed", "discarded failed", "redriven failed"));
        }
        assertThat(strings(address, "select run_id || ' ' || state from history_runs where state <> 'completed'"))
                .containsExactlyInAnyOrderElementsOf(ended);
        assertThat(strings(address, "select organisation || ' ' || run_id from history_runs where state = 'completed'"))
                .containsAll(before.stream()
                        .filter(run -> !Set.of("north undo", "north cancelling").contains(run))
                        .toList())
                .contains("north completed", "north inbox");
        assertThat(strings(address, "select run_id from history_runs where parent_run_id = 'parent'"))
                .hasSize(1);
        assertThat(strings(address, "select id from run_ids except select run_id from history_runs"))
                .isEmpty();
        for (String view : List.of("live_runs", "live_steps", "live_claims", "claims", "claim_pages", "steps")) {
            assertThat(strings(address, "select 'a row' from " + view)).as(view).isEmpty();
        }
    }

    private static void assertThatNothingElseIsLost(DatabaseAddress address, PostgresDatabase database, Weir weir)
            throws SQLException {
        assertThat(database.organisations().findByToken(TOKEN))
                .as("a token of the first version may do everything")
                .contains(new Caller(FixtureScenario.NORTH, "fixture", Rights.ALL));
        assertThat(strings(address, "select subject from dead_letters where kind = 's' order by number"))
                .containsExactly("refused", "refused_later");
        assertThat(
                        strings(
                                address,
                                "select event from emitted_events union all select name from events where emitted_run = 'emits'"))
                .containsExactly("told");
        assertThat(strings(address, "select \"limit\" from pins")).containsExactly("key:narrow");
        assertThat(weir.records()
                        .logs()
                        .read(FixtureScenario.NORTH, UnitId.of("early", "a"), null, "")
                        .toString())
                .contains("half done");
        assertThat(strings(address, "select max(version)::text from workflows where name = 'one'"))
                .containsExactly("2");
        for (CounterName none : List.of(
                CounterName.DIFFERENCES,
                CounterName.USAGE_CORRECTIONS,
                CounterName.COMMANDS_FAILED,
                CounterName.REFUSED,
                CounterName.QUARANTINES)) {
            assertThat(weir.counters().of(none)).as(weir.counters().toString()).isZero();
        }
    }

    /** Waits for a comparison of memory and rows that began after now. */
    private static void awaitSweep(Weir weir) {
        long sweeps = weir.counters().of(CounterName.SWEEPS);
        await().atMost(Duration.ofSeconds(60)).until(() -> weir.counters().of(CounterName.SWEEPS) >= sweeps + 4);
    }

    @Test
    @EnabledIfSystemProperty(named = "weir.fixture", matches = "write")
    void the_fixture_of_the_newest_version_is_written() throws Exception {
        DatabaseAddress address = TestPostgres.createDatabase("fixture_writer");
        try (PostgresDatabase database = PostgresDatabase.open(address)) {
            database.organisations().createOrganisation(FixtureScenario.NORTH);
            database.organisations().createOrganisation(FixtureScenario.SOUTH);
            execute(
                    address,
                    "insert into api_tokens (org, hash, name, role, scopes, administrator, created_by, request_id)"
                            + " select number, sha256('" + TOKEN
                            + "'), 'fixture', 'admin', '', true, 'weir', '' from organisations where name = 'north'");
            addSignIn(address, "console_sessions", SESSION);
            addSignIn(address, "sign_in_links", LINK);
            database.organisations().createToken(FixtureScenario.SOUTH, "old");
            execute(address, "update api_tokens set revoked_at = now() where name = 'old'");
            try (Weir weir = Weir.open(database.journal(), database.records(), settings("writer"))) {
                leaveStart(address, "refused", "unknown");
                await().atMost(Duration.ofSeconds(30))
                        .until(() -> !strings(address, "select subject from dead_letters where kind = 's'")
                                .isEmpty());
                new FixtureScenario(weir, database).fill();
            }
        }
        leaveStart(address, "inbox", "one");
        leaveStart(address, "refused_later", "unknown");
        String version = strings(address, "select max(version::int)::text from flyway_schema_history")
                .getFirst();
        Files.writeString(RESOURCES.resolve(StoreFixture.name(Integer.parseInt(version))), StoreFixture.text(address));
    }

    /** Adds a session, or a link to begin one, that does not expire, however old the fixture is. */
    private static void addSignIn(DatabaseAddress address, String table, String secret) throws SQLException {
        execute(
                address,
                "insert into " + table + " (created_at, expires_at, org, hash, token) select 1, 9000000000000000,"
                        + " number, sha256('" + secret + "'), sha256('" + TOKEN
                        + "') from organisations where name = 'north'");
    }

    private static void leaveStart(DatabaseAddress address, String run, String workflow) throws SQLException {
        try (var program = address.connect("program", Duration.ofSeconds(10))) {
            Inbox.startIn(
                    program, FixtureScenario.NORTH, StartRequest.of(run, workflow, OrganisationHarness.json("{}")));
        }
    }

    private static void execute(DatabaseAddress address, String sql) throws SQLException {
        try (var connection = address.connect("test", Duration.ofSeconds(30));
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    static List<String> strings(DatabaseAddress address, String query) throws SQLException {
        List<String> found = new ArrayList<>();
        try (var connection = address.connect("test", Duration.ofSeconds(30));
                var statement = connection.createStatement();
                var rows = statement.executeQuery(query)) {
            while (rows.next()) {
                found.add(rows.getString(1));
            }
        }
        return found;
    }

    private static <T> T get(CompletableFuture<T> answer) throws Exception {
        return answer.get(60, TimeUnit.SECONDS);
    }
}
