package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests calls without a definition. The calls themselves are made in TriggerEndToEndTest. */
@Tag("R3.5")
class TriggerApiTest {
    private static final TestNode NODE = new TestNode();

    @AfterAll
    static void close() {
        NODE.close();
    }

    @Test
    void a_triggered_call_is_an_ordinary_run_that_lists_keys_and_why_show() {
        NODE.post("/v1/keys/pause", "{'key':'one-an-hour'}");
        var created = NODE.post(
                "/v1/trigger",
                "{'url':'https://x.example/','id':'call-1','flowControl':{'key':'one-an-hour','rate':1,"
                        + "'period':3600000}}");
        assertThat(created.status()).isEqualTo(201);
        assertThat(created.at("/workflow")).isEqualTo("weir.trigger");
        assertThat(created.headers().get("location")).containsExactly("/v1/runs/call-1");

        assertThat(NODE.get("/v1/runs?workflow=weir.trigger").body()).contains("\"id\":\"call-1\"");
        assertThat(NODE.get("/v1/runs/call-1").at("/steps/0/id")).isEqualTo("call");
        assertThat(NODE.get("/v1/runs/call-1/steps/call/why").at("/reasons/0/limit/key"))
                .isEqualTo("one-an-hour");
        assertThat(NODE.get("/v1/keys?key=one-an-hour").at("/rate/period")).isEqualTo("1h");
        assertThat(NODE.post("/v1/runs/call-1/cancel", "{}").at("/state")).isEqualTo("cancelled");
    }

    @Test
    void the_same_id_or_key_makes_one_call_and_another_body_is_refused() {
        String body = "{'url':'https://x.example/','id':'same','delay':'1h','body':{'n':%s}}";
        assertThat(NODE.post("/v1/trigger", body.formatted("1")).status()).isEqualTo(201);
        assertThat(NODE.post("/v1/trigger", body.formatted("1")).status()).isEqualTo(200);
        assertThat(NODE.post("/v1/trigger", body.formatted("2")).status()).isEqualTo(409);
        String keyed = "{\"url\":\"https://x.example/\",\"delay\":\"1h\"%s}";
        assertThat(withKey(keyed.formatted("")).status()).isEqualTo(201);
        assertThat(withKey(keyed.formatted("")).status()).isEqualTo(200);
        assertThat(withKey(keyed.formatted(",\"timeout\":\"1s\"")).status()).isEqualTo(422);
    }

