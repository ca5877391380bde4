package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests that responses to claims and reports for one run contain its snapshot. */
class SnapshotApiTest {
    private static final TestNode NODE = new TestNode();

    @BeforeAll
    static void apply() {
        NODE.apply("one", "{'workflow':'one','steps':[{'id':'a','uses':'one.m'}]}");
        NODE.apply(
                "commission",
                "{'id':'commission','runtime':{'max_parallel':1},'modules':[{'id':'docs','module':'docs.m'},"
                        + "{'id':'plan','module':'plan.m'},{'id':'review','module':'review.m','needs':['plan']}]}");
    }

    @AfterAll
    static void close() {
        NODE.close();
    }

    private static TestNode.TestResponse claim(String more) {
        return NODE.post("/v1/claims", "{'limit':9," + more + "}");
    }

    private static String completed(String run, String step) {
        return "{'run':'" + run + "','step':'" + step + "','fence':" + NODE.fence(run, step) + ",'result':'completed'}";
    }

    @Test
    @Tag("R2.5")
    void a_claim_for_a_run_that_has_ended_gets_nothing_and_the_final_state() {
        NODE.start("one", "over");
        claim("'run':'over'");
        NODE.post("/v1/updates", "{'updates':[" + completed("over", "a") + "]}");
        var got = claim("'run':'over','wait':'20s'");
        assertThat(got.status()).isEqualTo(200);
        assertThat(got.json().at("/claims").size()).isZero();
        assertThat(got.at("/state/state")).isEqualTo("completed");
        assertThat(got.json().at("/state/running_steps").size()).isZero();
        assertThat(got.at("/state/steps/0/status")).isEqualTo("complete");
        assertThat(got.at("/state/steps/0/state")).isEqualTo("completed");
    }

    @Test
    void a_claim_for_an_unknown_run_is_not_found() {
        var got = claim("'run':'nobody'");
        assertThat(got.status()).isEqualTo(404);
        assertThat(got.at("/detail")).isEqualTo("run not found: nobody");
    }

    @Test
    @Tag("R2.4")
    @Tag("R2.14")
    void a_claim_of_a_run_is_answered_with_the_status_and_reason_of_every_step() {
        NODE.start("commission", "claimed");
        var state = claim("'run':'claimed'").json().at("/state");
        assertThat(state.at("/run").asString()).isEqualTo("claimed");
        assertThat(state.at("/state").asString()).isEqualTo("running");
        assertThat(state.at("/running_steps").findValuesAsString("step")).containsExactly("docs");
        assertThat(state.at("/steps"))
                .extracting(step ->
                        step.get("id").asString() + " " + step.get("status").asString() + " "
                                + step.get("state").asString())
                .containsExactly("docs ready running", "plan ready ready", "review blocked blocked");
        assertThat(state.at("/steps/0/reason/reason").asString()).isEqualTo("already_running");
        assertThat(state.at("/steps/1/held").asBoolean()).isTrue();
        assertThat(state.at("/steps/1/reason/limit/id").asString()).isEqualTo("run_slots");
        assertThat(state.at("/steps/2/reason/steps/0").asString()).isEqualTo("plan");
    }

    @Test
    @Tag("R2.14")
    void a_report_is_answered_with_the_snapshot_of_its_run() {
        NODE.start("commission", "reported");
        claim("'run':'reported'");
        var state = NODE.post("/v1/updates", "{'updates':[" + completed("reported", "docs") + "]}")
                .json()
                .at("/state");
        assertThat(state.at("/run").asString()).isEqualTo("reported");
        assertThat(state.at("/running_steps").size()).isZero();
        assertThat(state.at("/steps").findValuesAsString("status")).containsExactly("complete", "ready", "blocked");
    }

    @Test
    void a_report_that_ends_its_run_is_answered_with_the_final_state() {
        NODE.start("one", "last");
        claim("'run':'last'");
        var got = NODE.post("/v1/updates", "{'updates':[" + completed("last", "a") + "]}");
        assertThat(got.at("/results/0/outcome")).isEqualTo("applied");
        assertThat(got.at("/state/state")).isEqualTo("completed");
        assertThat(got.at("/state/steps/0/status")).isEqualTo("complete");
    }

    @Test
    void reports_about_several_runs_or_without_a_snapshot_request_have_no_snapshot() {
        NODE.start("one", "s1");
        NODE.start("one", "s2");
        String both = "{'updates':[" + completed("s1", "a") + "," + completed("s2", "a") + "]}";
        assertThat(NODE.post("/v1/updates", both).json().has("state")).isFalse();
        String first = "{'updates':[" + completed("s1", "a") + "]}";
        assertThat(NODE.post("/v1/updates?snapshot=false", first).json().has("state"))
                .isFalse();
        assertThat(NODE.post("/v1/updates?snapshot=no", first).at("/detail"))
                .isEqualTo("?snapshot: expected true or false, found 'no'");
    }

    @Test
    @Tag("R1.3")
    void a_snapshot_shows_how_far_a_fan_out_is() {
        NODE.apply(
                "five",
                "{'workflow':'five','steps':[{'id':'a','uses':'five.m','with_items':[0,1,2,3,4],'concurrency':3}]}");
        NODE.start("five", "f");
        var items = claim("'run':'f'").json().at("/state/steps/0/items");
        assertThat(items.toString())
                .isEqualTo("{\"total\":5,\"requested\":2,\"in_flight\":3,\"ended\":0,\"failed\":0,\"free_slots\":0,"
                        + "\"siblings_remaining\":5}");
    }

    @Test
    @Tag("R2.5")
    void module_ids_are_accepted_as_step_ids_together_with_a_run() {
        NODE.start("commission", "chosen");
        assertThat(claim("'run':'chosen','module_ids':['plan']").at("/claims/0/step"))
                .isEqualTo("plan");
        assertThat(claim("'run':'chosen','module_ids':['plan'],'steps':['plan']")
                        .at("/detail"))
                .startsWith("/module_ids: expected either steps or module_ids, found both");
        assertThat(claim("'modules':['plan.m'],'module_ids':['plan']").at("/detail"))
                .startsWith("/module_ids: expected a run together with module_ids, found no run");
    }
}
