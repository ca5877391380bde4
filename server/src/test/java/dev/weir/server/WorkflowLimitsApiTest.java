package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R4.1")
class WorkflowLimitsApiTest {
    private static final TestNode NODE = new TestNode();

    @AfterAll
    static void close() {
        NODE.close();
    }

    private static String define(String name, String limits) {
        NODE.apply(
                name,
                "{'workflow':'" + name + "','limits':{" + limits + "},'steps':[{'id':'a','uses':'" + name + ".m'}]}");
        return "/v1/workflows/" + name + "/limits";
    }

    private static String state(String run) {
        return NODE.get("/v1/runs/" + run).at("/state");
    }

    @Test
    void an_operator_starts_a_queued_backlog_by_raising_the_limit_of_its_workflow() {
        String path = define("backlog", "'max_concurrent_runs':1");
        for (int i = 0; i < 4; i++) {
            NODE.start("backlog", "backlog-" + i);
        }
        var before = NODE.get(path);
        assertThat(before.at("/max_concurrent_runs/effective")).isEqualTo("1");
        assertThat(before.at("/max_concurrent_runs/used")).isEqualTo("1");
        assertThat(before.at("/waiting")).isEqualTo("3");
        assertThat(before.at("/version")).isEqualTo("0");
        assertThat(before.at("/max_cascade_depth/effective")).isEqualTo("10");

        var after = NODE.patch(path, "{'max_concurrent_runs':3,'for':'1h','reason':'catch up'}");
        assertThat(after.status()).as(after.body()).isEqualTo(200);
        assertThat(after.at("/max_concurrent_runs/effective")).isEqualTo("3");
        assertThat(after.at("/max_concurrent_runs/defined")).isEqualTo("1");
        assertThat(after.at("/max_concurrent_runs/until")).isNotEmpty();
        assertThat(after.at("/reason")).isEqualTo("catch up");
        assertThat(after.headers().get("etag")).containsExactly("\"1\"");
        assertThat(state("backlog-2")).isEqualTo("running");
        assertThat(state("backlog-3")).isEqualTo("queued");

        NODE.patch(path, "{'max_concurrent_runs':null}");
        assertThat(NODE.get(path).at("/max_concurrent_runs/effective")).isEqualTo("1");
        assertThat(state("backlog-2")).as("a lower value stops nothing").isEqualTo("running");
    }

    @Test
    void absent_fields_keep_their_value_and_another_version_is_refused() {
        String path = define("merge", "'runs_per_minute':7");
        NODE.patch(path, "{'max_concurrent_runs':3,'max_cascade_depth':4}");
        var second = NODE.patch(path, "{'runs_per_minute':9}");
        assertThat(second.at("/max_concurrent_runs/set")).isEqualTo("3");
        assertThat(second.at("/max_cascade_depth/effective")).isEqualTo("4");
        assertThat(second.at("/runs_per_minute/defined")).isEqualTo("7");
        assertThat(second.at("/version")).isEqualTo("2");

        var stale = NODE.send(
                NODE.request("PATCH", path)
                        .header("Authorization", "Bearer acme-token")
                        .header("Content-Type", "application/json")
                        .header("If-Match", "\"1\""),
                "PATCH",
                "{\"max_concurrent_runs\":9}");
        assertThat(stale.status()).as(stale.body()).isEqualTo(412);
        assertThat(stale.at("/detail")).contains("version 1", "version 2");
        assertThat(NODE.get(path).at("/max_concurrent_runs/set")).isEqualTo("3");
    }

    @Test
    void a_value_for_run_keys_that_no_run_has_is_accepted_with_a_warning() {
        String plain = define("plain", "'max_concurrent_runs':1");
        assertThat(NODE.patch(plain, "{'max_concurrent_runs_per_key':2}").at("/warning"))
                .contains("run_key");
        String keyed = define("keyed", "'run_key':'${{ input.k }}','max_concurrent_runs_per_key':1");
        assertThat(NODE.patch(keyed, "{'max_concurrent_runs_per_key':2}").json().has("warning"))
                .isFalse();
    }

    @Test
    void bad_values_are_refused_with_their_position() {
        String path = define("bad", "");
        for (String[] wrong : new String[][] {
            {"{'max_concurrent_runs':0}", "/max_concurrent_runs"},
            {"{'runs_per_minute':'many'}", "/runs_per_minute"},
            {"{'max_cascade_depth':101}", "/max_cascade_depth"},
            {"{'max_concurrent_runs':1,'for':'soon'}", "/for"},
            {"{'max_concurrent_runs':null,'for':'1h'}", "/for"},
            {"{}", "/max_concurrent_runs"},
            {"{'max_concurrent_runs':1,'max_runs':1}", "/max_runs"}
        }) {
            var got = NODE.patch(path, wrong[0]);
            assertThat(got.status()).as("%s: %s", wrong[0], got.body()).isEqualTo(400);
            assertThat(got.at("/errors/0/pointer")).as(got.body()).isEqualTo(wrong[1]);
        }
        assertThat(NODE.get("/v1/workflows/unknown/limits").status()).isEqualTo(404);
        assertThat(NODE.patch("/v1/workflows/unknown/limits", "{'max_concurrent_runs':1}")
                        .status())
                .isEqualTo(404);
    }
}
