package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

@Tag("R3.7")
@Tag("R4.8")
@Tag("RX.7")
class AuditApiTest {
    private final TestNode node = new TestNode();

    @AfterEach
    void close() {
        node.close();
    }

    private static List<String> actions(TestNode.TestResponse page) {
        List<String> actions = new ArrayList<>();
        for (JsonNode entry : page.json().get("entries")) {
            actions.add(entry.get("action").stringValue());
        }
        return actions;
    }

    @Test
    void a_change_shows_who_when_from_where_what_before_after_and_why() {
        var pause = node.request("POST", "/v1/keys/pause")
                .header("Authorization", "Bearer acme-operator")
                .header("Content-Type", "application/json")
                .header("Weir-Origin", "cli")
                .header("X-Request-Id", "req-7");
        var got = node.send(pause, "POST", "{\"key\":\"billing\",\"reason\":\"the provider is down\"}");
        assertThat(got.headers().get("x-request-id")).containsExactly("req-7");
        JsonNode entry = node.get("/v1/audit").json().at("/entries/0");
        assertThat(entry.get("number").intValue()).isEqualTo(1);
        assertThat(entry.get("actor").stringValue()).isEqualTo("acme-operator");
        assertThat(entry.get("origin").stringValue()).isEqualTo("cli");
        assertThat(entry.get("request_id").stringValue()).isEqualTo("req-7");
        assertThat(entry.get("reason").stringValue()).isEqualTo("the provider is down");
        assertThat(entry.get("action").stringValue()).isEqualTo("pause_key");
        assertThat(entry.get("target").stringValue()).isEqualTo("key:billing");
        assertThat(entry.get("before").toString()).isEqualTo("{}");
        assertThat(entry.at("/after/paused").booleanValue()).isTrue();
        assertThat(entry.get("at").stringValue()).isNotEmpty();
    }

    @Test
    void a_repeated_request_adds_no_entry_and_a_start_adds_none() {
        node.apply("w", "{'workflow':'w','steps':[{'id':'a','uses':'nobody'}]}");
        node.apply("w", "{'workflow':'w','steps':[{'id':'a','uses':'nobody'}]}");
        node.start("w", "r");
        for (int i = 0; i < 2; i++) {
            node.post("/v1/keys/pin", "{'key':'k','parallelism':2}");
            node.post("/v1/runs/r/pause", "{}");
        }
        node.post("/v1/runs/r/cancel", "{'reason':'enough'}");
        node.post("/v1/runs/r/cancel", "{'reason':'enough'}");
        assertThat(actions(node.get("/v1/audit")))
                .containsExactly("cancel_run", "pause_run", "pin_key", "register_workflow");
    }

    @Test
    @Tag("RX.7")
    void a_step_names_the_token_and_the_worker_that_reported_last() {
        node.apply("w", "{'workflow':'w','steps':[{'id':'a','uses':'m'},{'id':'b','uses':'m','needs':['a']}]}");
        node.start("w", "r");
        String token =
                node.post("/v1/tokens", "{'name':'packer','role':'worker'}").at("/token");
        var claimed = node.send("POST", "/v1/claims", "{\"run\":\"r\",\"worker\":\"packer-7\"}", token);
        String report = "{\"updates\":[{\"run\":\"r\",\"step\":\"a\",\"fence\":" + claimed.at("/claims/0/fence")
                + ",\"result\":\"completed\"}]}";
        node.send("POST", "/v1/updates", report, token);
        assertThat(node.get("/v1/runs/r/steps").at("/steps/0/reported_by/actor"))
                .isEqualTo("packer");
        assertThat(node.get("/v1/runs/r/steps").at("/steps/0/reported_by/worker"))
                .isEqualTo("packer-7");
        assertThat(node.get("/v1/runs/r/steps").json().at("/steps/1").has("reported_by"))
                .isFalse();
    }

    @Test
    @Tag("RX.7")
    void a_step_names_the_token_that_sent_its_signal_before_or_while_the_step_waits() {
        node.apply("w", """
                {'workflow':'w','steps':[{'id':'a','wait_for':{'signal':'go'}},
                                         {'id':'b','wait_for':{'signal':'stop'},'needs':['a']}]}""");
        node.start("w", "r");
        String token =
                node.post("/v1/tokens", "{'name':'shop','role':'starter'}").at("/token");
        node.send("POST", "/v1/runs/r/signals/stop", "{\"id\":\"early\"}", token);
        node.post("/v1/runs/r/signals/go", "{'payload':1}");
        assertThat(node.get("/v1/runs/r").json().at("/steps/0/signal").toString())
                .isEqualTo("{\"sent_by\":\"test\"}");
        assertThat(node.get("/v1/runs/r").json().at("/steps/1/signal").toString())
                .isEqualTo("{\"id\":\"early\",\"sent_by\":\"shop\"}");
    }

