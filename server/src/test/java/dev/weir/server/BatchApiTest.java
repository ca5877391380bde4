package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.state.Move;
import dev.weir.engine.secret.SecretSource;
import dev.weir.testkit.journal.JournalFaults;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that batches are answered entry by entry: an invalid entry does not affect the others. */
class BatchApiTest {
    /** Faults of a journal that cannot write anything about runs with a certain name. */
    private static final JournalFaults POISON = new JournalFaults() {
        @Override
        public CommitFate beforeCommit(int shard, Map<String, List<Move>> moves) {
            return moves.toString().contains("poison") ? CommitFate.REFUSED : CommitFate.WRITTEN;
        }
    };

    private static final TestNode NODE = new TestNode(POISON, SecretSource.none());

    @BeforeAll
    static void apply() {
        NODE.apply("one", "{'workflow':'one','steps':[{'id':'a','uses':'one.m'}]}");
    }

    @AfterAll
    static void close() {
        NODE.close();
    }

    private static void startAndClaim(String run) {
        NODE.start("one", run);
        assertThat(NODE.post("/v1/claims", "{'run':'" + run + "'}").at("/claims/0/run"))
                .isEqualTo(run);
    }

    @Test
    @Tag("R0.15")
    void invalid_reports_are_refused_and_the_others_applied() {
        for (String run : List.of("u1", "u2", "u3")) {
            startAndClaim(run);
        }
        String large = "x".repeat(300_000);
        var got = NODE.post(
                "/v1/updates",
                "{'updates':[{'run':'u1','step':'a','fence':" + NODE.fence("u1") + ",'result':'completed','output':'"
                        + large + "'},"
                        + "{'run':'u2','step':'a','fence':" + NODE.fence("u2") + ",'result':'completed'},"
                        + "{'run':'u3','step':'a','result':'completed'},"
                        + "{'run':'u3','step':'a','fence':1,'result':'done'},"
                        + "{'run':'u3','step':'a','item':-1,'fence':1,'result':'completed'},"
                        + "null,"
                        + "{'run':'u3','step':'a','fence':1,'result':'completed','output':'\\u0000'},"
                        + "{'run':'u3','step':'a','fence':1,'result':'completed','outptu':1},"
                        + "{'run':'u3','step':'a','fence':" + NODE.fence("u3") + ",'result':'completed'}]}");
        assertThat(got.status()).isEqualTo(200);
        var results = got.json().get("results");
        assertThat(results.findValuesAsString("outcome"))
                .containsExactly(
                        "refused", "applied", "refused", "refused", "refused", "refused", "refused", "refused",
                        "applied");
        assertThat(results.at("/0/detail").asString())
                .isEqualTo("/updates/0/output: expected at most 262144 bytes, found 300002");
        assertThat(results.at("/0/run").asString()).isEqualTo("u1");
        assertThat(results.at("/2/detail").asString()).startsWith("/updates/2/fence: expected the claim's fence");
        assertThat(results.at("/3/detail").asString()).startsWith("/updates/3/result: expected one of completed");
        assertThat(results.at("/4/detail").asString()).startsWith("/updates/4/item: expected an index of at least 0");
        assertThat(results.at("/5/detail").asString()).isEqualTo("/updates/5: expected an object, found null");
        assertThat(results.at("/6/detail").asString()).startsWith("/updates/6: expected JSON that Weir can store");
        assertThat(results.at("/7/detail").asString()).startsWith("/updates/7").contains("'outptu'");
        assertThat(NODE.get("/v1/runs/u1").at("/state")).isEqualTo("running");
        assertThat(NODE.get("/v1/runs/u2").at("/state")).isEqualTo("completed");
        assertThat(NODE.get("/v1/runs/u3").at("/state")).isEqualTo("completed");
    }

    @Test
    void a_refused_single_entry_fails_the_request() {
        startAndClaim("alone");
        String claim = "'run':'alone','step':'a','fence':1";
        String large = "x".repeat(300_000);
        refused("/v1/updates", "updates", claim + ",'result':'done'", 400, "/updates/0/result: expected one of");
        refused("/v1/updates", "updates", "'step':'a'", 400, "/updates/0/run: expected a string");
        refused(
                "/v1/updates",
                "updates",
                claim + ",'result':'completed','output':'" + large + "'",
                413,
                "/updates/0/output: expected at most");
        refused("/v1/heartbeats", "heartbeats", claim + ",'item':-1", 400, "/heartbeats/0/item: expected an index");
        refused("/v1/logs", "logs", claim + ",'from':0", 400, "/logs/0/text: expected a string");
        refused("/v1/runs/batch", "runs", "'workflow':'one','id':'no good'", 400, "/runs/0/id: expected a letter");
        refused("/v1/runs/batch", "runs", "'workflow':'one','id':'poison-1'", 422, "the command failed");
        assertThat(NODE.get("/v1/runs/alone").at("/state")).isEqualTo("running");
    }

