package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.api.WireJson;
import dev.weir.api.Work;
import dev.weir.engine.secret.SecretSource;
import dev.weir.testkit.journal.JournalFaults;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests the requests and reports of workers, in the words of the promises. */
class WorkApiTest {
    private static final SecretSource SECRETS =
            (org, name) -> name.equals("KNOWN") ? Optional.of("value of " + org) : Optional.empty();
    private static final TestNode NODE = new TestNode(JournalFaults.NONE, SECRETS);

    @BeforeAll
    static void apply() {
        NODE.apply("one", "{'workflow':'one','steps':[{'id':'a','uses':'one.m'}]}");
    }

    @AfterAll
    static void close() {
        NODE.close();
    }

    @Test
    @Tag("R2.4")
    void the_same_request_gives_the_same_claims() {
        NODE.apply("same", "{'workflow':'same','steps':[{'id':'a','uses':'same.m'}]}");
        NODE.start("same", "claimed");
        String claimRequest = "{'modules':['same.m'],'limit':500,'request_id':'q1','wait':'5s','lease':'10s'}";
        var first = NODE.post("/v1/claims", claimRequest).json().at("/claims");
        assertThat(first.size()).isEqualTo(1);
        assertThat(first.at("/0/lease").asString()).isEqualTo("10s");
        assertThat(NODE.post("/v1/claims", claimRequest).json().at("/claims")).isEqualTo(first);
        assertThat(update("claimed", fence("claimed"), "completed").at("/results/0/outcome"))
                .isEqualTo("applied");
    }

    @Test
    @Tag("R2.4")
    void a_claim_request_reports_first_and_answers_both() {
        NODE.apply(
                "pair",
                "{'workflow':'pair','steps':[{'id':'a','uses':'pair.m'},{'id':'b','uses':'pair.m','needs':['a']}]}");
        NODE.start("pair", "pair");
        String fence =
                NODE.post("/v1/claims", "{'modules':['pair.m'],'wait':'5s'}").at("/claims/0/fence");
        String both = "{'modules':['pair.m'],'wait':'20s','limit':9,'request_id':'both','updates':["
                + "{'run':'pair','step':'a','fence':" + fence + ",'result':'completed','output':{'n':1}},"
                + "{'run':'pair','step':'a','fence':" + fence + ",'result':'done'},"
                + "{'run':'pair','step':'a','fence':'x'}]}";
        var got = NODE.post("/v1/claims", both);
        assertThat(got.status()).as(got.toString()).isEqualTo(200);
        assertThat(got.at("/results/0/outcome")).isEqualTo("applied");
        assertThat(got.at("/results/1/outcome")).isEqualTo("refused");
        assertThat(got.at("/results/1/detail")).startsWith("/updates/1/result: expected one of completed");
        assertThat(got.at("/results/2/detail")).isEqualTo("/updates/2/fence: expected a whole number, found \"x\"");
        assertThat(got.at("/claims/0/step"))
                .as("the step that the report made ready")
                .isEqualTo("b");
        var again = NODE.post("/v1/claims", both);
        assertThat(again.at("/results/0/outcome")).isEqualTo("replayed");
        assertThat(again.json().at("/claims")).isEqualTo(got.json().at("/claims"));
    }

    @Test
    void a_claim_request_with_reports_does_not_wait_for_work_and_refuses_only_what_is_wrong() {
        String report = "{'run':'nobody','step':'a','fence':1,'result':'no_op'}";
        var idle = NODE.post("/v1/claims", "{'modules':['idle.m'],'wait':'20s','updates':[" + report + "]}");
        assertThat(idle.at("/results/0/outcome")).isEqualTo("not_found");
        assertThat(idle.json().at("/claims").size()).isZero();
        assertThat(NODE.post("/v1/claims", "{'modules':['idle.m'],'updates':[]}")
                        .json()
                        .has("results"))
                .isFalse();
        var noList = NODE.post("/v1/claims", "{'modules':['idle.m'],'updates':7}");
        assertThat(noList.status()).isEqualTo(400);
        assertThat(noList.at("/errors/0/pointer")).isEqualTo("/updates");
        var wrongRest = NODE.post("/v1/claims", "{'modules':['idle.m'],'limit':'x','updates':[" + report + "]}");
        assertThat(wrongRest.status()).isEqualTo(400);
        assertThat(wrongRest.at("/errors/0/pointer")).isEqualTo("/limit");
        var many = NODE.post(
                "/v1/claims",
                "{'modules':['idle.m'],'updates':["
                        + String.join(",", java.util.Collections.nCopies(Work.BATCH_MAX + 1, report)) + "]}");
        assertThat(many.at("/detail")).isEqualTo("/updates: expected a list of at most 500 entries, found 501");
    }

