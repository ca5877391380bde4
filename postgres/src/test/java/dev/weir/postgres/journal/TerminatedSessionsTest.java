package dev.weir.postgres.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.core.command.Assignment;
import dev.weir.core.command.ClaimWork;
import dev.weir.core.command.Heartbeat;
import dev.weir.core.command.RegisterWorkflow;
import dev.weir.core.command.UpdateStep;
import dev.weir.core.reading.WorkflowReader;
import dev.weir.core.state.Update;
import dev.weir.engine.EngineSettings;
import dev.weir.engine.Weir;
import dev.weir.engine.request.StartRequest;
import dev.weir.postgres.OrganisationHarness;
import dev.weir.postgres.TestPostgres;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests a node whose sessions the server terminates while many claims share rows. */
@Tag("S7")
@Timeout(120)
class TerminatedSessionsTest {
    private static final long LEASE = 60_000_000;
    private static final int ROUNDS = 4;
    private static final int RUNS = 60;
    private static final int KEYS = 40;
    private static final String KEYED = """
            workflow: keyed
            steps: [{id: a, uses: m, flow_control: {key: "k-${{ input.key }}", parallelism: 1}}]
            """;

    private final String org = TestPostgres.createOrganisation();
    private final Set<String> claimedRuns = new HashSet<>();

    @Test
    void no_claim_is_lost_or_given_twice_and_none_is_left() throws Exception {
        try (Weir weir = Weir.open(
                TestPostgres.postgres().journal(), TestPostgres.postgres().records(), new EngineSettings("node"))) {
            retryUntilAnswered(() -> weir.send(
                    org, new RegisterWorkflow(WorkflowReader.read(KEYED).orThrow())));
            for (int round = 0; round < ROUNDS; round++) {
                List<Assignment> first = round(weir, round);
                assertThat(first).hasSize(KEYS);
                assertThat(count("claim_pages")).as("claims share rows").isPositive();
                terminateSessions();
                for (Assignment claim : first.subList(0, KEYS / 2)) {
                    retryUntilAnswered(() -> weir.send(
                            org,
                            new Heartbeat(claim.claim().unit(), claim.claim().fence())));
                }
                assertThat(count("stored_live_claims")).isEqualTo(KEYS);
                complete(weir, first);
                terminateSessions();
                complete(weir, claim(weir, "second" + round, RUNS - KEYS));
            }
            await().untilAsserted(() -> assertThat(count("runs")).isZero());
            assertThat(count("claims")).isZero();
            assertThat(count("stored_live_claims")).isZero();
            assertThat(claimedRuns).hasSize(ROUNDS * RUNS);
        }
    }

    /** Starts runs that wait for a worker, and then claims as many steps as their keys allow. */
    private List<Assignment> round(Weir weir, int round) throws Exception {
        for (int i = 0; i < RUNS; i++) {
            String run = "r" + round + "-" + i;
            var input = OrganisationHarness.json("{\"key\": " + i % KEYS + "}");
            retryUntilAnswered(() -> weir.start(org, StartRequest.of(run, "keyed", input)));
        }
        return claim(weir, "first" + round, RUNS);
    }

    private List<Assignment> claim(Weir weir, String request, int most) throws Exception {
        var work = new ClaimWork(request, "w", List.of(new ClaimWork.ServedModule("m")), most, LEASE);
        List<Assignment> claims = retryUntilAnswered(() -> weir.claim(org, work, Duration.ofSeconds(20)));
        for (Assignment each : claims) {
            assertThat(claimedRuns.add(each.claim().unit().run()))
                    .as("given once")
                    .isTrue();
        }
        return claims;
    }

    private void complete(Weir weir, List<Assignment> claims) throws Exception {
        List<CompletableFuture<UpdateStep.Answer>> reports = new ArrayList<>();
        for (Assignment each : claims) {
            var report = new UpdateStep(
                    each.claim().unit(), each.claim().fence(), new Update.Completed(OrganisationHarness.json("1")));
            reports.add(weir.send(org, report));
        }
        for (int i = 0; i < reports.size(); i++) {
            assertThat(reports.get(i).get(60, TimeUnit.SECONDS))
                    .as("report of %s", claims.get(i).claim().unit())
                    .isEqualTo(UpdateStep.Answer.APPLIED);
        }
    }

    /** Repeats a request under the same id until there is an answer. */
    private static <T> T retryUntilAnswered(Supplier<CompletableFuture<T>> request) throws Exception {
        for (int attempt = 1; ; attempt++) {
            try {
                return request.get().get(60, TimeUnit.SECONDS);
            } catch (ExecutionException e) {
                if (attempt == 10) {
                    throw e;
                }
            }
        }
    }

    private static void terminateSessions() throws SQLException {
        try (var connection = TestPostgres.address().connect("person", Duration.ofSeconds(10));
                var statement = connection.prepareStatement(
                        "select count(pg_terminate_backend(pid)) from pg_stat_activity where application_name = ?")) {
            statement.setString(1, WriterConnections.APPLICATION);
            try (var terminated = statement.executeQuery()) {
                terminated.next();
                assertThat(terminated.getLong(1)).isPositive();
            }
        }
    }

    private long count(String table) throws SQLException {
        return ClaimRowAssertions.count(org, table);
    }
}