    @Test
    void a_run_names_the_token_that_started_it() {
        node.apply("w", "{'workflow':'w','steps':[{'id':'a','uses':'nobody'}]}");
        String token =
                node.post("/v1/tokens", "{'name':'shop','role':'starter'}").at("/token");
        node.send("POST", "/v1/runs", "{\"workflow\":\"w\",\"id\":\"r\"}", token);
        assertThat(node.get("/v1/runs/r").at("/started_by")).isEqualTo("shop");
        assertThat(node.get("/v1/runs").at("/runs/0/started_by")).isEqualTo("shop");
        assertThat(node.get("/v1/runs/r").json().has("origin")).isFalse();
        assertThat(node.get("/v1/runs?started_by=shop").at("/runs/0/id")).isEqualTo("r");
        node.post("/v1/runs/r/cancel", "{}");
        assertThat(node.get("/v1/runs?started_by=shop").at("/runs/0/id")).isEqualTo("r");
        node.post("/v1/runs/r/retry", "{'id':'r2'}");
        assertThat(node.get("/v1/runs/r2").at("/started_by")).isEqualTo("test");
        var again = node.post("/v1/runs", "{'workflow':'w','id':'r'}");
        assertThat(again.status())
                .as("the same start by another token is a repeat")
                .isEqualTo(200);
    }

    @Test
    void entries_are_filtered_and_paged() {
        for (int i = 0; i < 5; i++) {
            node.post("/v1/keys/pause", "{'key':'k" + i + "'}");
        }
        node.send("POST", "/v1/keys/resume", "{\"key\":\"k1\"}", "acme-operator");
        assertThat(actions(node.get("/v1/audit?actor=acme-operator"))).containsExactly("resume_key");
        assertThat(actions(node.get("/v1/audit?target=key:k1"))).containsExactly("resume_key", "pause_key");
        assertThat(actions(node.get("/v1/audit?action=pause_key"))).hasSize(5);
        String third = node.get("/v1/audit").at("/entries/3/at");
        assertThat(actions(node.get("/v1/audit?until=" + third))).hasSizeLessThan(4);
        assertThat(actions(node.get("/v1/audit?since=" + third))).hasSizeGreaterThan(3);
        var first = node.get("/v1/audit?limit=4");
        var second = node.get("/v1/audit?limit=4&cursor=" + first.at("/next"));
        assertThat(actions(first)).hasSize(4);
        assertThat(actions(second)).hasSize(2);
        assertThat(second.json().has("next")).isFalse();
        assertThat(node.get("/v1/audit?since=yesterday").at("/errors/0/pointer"))
                .isEqualTo("?since");
        assertThat(node.get("/v1/audit?actr=x").status()).isEqualTo(400);
    }

    @Test
    void a_chain_is_verified_with_and_without_a_head() {
        node.post("/v1/keys/pause", "{'key':'k'}");
        var check = node.get("/v1/audit/verify");
        assertThat(check.json().get("intact").booleanValue()).isTrue();
        assertThat(check.at("/tail")).isEqualTo("unproved");
        String head = check.at("/head");
        node.post("/v1/keys/resume", "{'key':'k'}");
        var proved = node.get("/v1/audit/verify?head=" + head);
        assertThat(proved.at("/tail")).isEqualTo("proved");
        assertThat(proved.at("/checked")).isEqualTo("2");
        var longer = node.get("/v1/audit/verify?head=9:" + head.substring(2));
        assertThat(longer.at("/tail")).isEqualTo("missing");
        assertThat(longer.json().get("intact").booleanValue()).isFalse();
        var other = node.get("/v1/audit/verify?head=1:" + "0".repeat(64));
        assertThat(other.at("/findings/0/problem")).contains("replaced");
        assertThat(node.get("/v1/audit/verify?head=1").at("/errors/0/pointer")).isEqualTo("?head");
    }

    @Test
    void an_unknown_origin_is_refused_and_an_organisation_sees_only_its_own_changes() {
        var odd = node.request("POST", "/v1/keys/pause")
                .header("Authorization", "Bearer acme-token")
                .header("Content-Type", "application/json")
                .header("Weir-Origin", "weir");
        var got = node.send(odd, "POST", "{\"key\":\"k\"}");
        assertThat(got.status()).isEqualTo(400);
        assertThat(got.at("/errors/0/pointer")).isEqualTo("Weir-Origin");
        node.post("/v1/keys/pause", "{'key':'k'}");
        assertThat(actions(node.send("GET", "/v1/audit", null, "other-token"))).isEmpty();
    }

    @Test
    void a_header_gives_the_reason_of_a_request_without_a_field_for_it() {
        node.apply("w", "{'workflow':'w','steps':[{'id':'a','uses':'nobody'}]}");
        node.start("w", "r");
        var pause = node.request("POST", "/v1/runs/r/pause")
                .header("Authorization", "Bearer acme-token")
                .header("Weir-Reason", "maintenance");
        node.send(pause, "POST", null);
        assertThat(node.get("/v1/audit").at("/entries/0/reason")).isEqualTo("maintenance");
    }
}