    @Test
    @Tag("R0.15")
    void every_report_is_answered_in_the_words_of_the_promises() {
        NODE.start("one", "told");
        claim("told");
        int first = fence("told");
        assertThat(update("told", 99, "completed").at("/results/0/outcome")).isEqualTo("not_found");
        assertThat(update("told", first, "failed").at("/results/0/outcome")).isEqualTo("applied");
        assertThat(update("told", first, "failed").at("/results/0/outcome")).isEqualTo("replayed");
        assertThat(update("told", first, "no-op").at("/results/0/outcome")).isEqualTo("update_conflict");
        await().untilAsserted(() -> assertThat(claim("told")).isEqualTo(1));
        int second = fence("told");
        assertThat(update("told", first, "failed").at("/results/0/outcome")).isEqualTo("claim_superseded");
        assertThat(update("told", second, "no-op").at("/results/0/outcome")).isEqualTo("applied");
        assertThat(update("told", second, "no_op").at("/results/0/outcome")).isEqualTo("replayed");
        assertThat(update("told", second, "completed").at("/results/0/outcome")).isEqualTo("run_terminal");
        assertThat(update("nobody", 1, "completed").at("/results/0/outcome")).isEqualTo("not_found");
        assertThat(NODE.get("/v1/runs/told").at("/steps/0/outcome")).isEqualTo("no_op");
    }

    @Test
    void a_heartbeat_extends_a_claim_that_lives_and_revives_none() {
        NODE.start("one", "beating");
        claim("beating");
        int fence = fence("beating");
        String heartbeats = "{'heartbeats':[{'run':'beating','step':'a','fence':" + fence
                + "},{'run':'beating','step':'a','fence':" + (fence + 1) + "}]}";
        var both = NODE.post("/v1/heartbeats", heartbeats);
        assertThat(both.at("/results/0/outcome")).isEqualTo("extended");
        assertThat(both.json().at("/results/0/remaining_ms").asLong()).isBetween(20_000L, 30_000L);
        assertThat(both.json().at("/results/0/cancel_requested").asBoolean()).isFalse();
        assertThat(both.at("/results/1/outcome")).isEqualTo("claim_lost");
        NODE.post("/v1/runs/beating/cancel", "{'policy':'cancel_running'}");
        assertThat(NODE.post("/v1/heartbeats", heartbeats)
                        .json()
                        .at("/results/0/cancel_requested")
                        .asBoolean())
                .isTrue();
        update("beating", fence, "completed");
        assertThat(NODE.post("/v1/heartbeats", heartbeats).at("/results/0/outcome"))
                .isEqualTo("claim_lost");
    }

    @Test
    @Tag("R2.6")
    void a_step_that_needs_input_stays_in_the_running_set_until_it_gets_it() {
        NODE.start("one", "asks");
        claim("asks");
        String needs = "{'updates':[{'run':'asks','step':'a','fence':" + fence("asks")
                + ",'result':'needs-input','output':{'ask':'who?'}}]}";
        assertThat(NODE.post("/v1/updates", needs).at("/results/0/outcome")).isEqualTo("applied");
        var run = NODE.get("/v1/runs/asks");
        assertThat(run.at("/running_steps/0/step")).isEqualTo("a");
        assertThat(run.at("/steps/0/state")).isEqualTo("needs_input");
        assertThat(run.at("/steps/0/output/ask")).isEqualTo("who?");
        assertThat(NODE.get("/v1/runs/asks/steps/a/why").at("/reasons/0/reason"))
                .isEqualTo("needs_input");
        assertThat(NODE.post("/v1/runs/asks/steps/a/input", "{'input':'me'}").at("/outcome"))
                .isEqualTo("provided");
        var again = NODE.post("/v1/claims", "{'modules':['one.m'],'wait':'5s'}");
        assertThat(again.at("/claims/0/provided")).isEqualTo("me");
        String done = "{'updates':[{'run':'asks','step':'a','fence':" + again.at("/claims/0/fence")
                + ",'result':'completed'}]}";
        assertThat(NODE.post("/v1/updates", done).at("/results/0/outcome")).isEqualTo("applied");
    }

