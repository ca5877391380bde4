package dev.weir.cli.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.postgres.embedded.EmbeddedPostgres;
import dev.weir.postgres.embedded.EmbeddedSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * Tests what an organisation is promised, over HTTP, with an organisation for each test. All of them are in the middle
 * of something when the node is killed, and the tests continue on the next node.
 */
@SuppressWarnings("NullAway.Init") // set before the first test
class TenantsEndToEndTest {
    private static final String COUNTERS = "select concurrent_runs || ' ' || held || ' ' || started || ' ' || deferred"
            + " from weir.execution_rate_counters";

    private static EmbeddedPostgres postgres;
    private static Connection database;
    private static NodeDriver driver;
    private static Tenants tenants;
    private static List<String> heldUntil;

    @BeforeAll
    static void begin() throws Exception {
        var parent =
                Path.of("target", "tenants-" + ProcessHandle.current().pid()).toAbsolutePath();
        Files.createDirectories(parent);
        // PostgreSQL may run under another account, which must be able to traverse the folder.
        Files.setPosixFilePermissions(parent, PosixFilePermissions.fromString("rwxr-xr-x"));
        postgres = EmbeddedPostgres.open(parent.resolve("postgres"), EmbeddedSettings.DEFAULT);
        database = postgres.dataSource().getConnection();
        String url = postgres.jdbcUrl() + "?user=" + postgres.user() + "&password=" + postgres.password();
        driver = new NodeDriver("tenants", List.of("--database", url));
        tenants = new Tenants(new TestOrganisation("default", driver.node.launch.url(), driver.node.token()));
        tenants.fill();
        heldUntil = heldUntil();
        driver.node.restart();
    }

    @AfterAll
    static void end() throws Exception {
        driver.close();
        database.close();
        postgres.close();
    }

    private static List<String> query(Connection connection, String sql) throws SQLException {
        List<String> rows = new ArrayList<>();
        try (var statement = connection.createStatement();
                var found = statement.executeQuery(sql)) {
            while (found.next()) {
                rows.add(found.getString(1));
            }
        }
        return rows;
    }

    private static List<String> heldUntil() throws SQLException {
        return query(
                database,
                "select run_id || ' ' || rate_limit_hold_until from weir.live_runs where organisation = 'deferred'"
                        + " and rate_limit_hold_until - accepted_at between interval '1 second' and interval '3 seconds'"
                        + " order by run_id");
    }

    @Test
    @Tag("R4.1")
    void limits_of_the_organisation_the_workflow_and_the_run_key_all_apply() throws Exception {
        assertThat(tenants.limited.states("a1", "a2", "b1", "c1", "p1", "p2"))
                .containsExactly("running", "queued", "running", "queued", "running", "queued");
        tenants.limited.post("/v1/runs/p1/cancel", "{}");
        driver.await(
                "the organisation has a place",
                () -> tenants.limited.state("p2").equals("running"));
        assertThat(tenants.limited.states("a2", "c1"))
                .as("run key and workflow are full")
                .containsExactly("queued", "queued");
        tenants.limited.post("/v1/runs/b1/cancel", "{}");
        driver.await(
                "its workflow has a place", () -> tenants.limited.state("c1").equals("running"));
        assertThat(tenants.limited.state("a2")).as("its run key is full").isEqualTo("queued");
        tenants.limited.post("/v1/runs/a1/cancel", "{}");
        driver.await("all three have a place", () -> tenants.limited.state("a2").equals("running"));
    }

