package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R3.10")
class BulkApiTest {
    private static final TestNode NODE = new TestNode();

    @AfterAll
    static void close() {
        NODE.close();
    }

    private static void define(String name, String step) {
        NODE.apply(name, "{'workflow':'" + name + "','steps':[{'id':'a','uses':'" + name + ".m'" + step + "}]}");
    }

    private static void start(String workflow, int count) {
        for (int i = 0; i < count; i++) {
            NODE.start(workflow, workflow + "-" + i);
        }
    }

    private static TestNode.TestResponse awaitEnd(TestNode.TestResponse begun) {
        assertThat(begun.status()).as(begun.body()).isEqualTo(202);
        assertThat(begun.headers().get("location")).containsExactly("/v1/bulk/" + begun.at("/id"));
        String path = "/v1/bulk/" + begun.at("/id");
        await().atMost(Duration.ofSeconds(60))
                .until(() -> NODE.get(path).at("/state").equals("completed"));
        return NODE.get(path);
    }

    private static int count(String query) {
        return NODE.get("/v1/runs?limit=200&" + query).json().at("/runs").size();
    }

    @Test
    void all_runs_of_a_workflow_are_previewed_and_then_cancelled_and_no_others() {
        define("many", "");
        define("others", "");
        start("many", 120);
        start("others", 2);
        var preview = NODE.post("/v1/runs/cancel", "{'filter':{'workflow':'many'},'dry_run':true}");
        assertThat(preview.status()).as(preview.body()).isEqualTo(200);
        assertThat(preview.at("/matching")).isEqualTo("120");
        assertThat(preview.at("/exact")).isEqualTo("true");
        assertThat(preview.json().at("/sample").size()).isEqualTo(10);
        assertThat(count("workflow=many&state=cancelled"))
                .as("nothing was changed")
                .isZero();

        var done = awaitEnd(NODE.post("/v1/runs/cancel", "{'filter':{'workflow':'many'},'reason':'a mistake'}"));
        assertThat(done.at("/expected")).isEqualTo("120");
        assertThat(done.at("/changed")).isEqualTo("120");
        assertThat(done.at("/failed")).isEqualTo("0");
        assertThat(count("workflow=many&state=cancelled")).isEqualTo(120);
        assertThat(count("workflow=others&state=cancelled")).isZero();
        assertThat(NODE.get("/v1/runs/many-7").at("/reason")).isEqualTo("a mistake");
    }

    @Test
    void runs_are_found_by_a_key_under_which_they_have_or_had_a_step() {
        define("billing", ",'flow_control':{'key':'${{ run.id }}-key','parallelism':1}");
        define("fixed", ",'flow_control':{'key':'one-key','parallelism':1}");
        start("billing", 3);
        start("fixed", 3);
        var claim = NODE.post("/v1/claims", "{'run':'fixed-0'}");
        NODE.post(
                "/v1/updates",
                "{'updates':[{'run':'fixed-0','step':'a','fence':" + claim.at("/claims/0/fence")
                        + ",'result':'completed'}]}");
        assertThat(NODE.get("/v1/runs/fixed-0").at("/state")).isEqualTo("completed");
        assertThat(count("key=one-key")).isEqualTo(3);
        assertThat(count("key=one-key&state=completed")).isEqualTo(1);
        assertThat(count("key=billing-1-key")).isEqualTo(1);
        assertThat(count("key=unknown")).isZero();

        var done = awaitEnd(NODE.post("/v1/runs/cancel", "{'filter':{'key':'one-key'}}"));
        assertThat(done.at("/changed")).as("the completed one does not match").isEqualTo("2");
        assertThat(NODE.get("/v1/runs/fixed-0").at("/state")).isEqualTo("completed");
        assertThat(NODE.get("/v1/runs/billing-1").at("/state")).isEqualTo("running");
    }