    @Test
    void oversized_inputs_signals_and_outputs_are_refused() {
        NODE.start("one", "burdened");
        String large = "x".repeat(300_000);
        var input = NODE.post("/v1/runs/burdened/steps/a/input", "{'input':'" + large + "'}");
        var signal = NODE.post("/v1/runs/burdened/signals/go", "{'payload':'" + large + "'}");
        var amended = NODE.put("/v1/runs/burdened/input", "{'input':'" + large + "'}");
        var output = NODE.put("/v1/runs/burdened/steps/a/output", "{'output':'" + large + "'}");
        assertThat(List.of(input, signal, amended, output)).allSatisfy(refused -> {
            assertThat(refused.status()).isEqualTo(422);
            assertThat(refused.at("/detail"))
                    .isEqualTo(
                            "expected at most 262144 characters of JSON, found 300002; store large data elsewhere and"
                                    + " pass its address");
        });
    }

    @Test
    void a_secret_is_put_in_when_work_is_handed_out_and_one_that_is_not_known_fails_its_step() {
        NODE.apply(
                "secret",
                "{'workflow':'secret','steps':[{'id':'a','uses':'secret.m','with':{'s':'${{ secrets.KNOWN }}'}}]}");
        NODE.start("secret", "secretive");
        var claimed = NODE.post("/v1/claims", "{'run':'secretive'}");
        assertThat(claimed.at("/claims/0/input/s")).isEqualTo("value of acme");
        assertThat(claimed.at("/state/state")).isEqualTo("running");
        assertThat(NODE.get("/v1/runs/secretive").body()).doesNotContain("value of acme");
        NODE.apply(
                "lost", "{'workflow':'lost','steps':[{'id':'a','uses':'lost.m','with':{'s':'${{ secrets.LOST }}'}}]}");
        NODE.start("lost", "lost-1");
        assertThat(NODE.post("/v1/claims", "{'run':'lost-1'}")
                        .json()
                        .at("/claims")
                        .size())
                .isZero();
        assertThat(NODE.get("/v1/runs/lost-1").at("/steps/0/error")).contains("a secret named LOST");
        assertThat(NODE.get("/v1/runs/lost-1").at("/state")).isEqualTo("failed");
    }

    @Test
    void an_input_as_deep_as_is_accepted_can_be_claimed() {
        NODE.apply("deep", "{'workflow':'deep','steps':[{'id':'a','uses':'deep.m','with':{'x':'${{ input }}'}}]}");
        String input = "{'x':" + "[".repeat(62) + "]".repeat(62) + "}";
        assertThat(NODE.post("/v1/runs", "{'workflow':'deep','id':'deep-1','input':" + input + "}")
                        .status())
                .isEqualTo(201);
        var claimed = NODE.post("/v1/claims", "{'modules':['deep.m'],'wait':'5s'}");
        assertThat(WireJson.LENIENT
                        .readValue(claimed.body(), Work.ClaimResult.class)
                        .claims())
                .hasSize(1);
    }

    @Test
    void claim_values_out_of_bounds_are_refused() {
        for (String bad :
                List.of("'lease':'1s'", "'lease':'2h'", "'wait':'21s'", "'wait':20", "'limit':501", "'limit':0")) {
            var got = NODE.post("/v1/claims", "{'modules':['m']," + bad + "}");
            assertThat(got.status()).as(bad).isEqualTo(400);
            assertThat(got.at("/detail")).as(bad).contains("expected");
        }
    }

    private static int claim(String run) {
        return NODE.post("/v1/claims", "{'run':'" + run + "','limit':9}")
                .json()
                .at("/claims")
                .size();
    }

    private static int fence(String run) {
        return Integer.parseInt(NODE.fence(run));
    }

    private static TestNode.TestResponse update(String run, int fence, String result) {
        return NODE.post(
                "/v1/updates",
                "{'updates':[{'run':'" + run + "','step':'a','fence':" + fence + ",'result':'" + result + "'}]}");
    }
}
