package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R4.9")
class OrganisationsApiTest {
    private static final String WORKFLOW = "{'workflow':'w','steps':[{'id':'a','uses':'m'}]}";
    private final TestNode node = new TestNode();

    @AfterEach
    void close() {
        node.close();
    }

    private TestNode.TestResponse claim() {
        return node.post("/v1/claims", "{'worker':'x','modules':['m'],'limit':5,'wait':'0s','request_id':'one'}");
    }

    @Test
    void a_suspended_organisation_refuses_starts_hands_out_nothing_and_accepts_reports() {
        node.apply("w", WORKFLOW);
        node.post("/v1/runs", "{'workflow':'w','id':'runs'}");
        var running =
                node.post("/v1/claims", "{'worker':'x','modules':['m'],'limit':1,'wait':'0s','request_id':'before'}");
        assertThat(running.json().at("/claims/0/run").asString())
                .as("%s", running)
                .isEqualTo("runs");
        node.post("/v1/runs", "{'workflow':'w','id':'waits'}");

        var suspended = node.post("/v1/organisations/acme/suspend", "{'reason':'unpaid'}");
        assertThat(suspended.at("/state")).isEqualTo("suspended");
        assertThat(suspended.at("/reason")).isEqualTo("unpaid");

        var refused = node.post("/v1/runs", "{'workflow':'w','id':'new'}");
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.at("/detail")).contains("suspended");
        assertThat(node.post("/v1/runs", "{'workflow':'w','id':'waits'}").status())
                .as("a repeated start")
                .isEqualTo(200);
        assertThat(claim().json().at("/claims").size()).isZero();
        assertThat(node.get("/v1/runs/waits/steps/a/why").json().findValuesAsString("reason"))
                .contains("suspended");
        String report =
                "{'updates':[{'run':'runs','step':'a','fence':" + node.fence("runs") + ",'result':'completed'}]}";
        assertThat(node.post("/v1/updates", report).status()).isEqualTo(200);
        assertThat(node.get("/v1/runs/runs").at("/state")).isEqualTo("completed");

        assertThat(node.post("/v1/organisations/acme/resume", "{}").at("/state"))
                .isEqualTo("active");
        assertThat(claim().json().at("/claims/0/run").asString()).isEqualTo("waits");
        assertThat(node.post("/v1/runs", "{'workflow':'w','id':'new'}").status())
                .isEqualTo(201);
    }

    @Test
    void an_organisation_is_created_with_a_token_once_and_renamed() {
        var created = node.post("/v1/organisations", "{'name':'shop'}");
        assertThat(created.status()).isEqualTo(201);
        assertThat(created.at("/token/token")).startsWith("weir_");
        assertThat(created.at("/token/role")).isEqualTo("admin");
        assertThat(created.json().at("/token/administrator").asBoolean()).isFalse();
        assertThat(node.post("/v1/organisations", "{'name':'shop'}").status()).isEqualTo(409);
        var bad = node.post("/v1/organisations", "{'name':'a/b'}");
        assertThat(bad.at("/errors/0/pointer")).isEqualTo("/name");

        assertThat(node.post("/v1/organisations/shop/rename", "{'name':'acme'}").status())
                .isEqualTo(409);
        assertThat(node.post("/v1/organisations/shop/rename", "{'name':'big'}").at("/name"))
                .isEqualTo("big");
        assertThat(node.get("/v1/organisations/shop").status()).isEqualTo(404);
        assertThat(node.get("/v1/organisations/big").status()).isEqualTo(200);
        assertThat(node.post("/v1/organisations/big/tokens", "{'name':'first'}").status())
                .as("its tokens came along")
                .isEqualTo(409);
        assertThat(node.post("/v1/organisations/none/suspend", "{}").status()).isEqualTo(404);
    }

    @Test
    void a_deletion_needs_a_suspension_and_a_confirmation_and_a_run_must_have_ended() {
        node.post("/v1/organisations", "{'name':'shop'}");
        var active = node.post("/v1/organisations/shop/delete", "{'confirm':'shop'}");
        assertThat(active.status()).isEqualTo(409);
        assertThat(active.at("/detail")).contains("suspend it");
        node.post("/v1/organisations/shop/suspend", "{}");
        assertThat(node.post("/v1/organisations/shop/delete", "{'confirm':'shpo'}")
                        .at("/errors/0/pointer"))
                .isEqualTo("/confirm");
        assertThat(node.post("/v1/organisations/shop/delete", "{'confirm':'shop'}")
                        .status())
                .isEqualTo(202);
        assertThat(node.get("/v1/administration/deletions").at("/deletions/0/organisation"))
                .isEqualTo("shop");

        node.apply("w", WORKFLOW);
        node.post("/v1/runs", "{'workflow':'w','id':'r'}");
        var live = node.post("/v1/runs/r/delete", "{'confirm':'r'}");
        assertThat(live.status()).isEqualTo(409);
        assertThat(live.at("/detail")).contains("has not ended");
        node.post("/v1/runs/r/cancel", "{}");
        assertThat(node.post("/v1/runs/r/delete", "{'confirm':'x'}").status()).isEqualTo(400);
        assertThat(node.post("/v1/runs/r/delete", "{'confirm':'r'}").status()).isEqualTo(202);
        assertThat(node.post("/v1/runs/none/delete", "{'confirm':'none'}").status())
                .isEqualTo(404);
        assertThat(node.send("POST", "/v1/runs/r/delete", "{\"confirm\":\"r\"}", "acme-operator")
                        .status())
                .isEqualTo(403);
    }

    @Test
    void an_admin_of_an_organisation_is_no_administrator_of_the_node() {
        var got = node.send("POST", "/v1/organisations/acme/suspend", "{}", "acme-admin");
        assertThat(got.status()).isEqualTo(403);
        assertThat(node.get("/v1/organisations/acme").at("/state")).isEqualTo("active");
    }

    @Test
    void a_paused_workflow_keeps_runs_queued_and_an_archived_one_refuses_them() {
        node.apply("w", WORKFLOW);
        node.put("/v1/workflows/w/availability", "{'availability':'paused','reason':'the bank is down'}");
        assertThat(node.post("/v1/runs", "{'workflow':'w','id':'r'}").at("/state"))
                .isEqualTo("queued");
        assertThat(node.get("/v1/runs/r/why").body()).contains("paused");
        node.put("/v1/workflows/w/availability", "{'availability':'open'}");
        assertThat(node.get("/v1/runs/r").at("/state")).isEqualTo("running");

        node.put("/v1/workflows/w/availability", "{'availability':'archived'}");
        var refused = node.post("/v1/runs", "{'workflow':'w','id':'s'}");
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.at("/detail")).contains("archived");
        assertThat(node.get("/v1/workflows").json().at("/workflows").size()).isZero();
        assertThat(node.get("/v1/workflows?archived=true").at("/workflows/0/availability"))
                .isEqualTo("archived");
        assertThat(node.get("/v1/audit?target=workflow:w").json().findValuesAsString("action"))
                .contains("set_workflow_availability");
        assertThat(node.put("/v1/workflows/w/availability", "{'availability':'off'}")
                        .at("/errors/0/pointer"))
                .isEqualTo("/availability");
        assertThat(node.put("/v1/workflows/none/availability", "{'availability':'open'}")
                        .status())
                .isEqualTo(404);
    }
}
