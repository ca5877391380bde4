package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.UncheckedIOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * Terminates all sessions of a node at its PostgreSQL server while it answers a request, again and again. Repeated
 * requests succeed in the end, nothing that was acknowledged is lost, and nothing happens twice.
 */
@Tag("S4")
@Tag("S7")
class LostConnectionsApiTest {
    private static final PostgresNode NODE = new PostgresNode("lost-connections");
    private static final String ORG = "acme";
    private static final int RUNS = 15;
    private static final int PINS = 10;
    /** The attempts of a request during which the sessions are terminated, and the attempts in all. */
    private static final int DISTURBED_ATTEMPTS = 2;

    private static final int ATTEMPTS_MAX = 60;
    private static final Duration WAIT = Duration.ofSeconds(60);
    private int terminated;

    @AfterAll
    static void close() {
        NODE.close();
    }

    /** Repeats a request until it is answered, and terminates sessions during the first attempts. */
    private JsonNode request(String method, String path, String body, Map<String, String> headers) {
        String last = "";
        for (int attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
            CompletableFuture<Integer> disturbing = attempt <= DISTURBED_ATTEMPTS
                    ? CompletableFuture.supplyAsync(LostConnectionsApiTest::terminateSessions)
                    : CompletableFuture.completedFuture(0);
            try {
                var got = NODE.send(ORG, method, path, body.replace('\'', '"'), headers);
                last = got.toString();
                if (got.status() < 300) {
                    return got.json();
                }
                assertThat(got.status()).as(method + " " + path + ": " + got).isIn(429, 503);
            } catch (UncheckedIOException e) {
                last = e.toString();
            } finally {
                terminated += disturbing.join();
            }
        }
        throw new AssertionError("expected " + method + " " + path + " to succeed in the end, found " + last);
    }

    private JsonNode post(String path, String body) {
        return request("POST", path, body, Map.of());
    }

    private static int terminateSessions() {
        return Math.toIntExact(number("select count(pg_terminate_backend(pid)) from pg_stat_activity"
                + " where application_name in ('weir', 'weir journal', 'weir loads')"));
    }

    private static long number(String query) {
        try (var connection = NODE.connect();
                var statement = connection.createStatement();
                var found = statement.executeQuery(query)) {
            found.next();
            return found.getLong(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void starts_claims_updates_bulk_operations_and_audited_changes_happen_once() {
        NODE.createOrganisation(ORG);
        request("PUT", "/v1/workflows/work", "{'workflow':'work','steps':[{'id':'a','uses':'m'}]}", Map.of());
        for (int i = 0; i < RUNS; i++) {
            post("/v1/runs", "{'workflow':'work','id':'r-" + i + "'}");
            post("/v1/runs", "{'workflow':'work','id':'c-" + i + "','delay':'1h','labels':{'cancel':'yes'}}");
        }
        for (JsonNode claim : claims()) {
            JsonNode report = post(
                    "/v1/updates",
                    "{'updates':[{'run':'" + claim.get("run").stringValue() + "','step':'a','fence':"
                            + claim.get("fence") + ",'result':'completed'}]}");
            assertThat(report.at("/results/0/outcome").stringValue()).isIn("applied", "replayed");
        }
        String operation = request(
                        "POST",
                        "/v1/runs/cancel",
                        "{'filter':{'labels':{'cancel':'yes'}}}",
                        Map.of("Idempotency-Key", "cancel-all"))
                .get("id")
                .stringValue();
        for (int i = 1; i <= PINS; i++) {
            post("/v1/keys/pin", "{'key':'k','parallelism':" + i + ",'reason':'pin " + i + "'}");
        }
        assertThat(terminated).as("terminated sessions").isGreaterThan(RUNS);

        await().atMost(WAIT)
                .until(() ->
                        read("/v1/bulk/" + operation).get("state").stringValue().equals("completed"));
        assertThat(read("/v1/bulk/" + operation).get("failed").intValue()).isZero();
        assertThat(number("select count(*) from weir.runs")).isZero();
        assertThat(number("select count(*) from weir.run_history")).isEqualTo(2 * RUNS);
        assertThat(states()).containsExactlyInAnyOrderEntriesOf(Map.of("completed", RUNS, "cancelled", RUNS));
        assertAuditedOnce();
    }

    /** Claims the steps of all runs that are due. Each is granted once, under its first fence. */
    private List<JsonNode> claims() {
        List<JsonNode> claims = new ArrayList<>();
        Set<String> runs = new HashSet<>();
        for (int poll = 0; claims.size() < RUNS && poll < ATTEMPTS_MAX; poll++) {
            JsonNode got = post(
                    "/v1/claims",
                    "{'modules':[{'id':'m'}],'limit':4,'wait':'5s','lease':'10m','worker':'w','request_id':'p-" + poll
                            + "'}");
            for (JsonNode claim : got.get("claims")) {
                assertThat(runs.add(claim.get("run").stringValue()))
                        .as("granted once: " + claim)
                        .isTrue();
                claims.add(claim);
            }
        }
        assertThat(runs).hasSize(RUNS);
        return claims;
    }

    private static JsonNode read(String path) {
        var got = NODE.send(ORG, "GET", path, null, Map.of());
        for (int attempt = 1; got.status() == 503 && attempt < ATTEMPTS_MAX; attempt++) {
            got = NODE.send(ORG, "GET", path, null, Map.of());
        }
        assertThat(got.status()).as(got.toString()).isEqualTo(200);
        return got.json();
    }

    private static Map<String, Integer> states() {
        Map<String, Integer> states = new java.util.TreeMap<>();
        for (JsonNode run : read("/v1/runs?limit=200").get("runs")) {
            states.merge(run.get("state").stringValue(), 1, Integer::sum);
        }
        return states;
    }

    private static void assertAuditedOnce() {
        List<String> reasons = new ArrayList<>();
        for (JsonNode entry : read("/v1/audit?action=pin_key&limit=200").get("entries")) {
            reasons.add(entry.get("reason").stringValue());
        }
        assertThat(reasons).as("one entry for each pin").hasSize(PINS).doesNotHaveDuplicates();
        List<String> cancelled = new ArrayList<>();
        for (JsonNode entry : read("/v1/audit?action=cancel_run&limit=200").get("entries")) {
            cancelled.add(entry.get("target").stringValue());
        }
        assertThat(cancelled).as("one entry for each cancel").hasSize(RUNS).doesNotHaveDuplicates();
        JsonNode verified = read("/v1/audit/verify");
        assertThat(verified.toString()).contains("\"intact\":true");
    }
}