    private static void refused(String path, String field, String entry, int status, String detail) {
        var got = NODE.post(path, "{'" + field + "':[{" + entry + "}]}");
        assertThat(got.status()).as(got.toString()).isEqualTo(status);
        assertThat(got.type()).isEqualTo("application/problem+json");
        assertThat(got.at("/detail")).startsWith(detail);
    }

    @Test
    void a_single_report_is_answered_with_its_outcome() {
        startAndClaim("result");
        var got = NODE.post("/v1/updates", "{'updates':[{'run':'result','step':'a','fence':9,'result':'completed'}]}");
        assertThat(got.status()).isEqualTo(200);
        assertThat(got.at("/results/0/outcome")).isEqualTo("not_found");
    }

    @Test
    void a_result_other_than_failed_has_no_error() {
        startAndClaim("both");
        for (String result : List.of("completed", "no-op", "needs_input")) {
            refused(
                    "/v1/updates",
                    "updates",
                    "'run':'both','step':'a','fence':1,'error':'but','result':'" + result + "'",
                    400,
                    "/updates/0/error: expected no error with the result " + result.replace('-', '_'));
        }
        assertThat(NODE.get("/v1/runs/both").at("/state")).isEqualTo("running");
    }

    @Test
    void invalid_runs_are_refused_and_the_others_started() {
        var got = NODE.post(
                "/v1/runs/batch",
                "{'runs':[{'workflow':'one','id':'s1'},{'workflow':'one','id':'no good'},{'id':'s3'},"
                        + "{'workflow':'one','id':'s4','delay':'soon'},{'workflow':'one','id':'s5'}]}");
        assertThat(got.status()).isEqualTo(200);
        var results = got.json().get("results");
        assertThat(results.findValuesAsString("outcome"))
                .containsExactly("created", "refused", "refused", "refused", "created");
        assertThat(results.at("/1/detail").asString()).startsWith("/runs/1/id: expected a letter or digit");
        assertThat(results.at("/1/id").asString()).isEqualTo("no good");
        assertThat(results.at("/2/detail").asString()).startsWith("/runs/2/workflow: expected a string, found nothing");
        assertThat(NODE.get("/v1/runs/s5").at("/state")).isEqualTo("running");
    }

    @Test
    void one_failing_start_does_not_hide_that_the_others_were_created() {
        var got = NODE.post(
                "/v1/runs/batch",
                "{'runs':[{'workflow':'one','id':'p1'},{'workflow':'one','id':'poison'},{'workflow':'one','id':'p3'}]}");
        assertThat(got.status()).isEqualTo(200);
        var results = got.json().get("results");
        assertThat(results.findValuesAsString("outcome")).containsExactly("created", "refused", "created");
        assertThat(results.at("/1/detail").asString()).startsWith("/runs/1: the command failed");
        assertThat(NODE.get("/v1/runs/p3").at("/state")).isEqualTo("running");
    }

    @Test
    void invalid_heartbeats_and_logs_are_refused_and_the_others_accepted() {
        startAndClaim("h1");
        String claim = "'run':'h1','step':'a','fence':" + NODE.fence("h1");
        var beats = NODE.post("/v1/heartbeats", "{'heartbeats':[{" + claim + ",'item':-1},{" + claim + "},{}]}");
        assertThat(beats.json().get("results").findValuesAsString("outcome"))
                .containsExactly("refused", "extended", "refused");
        assertThat(beats.at("/results/0/detail")).startsWith("/heartbeats/0/item: expected an index of at least 0");
        var logs =
                NODE.post("/v1/logs", "{'logs':[{" + claim + ",'from':0},{" + claim + ",'from':0,'text':'hello'},7]}");
        assertThat(logs.json().get("results").findValuesAsString("outcome"))
                .containsExactly("refused", "kept", "refused");
        assertThat(logs.at("/results/0/detail")).startsWith("/logs/0/text: expected a string, found nothing");
        assertThat(logs.at("/results/2/detail")).isEqualTo("/logs/2: expected an object, found 7");
    }

    @ParameterizedTest
    @CsvSource({"/v1/updates,updates", "/v1/heartbeats,heartbeats", "/v1/runs/batch,runs", "/v1/logs,logs"})
    void a_body_that_is_no_list_of_entries_is_refused_as_a_whole(String path, String field) {
        for (String body : List.of(
                "",
                "[",
                "7",
                "{}",
                "{'" + field + "':null}",
                "{'" + field + "':{}}",
                "{'" + field + "':[]}",
                "{'" + field + "':'\\ud800'}",
                "{'" + field + "':[{}],'more':1}",
                "{'" + field + "':[" + "{},".repeat(500) + "{}]}")) {
            var got = NODE.post(path, body);
            assertThat(got.status()).as("%s: %s", body, got).isEqualTo(400);
            assertThat(got.at("/detail")).as(body).contains("expected");
        }
    }
}
