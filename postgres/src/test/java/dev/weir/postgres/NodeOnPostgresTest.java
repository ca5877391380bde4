package dev.weir.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.core.command.Assignment;
import dev.weir.core.command.ClaimWork;
import dev.weir.core.command.Heartbeat;
import dev.weir.core.command.RegisterWorkflow;
import dev.weir.core.command.SendSignal;
import dev.weir.core.command.UpdateStep;
import dev.weir.core.reading.WorkflowReader;
import dev.weir.core.state.RunState;
import dev.weir.core.state.StepState;
import dev.weir.core.state.UnitId;
import dev.weir.core.state.Update;
import dev.weir.engine.EngineSettings;
import dev.weir.engine.Weir;
import dev.weir.engine.request.StartOutcome;
import dev.weir.engine.request.StartRequest;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests a whole node on a real PostgreSQL. */
@Timeout(120)
class NodeOnPostgresTest {
    private static final long LEASE = 30_000_000;
    private static final String ONE_STEP = """
            workflow: one
            steps: [{id: a, uses: m}]
            """;

    @Test
    void runs_that_were_started_by_one_node_are_finished_by_the_next() throws Exception {
        String org = TestPostgres.createOrganisation();
        try (Weir weir = open("first")) {
            register(weir, org);
            StartOutcome answer = get(weir.start(org, StartRequest.of("r1", "one", OrganisationHarness.json("{}"))));
            assertThat(answer).isEqualTo(new StartOutcome.Started("r1", RunState.RUNNING, 1));
            assertThat(weir.records().findRun(org, "r1")).isPresent();
        }
        try (Weir weir = open("second");
                var program = TestPostgres.address().connect("program", Duration.ofSeconds(10))) {
            Inbox.startIn(program, org, StartRequest.of("r2", "one", OrganisationHarness.json("{}")));
            finish(weir, org, "q1");
            finish(weir, org, "q2");
            for (String run : List.of("r1", "r2")) {
                await().untilAsserted(() -> assertThat(
                                weir.records().findRun(org, run).orElseThrow().state())
                        .isEqualTo(RunState.COMPLETED));
            }
        }
    }

    @Test
    @Tag("S8")
    void a_claim_whose_row_somebody_deletes_is_given_again_under_a_higher_fence_which_is_kept() throws Exception {
        String org = TestPostgres.createOrganisation();
        try (Weir weir = open("first")) {
            register(weir, org);
            get(weir.start(org, StartRequest.of("r1", "one", OrganisationHarness.json("{}"))));
            assertThat(claim(weir, org, "q1").claim().fence()).isEqualTo(1);
            try (var person = TestPostgres.address().connect("person", Duration.ofSeconds(10));
                    var statement = person.createStatement()) {
                statement.execute("set role weir_engine");
                statement.execute("delete from weir.claims where request = 'q1' and fence = 1 and org = "
                        + "(select number from weir.organisations where name = '" + org + "')");
            }
            assertThat(claim(weir, org, "q2").claim().fence()).isEqualTo(2);
        }
        try (Weir weir = open("second")) {
            assertThat(claim(weir, org, "q2").claim().fence()).isEqualTo(2);
        }
    }

    @Test
    @Tag("S8")
    void the_fence_of_a_claim_whose_row_somebody_deletes_is_not_given_again_by_the_next_node() throws Exception {
        String org = TestPostgres.createOrganisation();
        Assignment lost;
        try (Weir weir = open("first")) {
            register(weir, org);
            get(weir.start(org, StartRequest.of("r1", "one", OrganisationHarness.json("{}"))));
            lost = claim(weir, org, "q1");
        }
        deleteClaims(org);
        try (Weir weir = open("second")) {
            Assignment again = claim(weir, org, "q2");
            assertThat(again.claim().unit()).isEqualTo(lost.claim().unit());
            assertThat(again.claim().fence()).isGreaterThan(lost.claim().fence());
            assertThat(get(weir.send(org, done(lost)))).isEqualTo(UpdateStep.Answer.CLAIM_SUPERSEDED);
            assertThat(get(weir.send(org, done(again)))).isEqualTo(UpdateStep.Answer.APPLIED);
        }
    }

    @Test
    @Tag("S6")
    void a_heartbeat_for_a_claim_whose_row_was_deleted_is_answered_with_claim_lost() throws Exception {
        String org = TestPostgres.createOrganisation();
        try (Weir weir = open("first")) {
            register(weir, org);
            get(weir.start(org, StartRequest.of("r1", "one", OrganisationHarness.json("{}"))));
            Assignment lost = claim(weir, org, "q1");
            deleteClaims(org);
            var beat = new Heartbeat(lost.claim().unit(), lost.claim().fence());
            assertThat(get(weir.send(org, beat))).isInstanceOf(Heartbeat.Answer.ClaimLost.class);
        }
    }

