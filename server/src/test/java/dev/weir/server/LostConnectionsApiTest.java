package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
    private static final Duration WAIT = Duration.ofSeconds(60);
    private static final DisturbedRequests REQUESTS = new DisturbedRequests(NODE, ORG);

    @AfterAll
    static void close() {
        NODE.close();
    }

    @Test
    void starts_claims_updates_bulk_operations_and_audited_changes_happen_once() {
        REQUESTS.send("PUT", "/v1/workflows/work", "{'workflow':'work','steps':[{'id':'a','uses':'m'}]}", Map.of());
        for (int i = 0; i < RUNS; i++) {
            REQUESTS.post("/v1/runs", "{'workflow':'work','id':'r-" + i + "'}");
            REQUESTS.post("/v1/runs", "{'workflow':'work','id':'c-" + i + "','delay':'1h','labels':{'cancel':'yes'}}");
        }
        for (JsonNode claim : claims()) {
            JsonNode report = REQUESTS.post(
                    "/v1/updates",
                    "{'updates':[{'run':'" + claim.get("run").stringValue() + "','step':'a','fence':"
                            + claim.get("fence") + ",'result':'completed'}]}");
            assertThat(report.at("/results/0/outcome").stringValue()).isIn("applied", "replayed");
        }
        String operation = REQUESTS.send(
                        "POST",
                        "/v1/runs/cancel",
                        "{'filter':{'labels':{'cancel':'yes'}}}",
                        Map.of("Idempotency-Key", "cancel-all"))
                .get("id")
                .stringValue();
        for (int i = 1; i <= PINS; i++) {
            REQUESTS.post("/v1/keys/pin", "{'key':'k','parallelism':" + i + ",'reason':'pin " + i + "'}");
        }
        assertThat(REQUESTS.terminated()).as("terminated sessions").isGreaterThan(RUNS);

        await().atMost(WAIT)
                .until(() -> REQUESTS.read("/v1/bulk/" + operation)
                        .get("state")
                        .stringValue()
                        .equals("completed"));
        assertThat(REQUESTS.read("/v1/bulk/" + operation).get("failed").intValue())
                .isZero();
        assertThat(REQUESTS.number("select count(*) from weir.runs")).isZero();
        assertThat(REQUESTS.number("select count(*) from weir.run_history")).isEqualTo(2 * RUNS);
        assertThat(states()).containsExactlyInAnyOrderEntriesOf(Map.of("completed", RUNS, "cancelled", RUNS));
        assertAuditedOnce();
    }

    /** Claims the steps of all runs that are due. Each is granted once, under its first fence. */
    private List<JsonNode> claims() {
        List<JsonNode> claims = new ArrayList<>();
        Set<String> runs = new HashSet<>();
        for (int poll = 0; claims.size() < RUNS && poll < DisturbedRequests.ATTEMPTS_MAX; poll++) {
            JsonNode got = REQUESTS.post(
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

    private static Map<String, Integer> states() {
        Map<String, Integer> states = new java.util.TreeMap<>();
        for (JsonNode run : REQUESTS.read("/v1/runs?limit=200").get("runs")) {
            states.merge(run.get("state").stringValue(), 1, Integer::sum);
        }
        return states;
    }

    private static void assertAuditedOnce() {
        List<String> reasons = new ArrayList<>();
        for (JsonNode entry :
                REQUESTS.read("/v1/audit?action=pin_key&limit=200").get("entries")) {
            reasons.add(entry.get("reason").stringValue());
        }
        assertThat(reasons).as("one entry for each pin").hasSize(PINS).doesNotHaveDuplicates();
        List<String> cancelled = new ArrayList<>();
        for (JsonNode entry :
                REQUESTS.read("/v1/audit?action=cancel_run&limit=200").get("entries")) {
            cancelled.add(entry.get("target").stringValue());
        }
        assertThat(cancelled).as("one entry for each cancel").hasSize(RUNS).doesNotHaveDuplicates();
        JsonNode verified = REQUESTS.read("/v1/audit/verify");
        assertThat(verified.toString()).contains("\"intact\":true");
    }
}
