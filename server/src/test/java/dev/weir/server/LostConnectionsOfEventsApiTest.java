package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * Terminates the database sessions of a node while it receives events, ends bursts, issues notices, changes limits,
 * counts and redrives. Nothing is lost, and nothing happens twice.
 */
@Tag("S4")
@Tag("R4.10")
class LostConnectionsOfEventsApiTest {
    private static final PostgresNode NODE = new PostgresNode("lost-events");
    private static final DisturbedRequests REQUESTS = new DisturbedRequests(NODE, "acme");
    private static final int EVENTS = 12;
    private static final int RAISES = 4;
    private static final int RUNS_AT_ONCE = 5;
    private static final Duration WAIT = Duration.ofSeconds(60);

    @AfterAll
    static void close() {
        NODE.close();
    }

    private static void define(String workflow, String trigger) {
        REQUESTS.send(
                "PUT",
                "/v1/workflows/" + workflow,
                "{'workflow':'" + workflow + "','triggers':[{'id':'t','event':'parcel'" + trigger
                        + "}],'steps':[{'id':'a','uses':'m'}]}",
                Map.of());
    }

    private static long count(String table) {
        return REQUESTS.number("select count(*) from weir." + table);
    }

    @Test
    void events_bursts_notices_limits_counts_and_dead_letters_survive() {
        define("ship", "");
        define("ill", ",'input':{'x':'${{ event.data.absent.x }}'}");
        define("burst", ",'debounce':{'period':'300ms'}");
        REQUESTS.send("PATCH", "/v1/org/limits", "{'max_concurrent_runs':" + RUNS_AT_ONCE + "}", Map.of());
        for (int i = 0; i < EVENTS; i++) {
            JsonNode sent = REQUESTS.post("/v1/events", "{'id':'e-" + i + "','event':'parcel','data':{'n':" + i + "}}");
            assertThat(sent.get("id").stringValue()).isEqualTo("e-" + i);
        }
        await().atMost(WAIT).until(() -> count("dead_letters") == EVENTS && openWindows() == 0);
        long bursts = count("debounce_windows");
        assertThat(REQUESTS.number("select sum(events) from weir.debounce_windows"))
                .isEqualTo(EVENTS);
        assertThat(notices()).containsExactlyInAnyOrder("warning", "critical");
        for (int i = 1; i <= RAISES; i++) {
            REQUESTS.send("PATCH", "/v1/org/limits", "{'max_concurrent_runs':" + (100 * i) + "}", Map.of());
        }
        JsonNode limits = REQUESTS.read("/v1/org/limits");
        assertThat(limits.get("version").intValue())
                .as("each change counts once")
                .isEqualTo(RAISES + 1);

        define("ill", "");
        String operation = REQUESTS.send(
                        "POST",
                        "/v1/dead-letters/redrive",
                        "{'filter':{'workflow':'ill'}}",
                        Map.of("Idempotency-Key", "redrive-all"))
                .get("id")
                .stringValue();
        for (int i = 0; i < EVENTS; i++) {
            REQUESTS.post("/v1/events", "{'id':'e-" + i + "','event':'parcel','data':{'n':" + i + "}}");
        }
        await().atMost(WAIT)
                .until(() -> REQUESTS.read("/v1/bulk/" + operation)
                        .get("state")
                        .stringValue()
                        .equals("completed"));
        assertCounts(bursts, REQUESTS.read("/v1/bulk/" + operation));
        assertThat(REQUESTS.terminated()).as("terminated sessions").isGreaterThan(EVENTS);
    }

    private static void assertCounts(long bursts, JsonNode redriven) {
        long runs = 2 * EVENTS + bursts;
        assertThat(redriven.get("failed").intValue()).as(redriven.toString()).isZero();
        assertThat(REQUESTS.number("select count(*) from weir.dead_letters where state = 'r'"))
                .isEqualTo(EVENTS);
        assertThat(count("events")).isEqualTo(EVENTS);
        assertThat(count("runs")).isEqualTo(runs);
        for (int i = 0; i < EVENTS; i++) {
            for (String workflow : List.of("ship", "ill")) {
                JsonNode run = REQUESTS.read("/v1/runs/" + workflow + ":t:e-" + i);
                assertThat(run.get("state").stringValue()).isEqualTo("running");
                assertThat(run.at("/input/n").intValue()).isEqualTo(i);
            }
        }
        JsonNode snapshot = REQUESTS.read("/v1/org/snapshot");
        assertThat(snapshot.get("concurrent_runs").longValue()).isEqualTo(runs);
        assertThat(snapshot.get("started").longValue()).isEqualTo(runs);
        assertThat(snapshot.get("debounced").longValue()).isEqualTo(EVENTS - bursts);
        assertThat(REQUESTS.read("/v1/org/quota").get("used").longValue()).isEqualTo(runs);
        assertThat(REQUESTS.read("/v1/audit/verify").toString()).contains("\"intact\":true");
    }

    private static long openWindows() {
        return REQUESTS.number("select count(*) from weir.debounce_windows where closed_at is null");
    }

    /** The severities of all notices about the runs of the organisation. */
    private static List<String> notices() {
        List<String> severities = new ArrayList<>();
        for (JsonNode notice : REQUESTS.read("/v1/notices?kind=capacity").get("notices")) {
            severities.add(notice.get("severity").stringValue());
        }
        return severities;
    }
}
