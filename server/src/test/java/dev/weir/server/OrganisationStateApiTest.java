package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests limits, evaluation, snapshot and quota of an organisation over HTTP. */
class OrganisationStateApiTest {
    private final TestNode node = new TestNode();

    @AfterEach
    void close() {
        node.close();
    }

    private void define(String name, String limits) {
        node.apply(
                name,
                "{'workflow':'" + name + "','limits':{" + limits + "},'steps':[{'id':'a','uses':'" + name + ".m'}]}");
    }

    private String state(String run) {
        return node.get("/v1/runs/" + run).at("/state");
    }

    @Test
    @Tag("R4.1")
    void limits_of_the_organisation_apply_to_all_workflows_and_raising_them_starts_waiters() {
        define("one", "");
        define("two", "");
        var set = node.patch("/v1/org/limits", "{'max_concurrent_runs':1,'reason':'small database'}");
        assertThat(set.status()).as(set.body()).isEqualTo(200);
        assertThat(set.at("/max_concurrent_runs/effective")).isEqualTo("1");
        assertThat(set.at("/changed_by")).isEqualTo("test");
        assertThat(set.at("/quota/resource_type")).isEqualTo("workflow_executions");
        assertThat(set.headers().get("etag")).containsExactly("\"1\"");
        node.start("one", "r1");
        node.start("two", "r2");
        var held = node.get("/v1/runs/r2");
        assertThat(held.at("/state")).isEqualTo("queued");
        assertThat(held.at("/rate_limit_hold_until")).isNotEmpty();
        assertThat(held.body()).contains("the limit on runs of the organisation is full (1 of 1)");
        node.patch("/v1/org/limits", "{'max_concurrent_runs':2,'for':'1h'}");
        assertThat(state("r2")).isEqualTo("running");
        assertThat(node.get("/v1/org/limits").at("/max_concurrent_runs/lasting"))
                .isEqualTo("1");
        assertThat(node.get("/v1/workflows/one/limits").at("/workflow")).isEqualTo("one");
    }

    @Test
    @Tag("R4.1")
    void a_change_of_limits_is_refused_with_the_field_that_is_wrong() {
        var unknown = node.patch("/v1/org/limits", "{'max_runs':1}");
        assertThat(unknown.status()).isEqualTo(400);
        assertThat(unknown.at("/errors/0/pointer")).isEqualTo("/max_runs");
        assertThat(node.patch("/v1/org/limits", "{'max_concurrent_runs_per_key':1}")
                        .at("/errors/0/pointer"))
                .isEqualTo("/max_concurrent_runs_per_key");
        assertThat(node.patch("/v1/org/limits", "{'default_debounce':5}").at("/errors/0/pointer"))
                .isEqualTo("/default_debounce");
        assertThat(node.patch("/v1/org/limits", "{'default_debounce':'5 apples'}")
                        .at("/errors/0/pointer"))
                .isEqualTo("/default_debounce");
        node.patch("/v1/org/limits", "{'default_debounce':'5s'}");
        assertThat(node.patch("/v1/org/limits", "{'notice_oldest_waiter':'8d'}").at("/errors/0/pointer"))
                .isEqualTo("/notice_oldest_waiter");
        var noticed = node.patch("/v1/org/limits", "{'notice_oldest_waiter':'30m','notice_dead_letters':50}");
        assertThat(noticed.at("/notice_oldest_waiter/effective")).isEqualTo("30m");
        assertThat(noticed.at("/notice_dead_letters/set")).isEqualTo("50");
        assertThat(node.get("/v1/org/limits").at("/default_debounce/effective")).isEqualTo("5s");
        var request = node.request("PATCH", "/v1/org/limits")
                .header("Authorization", "Bearer acme-token")
                .header("Content-Type", "application/json")
                .header("If-Match", "\"7\"");
        assertThat(node.send(request, "PATCH", "{\"runs_per_minute\":1}").status())
                .isEqualTo(412);
        assertThat(node.send("PATCH", "/v1/org/limits", "{\"runs_per_minute\":1}", "acme-viewer")
                        .status())
                .isEqualTo(403);
        assertThat(node.send("GET", "/v1/org/limits", null, "other-token").at("/version"))
                .as("the other organisation")
                .isEqualTo("0");
    }