    /** Deletes the claims of an organisation, whichever rows contain them. */
    private static void deleteClaims(String org) throws SQLException {
        try (var person = TestPostgres.address().connect("person", Duration.ofSeconds(10));
                var statement = person.createStatement()) {
            statement.execute("set role weir_engine");
            String ofOrg = " where org = (select number from weir.organisations where name = '" + org + "')";
            statement.execute("delete from weir.claims" + ofOrg);
            statement.execute("delete from weir.claim_pages" + ofOrg);
            statement.execute("update weir.runs set initial_claims = null" + ofOrg);
        }
    }

    @Test
    @Tag("S8")
    void rows_whose_run_or_step_somebody_deleted_block_nothing_on_the_next_node() throws Exception {
        String org = TestPostgres.createOrganisation();
        try (Weir weir = open("first")) {
            claimThree(weir, org);
            deleteRunAndStep(org);
        }
        assertThatTheNextNodeContinues(org);
    }

    @Test
    @Tag("S8")
    void rows_whose_run_or_step_somebody_deleted_are_gone_after_a_sweep_has_noticed() throws Exception {
        String org = TestPostgres.createOrganisation();
        try (Weir weir = open("first")) {
            claimThree(weir, org);
            deleteRunAndStep(org);
            // The sweep finds the difference, and the reloaded step becomes ready again.
            await().untilAsserted(() -> assertThat(weir.records()
                            .findStep(org, UnitId.of("opened", "a"))
                            .orElseThrow()
                            .state())
                    .isEqualTo(StepState.READY));
            assertThat(claimRows(org)).as("claims after the sweep").isOne();
        }
        assertThatTheNextNodeContinues(org);
    }

    private static void claimThree(Weir weir, String org) throws Exception {
        register(weir, org);
        for (String run : List.of("lost", "opened", "kept")) {
            get(weir.start(org, StartRequest.of(run, "one", OrganisationHarness.json("{}"))));
            claim(weir, org, run);
        }
        get(weir.send(org, new SendSignal("lost", "s1", "ping", OrganisationHarness.json("1"))));
    }

    private static void deleteRunAndStep(String org) throws SQLException {
        try (var person = TestPostgres.address().connect("person", Duration.ofSeconds(10));
                var statement = person.createStatement()) {
            statement.execute("set role weir_engine");
            String ofOrg = " where org = (select number from weir.organisations where name = '" + org + "')";
            person.setAutoCommit(false);
            assertThat(statement.executeUpdate("delete from weir.runs" + ofOrg + " and id = 'lost'"))
                    .isOne();
            assertThat(statement.executeUpdate(
                            "update weir.runs set initial_steps = null" + ofOrg + " and id = 'opened'"))
                    .isOne();
            person.commit();
        }
    }

    private static void assertThatTheNextNodeContinues(String org) throws Exception {
        try (Weir weir = open("second")) {
            get(weir.start(org, StartRequest.of("next", "one", OrganisationHarness.json("{}"))));
            Assignment again = claim(weir, org, "q1");
            assertThat(again.claim().unit().run()).as("its step is ready again").isEqualTo("opened");
            assertThat(get(weir.send(org, done(again)))).isEqualTo(UpdateStep.Answer.APPLIED);
            finish(weir, org, "q2");
            await().untilAsserted(() -> assertThat(
                            weir.records().findRun(org, "next").orElseThrow().state())
                    .isEqualTo(RunState.COMPLETED));
            assertThat(claim(weir, org, "kept").claim().unit().run()).isEqualTo("kept");
        }
        assertThat(claimRows(org)).as("claims that are left").isOne();
    }

    private static int claimRows(String org) throws SQLException {
        try (var person = TestPostgres.address().connect("person", Duration.ofSeconds(10));
                var statement = person.createStatement();
                var found = statement.executeQuery("select count(*) from weir.claims join weir.organisations on "
                        + "organisations.number = claims.org where name = '" + org + "'")) {
            found.next();
            return found.getInt(1);
        }
    }

    private static void register(Weir weir, String org) throws Exception {
        get(weir.send(org, new RegisterWorkflow(WorkflowReader.read(ONE_STEP).orThrow())));
    }

    private static Assignment claim(Weir weir, String org, String request) throws Exception {
        var work = new ClaimWork(request, "w", List.of(new ClaimWork.ServedModule("m")), 1, LEASE);
        return get(weir.claim(org, work, Duration.ofSeconds(20))).getFirst();
    }

    private static void finish(Weir weir, String org, String request) throws Exception {
        assertThat(get(weir.send(org, done(claim(weir, org, request))))).isEqualTo(UpdateStep.Answer.APPLIED);
    }

    private static UpdateStep done(Assignment work) {
        return new UpdateStep(work.claim().unit(), work.claim().fence(), new Update.NoOp());
    }

    private static Weir open(String node) {
        return Weir.open(
                TestPostgres.postgres().journal(), TestPostgres.postgres().records(), new EngineSettings(node));
    }

    private static <T> T get(CompletableFuture<T> answer) throws Exception {
        return answer.get(60, TimeUnit.SECONDS);
    }
}