    private static TestNode.TestResponse withKey(String body) {
        var request = NODE.request("POST", "/v1/trigger")
                .header("Authorization", "Bearer acme-token")
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", "charge-7");
        return NODE.send(request, "POST", body);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "{'id':'a'} | /url",
                "{'url':'https://x','workflow':'w'} | /workflow",
                "{'url':'ftp://x'} | /url",
                "{'url':'https://a:b@x'} | /url",
                "{'url':'https://x/${{ secrets.A }}'} | /url",
                "{'url':'https://x','method':'BREW'} | /method",
                "{'url':'https://x','method':'GET','body':{}} | /body",
                "{'url':'https://x','input':{}} | /input",
                "{'workflow':'w','body':{}} | /body",
                "{'url':'https://x','headers':{'Host':'y'}} | /headers/Host",
                "{'url':'https://x','headers':{'A/B':'y'}} | /headers/A~1B",
                "{'url':'https://x','headers':{'A':1}} | /headers/A",
                "{'url':'https://x','headers':{'A':{'prefix':'y'}}} | /headers/A/secret",
                "{'url':'https://x','headers':{'A':{'secret':'S','name':'y'}}} | /headers/A",
                "{'url':'https://x','headers':{'A':'${{ secrets.A }}'}} | /headers/A",
                "{'url':'https://x','flow_control':{'key':'k'}} | /flow_control/key",
                "{'url':'https://x','flow_control':[{'key':'k','rate':0}]} | /flow_control/0/rate",
                "{'url':'https://x','flow_control':{'key':'k','rate':1,'period':'soon'}} | /flow_control/period",
                "{'url':'https://x','retry':{'max_attempts':0}} | /retry/max_attempts",
                "{'url':'https://x','retry':{'delay':'5'}} | /retry/delay",
                "{'url':'https://x','retry':{'backoff':'slow'}} | /retry/backoff",
                "{'url':'https://x','timeout':'0s'} | /timeout",
                "{'url':'https://x','delay':'9999d'} | /delay",
                "{'url':'https://x','id':'a b'} | /id",
            })
    void a_wrong_request_is_refused_with_its_position(String body, String pointer) {
        var got = NODE.post("/v1/trigger", body);
        assertThat(got.status()).as(got.toString()).isEqualTo(400);
        assertThat(got.at("/errors/0/pointer")).as(got.toString()).isEqualTo(pointer);
    }

    @Test
    void a_key_of_a_call_is_data_and_is_not_evaluated() {
        String key = "user-${{ input.url }}";
        NODE.post("/v1/keys/pause", "{'key':'" + key + "'}");
        var got = NODE.post(
                "/v1/trigger", "{'url':'https://x.example/','flow_control':{'key':'" + key + "','parallelism':1}}");
        assertThat(got.status()).as(got.toString()).isEqualTo(201);
        assertThat(NODE.get("/v1/runs/" + got.at("/id") + "/steps/call/why").at("/reasons/0/limit/key"))
                .isEqualTo(key);
    }

    @Test
    void a_workflow_can_be_triggered_and_its_steps_inherit_the_block() {
        NODE.apply("triggered", "{'workflow':'triggered','steps':[{'id':'a','uses':'triggered.m'}]}");
        for (int n = 1; n <= 2; n++) {
            var got = NODE.post(
                    "/v1/trigger",
                    "{'workflow':'triggered','id':'tr-" + n + "','input':{'n':1},"
                            + "'flowControl':{'key':'by-${{ input.n }}','parallelism':1}}");
            assertThat(got.status()).as(got.toString()).isEqualTo(201);
        }
        var claimed = NODE.post("/v1/claims", "{'modules':['triggered.m'],'limit':9}");
        assertThat(claimed.json().at("/claims").size()).isEqualTo(1);
        assertThat(NODE.get("/v1/keys?key=by-1").json().at("/waiting").intValue())
                .isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"weir.trigger", "weir.other"})
    void users_can_neither_register_nor_start_a_workflow_of_weir_itself(String name) {
        var registered =
                NODE.put("/v1/workflows/" + name, "{'workflow':'" + name + "','steps':[{'id':'a','uses':'m'}]}");
        assertThat(registered.status()).isEqualTo(400);
        assertThat(registered.at("/errors/0/pointer")).isEqualTo("/workflow");
        String start = "{'workflow':'" + name + "','input':{'url':'https://x'}}";
        assertThat(NODE.post("/v1/runs", start).status()).isEqualTo(422);
        assertThat(NODE.post("/v1/runs", start).body()).contains("POST /v1/trigger");
        assertThat(NODE.post("/v1/trigger", start).status()).isEqualTo(422);
        assertThat(NODE.post("/v1/runs/batch", "{'runs':[" + start + "," + start + "]}")
                        .at("/results/1/outcome"))
                .isEqualTo("refused");
    }

    @Test
    @Tag("R2.8")
    void a_pin_that_is_narrower_than_a_waiting_step_is_accepted_with_a_warning() {
        NODE.apply(
                "wide",
                "{'workflow':'wide','steps':[{'id':'a','uses':'wide.m','flow_control':{'key':'wide','parallelism':8,"
                        + "'weight':4}},{'id':'b','uses':'wide.m','flow_control':{'key':'dear','rate':8,'cost':4}}]}");
        NODE.start("wide", "wide-1");
        assertThat(NODE.post("/v1/keys/pin", "{'key':'wide','parallelism':4}")
                        .json()
                        .has("warnings"))
                .isFalse();
        assertThat(NODE.post("/v1/keys/pin", "{'key':'wide','parallelism':3}").at("/warnings/0"))
                .isEqualTo("1 waiting step needs 4 of the parallelism of 3; it waits as over_capacity until the pin"
                        + " changes");
        assertThat(NODE.post("/v1/keys/pin", "{'key':'dear','rate':3}").at("/warnings/0"))
                .startsWith("1 waiting step needs 4 of the rate of 3");
        assertThat(NODE.get("/v1/runs/wide-1/steps/a/why").at("/reasons/0/reason"))
                .isEqualTo("over_capacity");
    }
}