    @Test
    void failed_runs_are_retried_once_and_a_repeated_request_returns_the_same_operation() {
        define("shaky", ",'retry':{'max_attempts':1}");
        start("shaky", 4);
        for (int i = 0; i < 3; i++) {
            var claim = NODE.post("/v1/claims", "{'run':'shaky-" + i + "'}");
            NODE.post(
                    "/v1/updates",
                    "{'updates':[{'run':'shaky-" + i + "','step':'a','fence':" + claim.at("/claims/0/fence")
                            + ",'result':'failed','permanent':true}]}");
        }
        String filter = "{\"filter\":{\"workflow\":\"shaky\"}}";
        var done = awaitEnd(retryWithKey("again", filter));
        assertThat(done.at("/changed")).isEqualTo("3");
        assertThat(NODE.get("/v1/runs/shaky-1.retry-1").at("/state")).isEqualTo("running");
        var repeated = retryWithKey("again", filter);
        assertThat(repeated.status()).isEqualTo(200);
        assertThat(repeated.at("/id")).isEqualTo(done.at("/id"));
        assertThat(retryWithKey("again", "{\"filter\":{}}").status()).isEqualTo(422);

        var second = awaitEnd(retryWithKey("once more", filter));
        assertThat(second.at("/changed")).as("each of them was retried already").isEqualTo("0");
        assertThat(second.at("/unchanged")).isEqualTo("3");
        assertThat(count("workflow=shaky")).isEqualTo(7);
    }

    private static TestNode.TestResponse retryWithKey(String key, String body) {
        return NODE.send(
                NODE.request("POST", "/v1/runs/retry")
                        .header("Authorization", "Bearer acme-token")
                        .header("Content-Type", "application/json")
                        .header("Idempotency-Key", key),
                "POST",
                body);
    }

    @Test
    void chosen_runs_are_cancelled_if_they_match_the_rest_of_the_filter() {
        define("chosen", "");
        NODE.post("/v1/runs", "{'workflow':'chosen','id':'c1','labels':{'team':'red'}}");
        NODE.post("/v1/runs", "{'workflow':'chosen','id':'c2','labels':{'team':'blue'}}");
        NODE.post("/v1/runs", "{'workflow':'chosen','id':'c3','labels':{'team':'red'}}");
        var done = awaitEnd(
                NODE.post("/v1/runs/cancel", "{'filter':{'ids':['c1','c2','nobody'],'labels':{'team':'red'}}}"));
        assertThat(done.at("/changed")).isEqualTo("1");
        assertThat(done.at("/expected")).isEqualTo("1");
        assertThat(NODE.get("/v1/runs/c1").at("/state")).isEqualTo("cancelled");
        assertThat(NODE.get("/v1/runs/c2").at("/state")).isEqualTo("running");
        assertThat(NODE.get("/v1/runs/c3").at("/state")).isEqualTo("running");
    }

    @Test
    void another_organisation_sees_neither_the_runs_nor_the_operation() {
        define("private", "");
        start("private", 2);
        var other = NODE.send("POST", "/v1/runs/cancel", "{\"filter\":{\"workflow\":\"private\"}}", "other-token");
        assertThat(other.status()).isEqualTo(202);
        assertThat(NODE.get("/v1/bulk/" + other.at("/id")).status()).isEqualTo(404);
        assertThat(NODE.get("/v1/runs/private-0").at("/state")).isEqualTo("running");
    }

    @Test
    void bad_filters_are_refused_with_their_position() {
        for (String[] wrong : new String[][] {
            {"cancel", "{}", "/filter"},
            {"cancel", "{'filter':{'state':['completed']}}", "/filter/state/0"},
            {"cancel", "{'filter':{'ids':[]}}", "/filter/ids"},
            {"cancel", "{'filter':{'keys':'k'}}", "/filter/keys"},
            {"cancel", "{'filter':{},'policy':'kill'}", "/policy"},
            {"retry", "{'filter':{'state':['failed','running']}}", "/filter/state/1"},
            {"retry", "{'filter':{'key':''}}", "/filter/key"}
        }) {
            var got = NODE.post("/v1/runs/" + wrong[0], wrong[1]);
            assertThat(got.status()).as("%s: %s", wrong[1], got.body()).isEqualTo(400);
            assertThat(got.at("/errors/0/pointer")).as(got.body()).isEqualTo(wrong[2]);
        }
        assertThat(NODE.get("/v1/bulk/unknown").status()).isEqualTo(404);
    }
}