    @Test
    @Tag("R4.2")
    @Tag("R4.10")
    void an_evaluation_answers_as_a_start_does_and_starts_that_race_never_exceed_the_limit() throws Exception {
        String question = "{'workflow_definition_id': 'one', 'organization_id': 'evaluated', 'parent': 'r1'}";
        assertThat(tenants.evaluated
                        .post("/v1/org/evaluate", question)
                        .get("allowed")
                        .booleanValue())
                .isTrue();
        var hasEnded = new AtomicBoolean();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var counters = threads.submit(() -> readUntil(hasEnded));
            var starts = IntStream.range(0, 30)
                    .mapToObj(i -> threads.submit(() -> {
                        tenants.evaluated.start("one", "race-" + i);
                        return tenants.evaluated.usage("concurrent_runs");
                    }))
                    .toList();
            try {
                for (var start : starts) {
                    assertThat(start.get()).containsExactly(2L);
                }
            } finally {
                hasEnded.set(true);
            }
            assertThat(counters.get())
                    .as("no run ends here, so at each commit the totals are equal to the rows")
                    .allMatch(counts -> counts.matches("1 1 0 0|2 2 ([0-9]+) \\1"));
        }
        JsonNode answer = tenants.evaluated.post("/v1/org/evaluate", question);
        assertThat(answer.get("allowed").booleanValue()).isFalse();
        assertThat(answer.get("defer_seconds").doubleValue()).isBetween(1.0, 2.0);
        assertThat(answer.get("reason").stringValue())
                .isEqualTo("the limit on runs of the organisation is full (2 of 2)");
        assertThat(tenants.evaluated.count("one", "running")).isEqualTo(2);
        assertThat(tenants.evaluated.usage("started", "deferred")).containsExactly(2L, 29L);
    }

    /** Reads the counters until the starts have ended: running, started, held and deferred runs. */
    private static List<String> readUntil(AtomicBoolean hasEnded) throws SQLException {
        List<String> read = new ArrayList<>();
        do {
            read.addAll(query(
                    database,
                    "select concurrent_runs || ' ' || started || ' ' || held || ' ' || deferred"
                            + " from weir.execution_rate_counters where organisation = 'evaluated'"));
        } while (!hasEnded.get());
        return read;
    }

    @Test
    @Tag("R4.3")
    void a_held_run_keeps_its_stored_time_its_place_in_the_queue_and_its_attempts() throws Exception {
        assertThat(heldUntil).hasSize(3).isEqualTo(heldUntil());
        JsonNode held = tenants.deferred.get("/v1/runs/r2");
        assertThat(Instant.parse(held.get("rate_limit_hold_until").stringValue()))
                .isAfter(Instant.parse(held.get("accepted_at").stringValue()));
        assertThat(held.at("/why/0/limit/kind").stringValue()).isEqualTo("org_runs");
        assertThat(held.at("/steps/0/attempts").intValue()).isZero();
        assertThat(tenants.deferred.usage("concurrent_runs", "held")).containsExactly(1L, 3L);
        for (String run : List.of("r1", "r2", "r3", "r4")) {
            JsonNode claim = tenants.deferred.claim(9, "one").getFirst();
            assertThat(claim.get("run").stringValue()).isEqualTo(run);
            assertThat(claim.get("attempt").intValue()).isEqualTo(1);
            tenants.deferred.report(claim, "completed");
        }
        assertThat(heldUntil()).isEmpty();
    }

    @Test
    @Tag("R4.4")
    void a_run_counts_once_at_its_start_and_is_released_once_however_it_ends() throws Exception {
        String[] fields = {"concurrent_runs", "started", "deferred"};
        assertThat(tenants.counted.usage(fields)).containsExactly(4L, 4L, 2L);
        tenants.counted.report(tenants.claims.get(0), "completed");
        tenants.counted.report(tenants.claims.get(1), "failed");
        driver.await("two more", () -> tenants.counted.usage("started").equals(List.of(6L)));
        tenants.counted.post("/v1/runs/r3/cancel", "{'policy': 'cancel_running'}");
        tenants.counted.report(tenants.claims.get(2), "completed");
        tenants.counted.report(tenants.claims.get(3), "no_op");
        tenants.counted.post("/v1/runs/r5/cancel", "{}");
        tenants.counted.post("/v1/runs/r5/cancel", "{}");
        tenants.counted.post("/v1/runs/r6/cancel", "{}");
        assertThat(tenants.counted.usage(fields)).containsExactly(0L, 6L, 2L);
    }

    @Test
    @Tag("R4.6")
    void a_chain_of_events_that_is_too_long_ends_in_a_dead_letter_that_shows_all_of_it() throws Exception {
        tenants.cascading.report(tenants.cascade, "completed");
        tenants.cascading.report(tenants.cascading.claim(1, "echo").getFirst(), "completed");
        driver.await(
                "the dead letter",
                () -> !tenants.cascading
                        .get("/v1/dead-letters")
                        .get("dead_letters")
                        .isEmpty());
        JsonNode letter = tenants.cascading.get("/v1/dead-letters").at("/dead_letters/0");
        assertThat(letter.get("reason").stringValue()).isEqualTo("cascade_detected");
        assertThat(TestOrganisation.texts(letter.get("chain"), "type"))
                .containsExactly("event", "run", "event", "run", "event");
        assertThat(tenants.cascading.count("echo", "completed")).isEqualTo(2);
        assertThat(tenants.cascading.usage("cascade_detected", "deferred", "started"))
                .containsExactly(1L, 0L, 2L);
    }

    @Test
    @Tag("R4.7")
    void a_limit_warns_once_at_80_percent_and_once_when_it_is_full() throws Exception {
        List<String> once = List.of("org_runs critical", "org_runs warning");
        assertThat(tenants.notices()).containsExactlyElementsOf(once);
        tenants.noticed.post("/v1/runs/r1/cancel", "{}");
        tenants.noticed.start("one", "again");
        assertThat(tenants.noticed.state("again")).isEqualTo("running");
        assertThat(tenants.notices()).containsExactlyElementsOf(once);
        tenants.noticed.limit("/v1/org", "{'max_concurrent_runs': 100}");
        Tenants.startAll(tenants.noticed, 18);
        assertThat(tenants.notices()).as("the limit of the workflow").contains("workflow_runs:one warning");
    }

    @Test
    @Tag("R4.8")
    void a_change_of_limits_is_audited_and_nobody_rewrites_the_trail_unnoticed() throws Exception {
        JsonNode entry = tenants.audited.get("/v1/audit?target=organisation").at("/entries/0");
        assertThat(entry.get("actor").stringValue()).isEqualTo("first");
        assertThat(entry.get("reason").stringValue()).isEqualTo("a larger one");
        assertThat(entry.at("/before/max_concurrent_runs").intValue()).isEqualTo(2);
        assertThat(entry.at("/after/max_concurrent_runs").intValue()).isEqualTo(3);
        assertThat(entry.at("/after/runs_per_minute").intValue()).isEqualTo(60);
        assertThat(tenants.audited.get("/v1/audit/verify").get("intact").booleanValue())
                .isTrue();
        try (var tamper = database.createStatement()) {
            assertThat(tamper.executeUpdate("update weir.audit_entries set actor = 'nobody' where number = "
                            + entry.get("number") + " and org = (select number from weir.organisations"
                            + " where name = 'audited')"))
                    .isEqualTo(1);
        }
        assertThat(tenants.audited.get("/v1/audit/verify").get("intact").booleanValue())
                .isFalse();
    }

    @Test
    @Tag("R4.9")
    void nobody_sees_another_organisation_and_only_some_may_change_limits() throws Exception {
        for (String path : List.of(
                "/v1/runs/r2",
                "/v1/runs/r2/why",
                "/v1/runs/r2/steps/a/why",
                "/v1/workflows/one",
                "/v1/workflows/one/limits",
                "/v1/events/e1",
                "/v1/dead-letters/1",
                "/v1/organisations/deferred")) {
            assertThat(tenants.isolated.send("GET", path, null).status())
                    .as(path)
                    .isIn(403, 404);
        }
        assertThat(tenants.isolated
                        .send("POST", "/v1/org/evaluate", "{'workflow': 'x', 'organization_id': 'deferred'}")
                        .body()
                        .get("detail")
                        .stringValue())
                .isEqualTo("organisation not found: deferred");
        assertThat(tenants.isolated.get("/v1/runs").get("runs").size()).isZero();
        assertThat(tenants.isolated.get("/v1/notices").get("notices").size()).isZero();
        assertThat(tenants.isolated.usage("started", "deferred", "held")).containsOnly(0L);
        String change = "{'max_concurrent_runs': 7}";
        for (String role : List.of("viewer", "starter", "worker", "operator")) {
            assertThat(tenants.isolated
                            .as(role, "")
                            .send("PATCH", "/v1/org/limits", change)
                            .status())
                    .as(role)
                    .isEqualTo(403);
        }
        var manager = tenants.isolated.as("viewer", "'rate_limits.manage'");
        assertThat(manager.limit("/v1/org", change)
                        .at("/max_concurrent_runs/effective")
                        .intValue())
                .isEqualTo(7);
        assertThat(tenants.deferred.get("/v1/org/limits").get("version").intValue())
                .isEqualTo(1);
    }

    @Test
    @Tag("R4.10")
    void the_view_shows_what_the_snapshot_shows_after_every_change() throws Exception {
        try (Connection login = DriverManager.getConnection(
                "jdbc:postgresql://" + tenants.reader.get("database").stringValue(),
                tenants.reader.get("login").stringValue(),
                tenants.reader.get("password").stringValue())) {
            assertThat(query(login, COUNTERS)).containsExactly("2 3 2 3").containsExactly(snapshot());
            JsonNode claim = tenants.measured.claim(1, "one").getFirst();
            tenants.measured.report(claim, "completed");
            assertThat(query(login, COUNTERS)).containsExactly("2 2 3 3").containsExactly(snapshot());
            tenants.measured.post("/v1/runs/r2/cancel", "{}");
            assertThat(query(login, COUNTERS)).containsExactly("2 1 4 3").containsExactly(snapshot());
            tenants.measured.limit("/v1/workflows/one", "{'max_concurrent_runs': 9}");
            assertThat(query(login, COUNTERS)).containsExactly("3 0 5 3").containsExactly(snapshot());
            tenants.measured.limit("/v1/org", "{'max_concurrent_runs': 4, 'runs_per_minute': 50}");
            assertThat(query(
                            login,
                            "select max_concurrent_runs || ' ' || runs_per_minute || ' ' || organisation"
                                    + " from weir.execution_rate_counters"))
                    .containsExactly("4 50 measured");
            assertThat(query(login, "select scope from weir.rate_limit_configs order by 1"))
                    .as("no organisation but its own")
                    .containsExactly("organisation", "workflow");
            assertThatThrownBy(() -> query(login, "select id from weir.runs"))
                    .hasMessageContaining("permission denied");
        }
    }

    private static String snapshot() throws Exception {
        return String.join(
                " ",
                tenants.measured.usage("concurrent_runs", "held", "started", "deferred").stream()
                        .map(String::valueOf)
                        .toList());
    }

    @Test
    @Tag("R4.11")
    void the_quota_shows_what_is_left_and_refuses_nothing() throws Exception {
        JsonNode quota = tenants.quoted.get("/v1/org/quota?resource_type=workflow_executions");
        assertThat(quota.get("remaining").intValue()).isEqualTo(3);
        assertThat(Instant.parse(quota.get("reset_at").stringValue())
                        .atZone(ZoneId.of("Asia/Tokyo"))
                        .getDayOfMonth())
                .isEqualTo(1);
        Tenants.startAll(tenants.quoted, 7);
        tenants.quoted.post("/v1/runs/r1/cancel", "{}");
        tenants.quoted.post("/v1/runs/r1/delete", "{'confirm': 'r1'}");
        driver.await(
                "the run is gone",
                () -> tenants.quoted.send("GET", "/v1/runs/r1", null).status() == 404);
        JsonNode beside = tenants.quoted.get("/v1/org/limits").get("quota");
        assertThat(beside.get("used").intValue()).isEqualTo(7);
        assertThat(beside.get("remaining").intValue()).isZero();
        assertThat(tenants.quoted.count("one", "running")).isEqualTo(6);
    }

    @Test
    @Tag("R4.12")
    void a_throttled_workflow_never_blocks_another_one() throws Exception {
        for (String run : List.of("free-1", "free-2", "free-3")) {
            tenants.throttled.start("free", run);
            assertThat(tenants.throttled.state(run))
                    .as("ahead of 149 runs that came before")
                    .isEqualTo("running");
        }
        assertThat(tenants.throttled.claim(9, "busy", "free"))
                .extracting(claim -> claim.get("run").stringValue())
                .containsExactlyInAnyOrder("busy-0", "free-1", "free-2", "free-3");
        assertThat(tenants.throttled.count("busy", "queued")).isEqualTo(149);
        tenants.throttled.start("free", "free-4");
        assertThat(tenants.throttled.state("free-4"))
                .as("the organisation is full")
                .isEqualTo("queued");
        tenants.throttled.post("/v1/runs/free-1/cancel", "{'policy': 'cancel_running'}");
        tenants.throttled.limit("/v1/org", "{'max_concurrent_runs': 5}");
        driver.await("the free place", () -> tenants.throttled.state("free-4").equals("running"));
        assertThat(tenants.throttled.count("busy", "running")).isEqualTo(1);
    }

    @Test
    @Tag("R4.13")
    void dead_letters_are_redriven_or_discarded_once_and_both_are_audited() throws Exception {
        JsonNode letters =
                tenants.failing.get("/v1/dead-letters?workflow=charge").get("dead_letters");
        assertThat(TestOrganisation.texts(letters, "reason")).containsExactly("step_failed", "step_failed");
        for (JsonNode letter : letters) {
            String action = letter.get("subject").stringValue().equals("redriven") ? "redrive" : "discard";
            tenants.failing.post(
                    "/v1/dead-letters/" + letter.get("id").stringValue() + '/' + action, "{'reason': 'seen'}");
        }
        assertThat(tenants.failing
                        .get("/v1/dead-letters?state=open")
                        .get("dead_letters")
                        .size())
                .isZero();
        JsonNode claim = tenants.failing.claim(9, "charge").getFirst();
        assertThat(claim.get("run").stringValue()).isEqualTo("redriven.retry-1");
        assertThat(tenants.failing
                        .get("/v1/runs/redriven.retry-1")
                        .at("/origin/retry_of")
                        .stringValue())
                .isEqualTo("redriven");
        assertThat(TestOrganisation.texts(tenants.failing.get("/v1/audit").get("entries"), "action"))
                .contains("redrive_dead_letter", "discard_dead_letter");
    }
}