    @Test
    @Tag("R4.1")
    void a_run_key_has_limits_of_its_own() {
        define("keyed", "'run_key':'${{ input.c }}','max_concurrent_runs_per_key':1");
        var set = node.patch("/v1/workflows/keyed/limits?run_key=big", "{'max_concurrent_runs':2}");
        assertThat(set.at("/run_key")).isEqualTo("big");
        assertThat(set.at("/max_concurrent_runs/defined")).isEqualTo("1");
        for (int i = 0; i < 3; i++) {
            node.post("/v1/runs", "{'workflow':'keyed','id':'big" + i + "','input':{'c':'big'}}");
            node.post("/v1/runs", "{'workflow':'keyed','id':'small" + i + "','input':{'c':'small'}}");
        }
        assertThat(state("big1")).isEqualTo("running");
        assertThat(state("big2")).isEqualTo("queued");
        assertThat(state("small1")).isEqualTo("queued");
    }

    @Test
    void a_full_queue_answers_429_with_retry_after_and_names_its_ceiling() {
        define("slow", "'max_concurrent_runs':1");
        node.patch("/v1/workflows/slow/limits", "{'max_queued_runs':1}");
        node.start("slow", "r0");
        node.start("slow", "r1");
        var full = node.post("/v1/runs", "{'workflow':'slow','id':'r2'}");
        assertThat(full.status()).isEqualTo(429);
        assertThat(full.at("/type")).isEqualTo("/problems/queue_full");
        assertThat(full.at("/detail")).contains("max_queued_runs of workflow slow");
        assertThat(full.headers()).containsKey("retry-after");
        var batch =
                node.post("/v1/runs/batch", "{'runs':[{'workflow':'slow','id':'r3'},{'workflow':'slow','id':'r1'}]}");
        assertThat(batch.json().findValuesAsString("outcome")).containsExactly("queue_full", "existing");
        node.post("/v1/runs/r0/cancel", "{}");
        node.start("slow", "r2");
    }

    @Test
    @Tag("R4.2")
    void an_evaluation_names_what_refuses_a_start_and_starts_nothing() {
        define("w", "'max_concurrent_runs':1");
        assertThat(node.post("/v1/org/evaluate", "{'workflow':'w'}").at("/allowed"))
                .isEqualTo("true");
        node.start("w", "r0");
        var held = node.post("/v1/org/evaluate", "{'workflow_definition_id':'w','organization_id':'acme'}");
        assertThat(held.at("/allowed")).isEqualTo("false");
        assertThat(held.json().at("/defer_seconds").doubleValue()).isBetween(1.0, 2.0);
        assertThat(held.at("/reason")).isEqualTo("the limit on runs of workflow w is full (1 of 1)");
        assertThat(held.at("/why/0/limit/id")).isEqualTo("workflow_runs:w");
        assertThat(node.post("/v1/org/evaluate", "{'workflow':'w','organization_id':'other'}")
                        .status())
                .isEqualTo(404);
        assertThat(node.post("/v1/org/evaluate", "{'workflow':'none'}").status())
                .isEqualTo(404);
        assertThat(node.post("/v1/org/evaluate", "{'workflow':'w','automation_rule_id':'none'}")
                        .at("/detail"))
                .contains("trigger of workflow w not found: none");
        assertThat(node.post("/v1/org/evaluate", "{'workflow':'w','parent':'nobody'}")
                        .status())
                .isEqualTo(404);
        assertThat(node.post("/v1/org/evaluate", "{'workflow':'w','correlation_id':'order-7'}")
                        .at("/reason"))
                .as("a correlation id that is no run's")
                .contains("is full");
        assertThat(node.get("/v1/org/limits").at("/max_cascade_depth/effective"))
                .isEqualTo("10");
        node.patch("/v1/org/limits", "{'max_cascade_depth':1}");
        assertThat(node.post("/v1/org/evaluate", "{'workflow':'w','parent':'r0'}")
                        .at("/reason"))
                .contains("is full");
        assertThat(node.get("/v1/runs").json().at("/runs").size()).isEqualTo(1);
    }

    @Test
    @Tag("R4.10")
    @Tag("R4.11")
    void the_snapshot_and_the_quota_show_what_was_started() {
        define("w", "");
        node.patch("/v1/org/limits", "{'max_concurrent_runs':2,'runs_per_minute':9}");
        for (int i = 0; i < 3; i++) {
            node.start("w", "r" + i);
        }
        var snapshot = node.get("/v1/org/snapshot");
        assertThat(snapshot.at("/concurrent_runs")).isEqualTo("2");
        assertThat(snapshot.at("/started_in_last_minute")).isEqualTo("2");
        assertThat(snapshot.at("/held")).isEqualTo("1");
        assertThat(snapshot.at("/limits/max_concurrent_runs")).isEqualTo("2");
        assertThat(snapshot.at("/started")).isEqualTo("2");
        assertThat(snapshot.at("/deferred")).isEqualTo("1");
        var unset = node.get("/v1/org/quota?resource_type=workflow_executions");
        assertThat(unset.body()).contains("\"limit\":null", "\"remaining\":null", "\"used\":2");
        assertThat(node.put("/v1/org/quota", "{'limit':10,'time_zone':'Europe/Berlin'}")
                        .at("/remaining"))
                .isEqualTo("8");
        assertThat(node.put("/v1/org/quota", "{'limit':10,'time_zone':'Nowhere'}")
                        .at("/errors/0/pointer"))
                .isEqualTo("/time_zone");
        assertThat(node.put("/v1/org/quota", "{'resource_type':'other'}").at("/errors/0/pointer"))
                .isEqualTo("/resource_type");
        assertThat(node.get("/v1/org/quota?resource_type=other").status()).isEqualTo(400);
        assertThat(node.send("PUT", "/v1/org/quota", "{\"limit\":1}", "acme-admin")
                        .status())
                .isEqualTo(403);
        assertThat(node.get("/v1/org/limits").at("/quota/remaining")).isEqualTo("8");
    }

    @Test
    @Tag("R4.10")
    void runs_that_only_their_workflow_holds_count_as_held() {
        define("w", "'max_concurrent_runs':1");
        for (int i = 0; i < 3; i++) {
            node.start("w", "r" + i);
        }
        assertThat(node.get("/v1/org/snapshot").at("/held")).isEqualTo("2");
        assertThat(node.get("/v1/org/snapshot").at("/deferred")).isEqualTo("2");
    }

    @Test
    @Tag("R4.11")
    void an_administrator_sets_the_quota_of_any_organisation_and_its_members_see_it() {
        assertThat(node.put("/v1/organisations/other/quota", "{'limit':7,'time_zone':'Europe/Berlin'}")
                        .at("/remaining"))
                .isEqualTo("7");
        assertThat(node.get("/v1/organisations/other/quota").at("/limit")).isEqualTo("7");
        assertThat(node.send("GET", "/v1/org/quota", null, "other-token").at("/limit"))
                .isEqualTo("7");
        assertThat(node.get("/v1/org/quota").body()).contains("\"limit\":null");
        assertThat(node.put("/v1/organisations/nobody/quota", "{'limit':7}").at("/detail"))
                .isEqualTo("organisation not found: nobody");
        assertThat(node.put("/v1/organisations/other/quota", "{'limit':-1}").at("/errors/0/pointer"))
                .isEqualTo("/limit");
    }
}
