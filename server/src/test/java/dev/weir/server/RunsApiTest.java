package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RunsApiTest {
    private static final TestNode NODE = new TestNode();

    @BeforeAll
    static void apply() {
        NODE.apply(
                "line",
                "{'workflow':'line','runtime':{'max_parallel':4},'steps':[{'id':'a','uses':'line.m','slots':3},"
                        + "{'id':'b','uses':'line.m','needs':['a']},{'id':'c','gate':{},'needs':['b']}]}");
    }

    @AfterAll
    static void close() {
        NODE.close();
    }

    static List<DocumentedRoute> ofRuns() {
        return DocumentedRoute.all().stream()
                .filter(route -> route.path().contains("{run}"))
                .toList();
    }

    @Test
    void the_same_definition_again_is_no_new_version() {
        String definition = "{'workflow':'twice','steps':[]}";
        assertThat(NODE.put("/v1/workflows/twice", definition).status()).isEqualTo(201);
        var again = NODE.put("/v1/workflows/twice", definition);
        assertThat(again.status()).isEqualTo(200);
        assertThat(again.at("/version")).isEqualTo("1");
        assertThat(NODE.put("/v1/workflows/other", definition).at("/detail")).contains("'other' as in the path");
        assertThat(NODE.get("/v1/workflows/twice?version=1").at("/definition/workflow"))
                .isEqualTo("twice");
        assertThat(NODE.get("/v1/workflows/twice?version=2").status()).isEqualTo(404);
    }

    @Test
    @Tag("R0.14")
    void an_idempotency_key_gives_the_first_run_and_refuses_another_body() {
        var first = keyed("{'workflow':'line','input':{'n':1}}");
        assertThat(first.status()).isEqualTo(201);
        var again = keyed("{'workflow':'line','input':{'n':1}}");
        assertThat(again.status()).isEqualTo(200);
        assertThat(again.at("/id")).isEqualTo(first.at("/id"));
        var other = keyed("{'workflow':'line','input':{'n':2}}");
        assertThat(other.status()).isEqualTo(422);
        NODE.start("line", "named");
        assertThat(NODE.post("/v1/runs", "{'workflow':'line','id':'named'}").status())
                .isEqualTo(200);
        assertThat(NODE.post("/v1/runs", "{'workflow':'line','id':'named','input':7}")
                        .status())
                .isEqualTo(409);
        assertThat(NODE.post("/v1/runs", "{'workflow':'lien'}").at("/detail")).contains("did you mean 'line'?");
    }

    @Test
    @Tag("R4.3")
    void a_start_answers_with_the_state_after_the_decision_and_a_held_run_says_until_when() {
        NODE.apply(
                "single",
                "{'workflow':'single','limits':{'max_concurrent_runs':1},'steps':[{'id':'a','uses':'single.m'}]}");
        assertThat(NODE.post("/v1/runs", "{'workflow':'single','id':'single-1'}")
                        .at("/state"))
                .isEqualTo("running");
        assertThat(NODE.get("/v1/runs/single-1").at("/rate_limit_hold_until")).isEmpty();
        assertThat(NODE.post("/v1/runs", "{'workflow':'single','id':'single-2'}")
                        .at("/state"))
                .isEqualTo("queued");
        assertThat(NODE.get("/v1/runs/single-2").at("/rate_limit_hold_until")).isNotEmpty();
        NODE.apply(
                "single-keyed",
                "{'workflow':'single-keyed','limits':{'run_key':'${{ input.c }}','max_concurrent_runs_per_key':1},"
                        + "'steps':[{'id':'a','uses':'single.m'}]}");
        var batch = NODE.post(
                "/v1/runs/batch",
                "{'runs':[{'workflow':'single-keyed','id':'keyed-1','input':{'c':1}},"
                        + "{'workflow':'single-keyed','id':'keyed-2','input':{'c':1}}]}");
        assertThat(batch.json().findValuesAsString("state")).containsExactly("running", "queued");
        assertThat(NODE.get("/v1/runs/keyed-2").at("/rate_limit_hold_until")).isNotEmpty();
    }

    @Test
    @Tag("R2.10")
    void a_step_shows_when_it_was_granted_while_it_runs_and_after_its_end() {
        NODE.apply(
                "granted",
                "{'workflow':'granted','steps':[{'id':'a','uses':'granted.a'},{'id':'b','needs':['a'],'uses':'granted.b'}]}");
        NODE.start("granted", "granted-1");
        assertThat(NODE.get("/v1/runs/granted-1").at("/steps/0/granted_at")).isEmpty();
        NODE.post("/v1/claims", "{'run':'granted-1','lease':'1h'}");
        String granted = NODE.get("/v1/runs/granted-1").at("/steps/0/granted_at");
        assertThat(granted).isNotEmpty();
        NODE.post("/v1/updates", "{'updates':[{'run':'granted-1','step':'a','fence':1,'result':'completed'}]}");
        assertThat(NODE.get("/v1/runs/granted-1").at("/steps/0/granted_at")).isEqualTo(granted);
        finish("granted-1");
        var ended = NODE.get("/v1/runs/granted-1");
        assertThat(ended.at("/state")).isEqualTo("completed");
        assertThat(ended.at("/steps/0/granted_at")).isEqualTo(granted);
        assertThat(ended.at("/steps/1/granted_at")).isNotEmpty().isNotEqualTo(granted);
    }

    @Test
    @Tag("R2.7")
    void a_change_of_overrides_keeps_what_it_does_not_name_and_a_replacement_clears_it() {
        NODE.start("line", "changed");
        String overrides = "/v1/runs/changed/overrides";
        NODE.put(overrides, "{'max_parallel':2,'max_concurrent_steps':3}");
        NODE.patch(overrides, "{'max_parallel':4}");
        assertThat(overrides("changed")).isEqualTo("{'max_parallel':4,'max_concurrent_steps':3}");
        NODE.patch(overrides, "{'max_parallel':9,'for':'1h','reason':'a hurry'}");
        var temporary = NODE.get("/v1/runs/changed");
        assertThat(temporary.at("/overrides/max_parallel")).isEqualTo("9");
        assertThat(temporary.at("/overrides/until")).isNotEmpty();
        assertThat(temporary.at("/overrides/lasting/max_parallel")).isEqualTo("4");
        NODE.patch(overrides, "{'max_parallel':null}");
        assertThat(overrides("changed")).isEqualTo("{'max_concurrent_steps':3}");
        NODE.put(overrides, "{'max_parallel':5}");
        assertThat(overrides("changed")).isEqualTo("{'max_parallel':5}");
        NODE.patch(overrides, "{'max_parallel':null,'max_concurrent_steps':null}");
        assertThat(NODE.get("/v1/runs/changed").json().has("overrides")).isFalse();
        assertThat(NODE.patch(overrides, "{'max_parallel':0}").at("/detail"))
                .startsWith("/max_parallel: expected a whole number of at least 1");
    }

    private static String overrides(String run) {
        return NODE.get("/v1/runs/" + run).json().at("/overrides").toString().replace('"', '\'');
    }

    @Test
    @Tag("R3.1")
    void a_start_takes_flow_control_under_both_of_its_names() {
        NODE.apply("bare", "{'workflow':'bare','steps':[{'id':'a','uses':'bare.m'}]}");
        String camel = "'flowControl':{'key':'camel','parallelism':1,'rate':1,'period':60000}";
        assertThat(NODE.post("/v1/runs", "{'workflow':'bare','id':'bare-1'," + camel + "}")
                        .status())
                .isEqualTo(201);
        assertThat(NODE.get("/v1/keys?key=camel").at("/rate/period")).isEqualTo("1m");
        var text = NODE.post("/v1/runs", "{'workflow':'bare','flow_control':{'key':'k','rate':1,'period':'10'}}");
        assertThat(text.at("/detail")).startsWith("/flow_control/period: expected a duration with a unit");
    }

    private static TestNode.TestResponse keyed(String body) {
        var request = NODE.request("POST", "/v1/runs")
                .header("Authorization", "Bearer acme-token")
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", "order 1");
        return NODE.send(request, "POST", body.replace('\'', '"'));
    }

    @Test
    @Tag("R2.10")
    void a_run_shows_every_step_and_why_it_does_not_run() {
        NODE.start("line", "shown");
        var run = NODE.get("/v1/runs/shown");
        assertThat(run.at("/state")).isEqualTo("running");
        assertThat(run.at("/steps/0/status")).isEqualTo("ready");
        assertThat(run.at("/steps/0/held")).isEqualTo("true");
        assertThat(run.at("/steps/0/reason/reason")).isEqualTo("no_worker");
        assertThat(run.at("/steps/1/status")).isEqualTo("blocked");
        assertThat(run.at("/steps/1/reason/reason")).isEqualTo("dependency");
        assertThat(run.at("/steps/1/reason/steps/0")).isEqualTo("a");
        finish("shown");
        finish("shown");
        var waiting = NODE.get("/v1/runs/shown");
        assertThat(waiting.at("/steps/0/status")).isEqualTo("complete");
        assertThat(waiting.at("/steps/2/reason/reason")).isEqualTo("gate");
        assertThat(NODE.post("/v1/runs/shown/steps/c/approve", "{'by':'ann'}").at("/outcome"))
                .isEqualTo("approved");
        assertThat(NODE.get("/v1/runs/shown").at("/state")).isEqualTo("completed");
        assertThat(NODE.post("/v1/runs/shown/steps/c/approve", "{}").status()).isEqualTo(409);
        assertThat(NODE.post("/v1/runs/shown/pause", "{}").status()).isEqualTo(409);
        assertThat(NODE.post("/v1/runs/shown/cancel", "{}").at("/changed")).isEqualTo("false");
    }

    @Test
    @Tag("RX.3")
    void the_time_breakdown_of_a_run_sums_to_its_duration() {
        NODE.start("line", "timed");
        assertThat(NODE.get("/v1/runs/timed/time").at("/detail")).contains("expected a run that has ended", "/why");
        finish("timed");
        finish("timed");
        NODE.post("/v1/runs/timed/steps/c/approve", "{}");
        var time = NODE.get("/v1/runs/timed/time");
        assertThat(time.at("/state")).isEqualTo("completed");
        assertThat(time.json().at("/steps")).hasSize(3);
        assertThat(time.json().at("/waited").findValuesAsString("what")).contains("gate");
        long sum = time.json().get("work").longValue();
        for (var wait : time.json().at("/waited")) {
            sum += wait.at("/micros").longValue();
        }
        assertThat(sum).isEqualTo(time.json().at("/micros").longValue());
        assertThat(NODE.get("/v1/runs/nobody/time").status()).isEqualTo(404);
    }

    @Test
    @Tag("R4.13")
    void a_deadline_warns_when_it_is_near_can_be_extended_and_then_ends_the_run() {
        NODE.apply("hurried", "{'workflow':'hurried','deadline':'6s','steps':[{'id':'a','uses':'hurried.m'}]}");
        NODE.start("hurried", "late");
        NODE.start("hurried", "extended");
        assertThat(NODE.get("/v1/runs/late").at("/deadline/near")).isEqualTo("false");
        await().untilAsserted(() ->
                assertThat(NODE.get("/v1/runs/extended").at("/deadline/near")).isEqualTo("true"));
        assertThat(NODE.put("/v1/runs/extended/deadline", "{'in':'1h'}").at("/changed"))
                .isEqualTo("true");
        assertThat(NODE.get("/v1/runs/extended").at("/deadline/near")).isEqualTo("false");
        await().untilAsserted(
                        () -> assertThat(NODE.get("/v1/runs/late").at("/state")).isEqualTo("failed"));
        assertThat(NODE.get("/v1/runs/late").at("/reason")).isEqualTo("its deadline has passed");
        assertThat(NODE.get("/v1/runs/extended").at("/state")).isEqualTo("running");
        assertThat(NODE.get("/v1/runs?workflow=hurried").json().findValuesAsString("near"))
                .containsExactlyInAnyOrder("true", "false");
        assertThat(NODE.put("/v1/runs/late/deadline", "{'in':'1h'}").status()).isEqualTo(409);
    }

    @Test
    @Tag("R2.11")
    void the_amended_input_of_a_run_is_shown_and_the_same_again_is_answered_as_done_after_its_end() {
        NODE.apply(
                "mended",
                "{'workflow':'mended','steps':[{'id':'a','uses':'mended.m','requires':['input.n'],"
                        + "'with':{'n':'${{ input.n }}'}}]}");
        NODE.start("mended", "lacking");
        assertThat(NODE.put("/v1/runs/lacking/input", "{'input':{'n':5}}").status())
                .isEqualTo(200);
        assertThat(NODE.get("/v1/runs/lacking").at("/input/n")).isEqualTo("5");
        finish("lacking");
        assertThat(NODE.get("/v1/runs/lacking").at("/state")).isEqualTo("completed");
        assertThat(NODE.get("/v1/runs/lacking").at("/input/n")).isEqualTo("5");
        assertThat(NODE.put("/v1/runs/lacking/input", "{'input':{'n':5}}").status())
                .isEqualTo(200);
        assertThat(NODE.put("/v1/runs/lacking/input", "{'input':{'n':6}}").status())
                .isEqualTo(409);
    }

    @Test
    @Tag("R0.13")
    void a_definition_that_is_too_large_when_its_aliases_are_written_out_is_refused_and_nothing_is_kept() {
        var yaml = new StringBuilder(
                "workflow: bomb\nsteps:\n- {id: a, uses: m, with: {text: &text " + "x".repeat(5_000) + "}}\n");
        for (int i = 0; i < 60; i++) {
            yaml.append("- {id: a" + i + ", uses: m, with: {text: *text}}\n");
        }
        var request = NODE.request("PUT", "/v1/workflows/bomb")
                .header("Authorization", "Bearer acme-token")
                .header("Content-Type", "application/yaml");
        var got = NODE.send(request, "PUT", yaml.toString());
        assertThat(got.status()).isEqualTo(400);
        assertThat(got.at("/detail")).contains("expected at most 262144 bytes in the definition as JSON", "found 3");
        assertThat(NODE.get("/v1/workflows/bomb").status()).isEqualTo(404);
    }

    private static void finish(String run) {
        var claim = NODE.post("/v1/claims", "{'run':'" + run + "'}");
        NODE.post(
                "/v1/updates",
                "{'updates':[{'run':'" + run + "','step':'" + claim.at("/claims/0/step") + "','fence':"
                        + claim.at("/claims/0/fence") + "," + "'result':'completed'}]}");
    }

    @Test
    @Tag("R2.8")
    void an_override_that_is_too_narrow_is_accepted_with_a_warning_and_holds_the_step() {
        NODE.start("line", "narrow");
        var narrowed = NODE.put("/v1/runs/narrow/overrides", "{'max_parallel':2}");
        assertThat(narrowed.at("/warning")).contains("step a needs 3 slots", "over_capacity");
        assertThat(NODE.post("/v1/claims", "{'run':'narrow'}")
                        .json()
                        .at("/claims")
                        .size())
                .isZero();
        var why = NODE.get("/v1/runs/narrow/steps/a/why");
        assertThat(why.at("/reasons/0/reason")).isEqualTo("over_capacity");
        assertThat(why.at("/reasons/0/limit/kind")).isEqualTo("run_slots");
        NODE.put("/v1/runs/narrow/overrides", "{'max_parallel':null}");
        assertThat(NODE.post("/v1/claims", "{'run':'narrow'}")
                        .json()
                        .at("/claims")
                        .size())
                .isEqualTo(1);
    }

    @Test
    @Tag("R0.16")
    void a_paused_run_starts_nothing_until_it_is_resumed() {
        NODE.start("line", "rests");
        assertThat(NODE.post("/v1/runs/rests/pause", "{}").at("/state")).isEqualTo("paused");
        assertThat(NODE.get("/v1/runs/rests/steps/a/why").at("/reasons/0/reason"))
                .isEqualTo("paused");
        assertThat(NODE.post("/v1/claims", "{'run':'rests'}")
                        .json()
                        .at("/claims")
                        .size())
                .isZero();
        NODE.post("/v1/runs/rests/resume", "{}");
        assertThat(NODE.post("/v1/claims", "{'run':'rests'}")
                        .json()
                        .at("/claims")
                        .size())
                .isEqualTo(1);
    }

    @Test
    @Tag("R0.16")
    @Tag("R2.13")
    void a_run_can_be_put_off_narrowed_to_targets_and_sent_signals() {
        NODE.apply(
                "signalled",
                "{'workflow':'signalled','steps':[{'id':'ok','wait_for':{'signal':'go'}},{'id':'b','uses':'sig.m'}]}");
        NODE.post("/v1/runs", "{'workflow':'signalled','id':'later','delay':'1h'}");
        assertThat(NODE.get("/v1/runs/later/why").at("/reasons/0/reason")).isEqualTo("delayed");
        NODE.post("/v1/runs", "{'workflow':'signalled','id':'sig-1','targets':['ok']}");
        assertThat(NODE.get("/v1/runs/sig-1").at("/steps/1/state")).isEqualTo("skipped");
        assertThat(NODE.post("/v1/runs/sig-1/signals/go", "{'payload':{'by':'ann'}}")
                        .at("/changed"))
                .isEqualTo("true");
        await().untilAsserted(() ->
                assertThat(NODE.get("/v1/runs/sig-1").at("/state")).isEqualTo("completed"));
        assertThat(NODE.get("/v1/runs/sig-1").at("/steps/0/output/by")).isEqualTo("ann");
        assertThat(NODE.post("/v1/runs/sig-1/signals/go", "{}").status()).isEqualTo(409);
    }

    @Test
    void runs_are_found_by_state_workflow_and_label_page_by_page() {
        NODE.apply("found", "{'workflow':'found','steps':[{'id':'a','uses':'found.m'}]}");
        String batch = "{'runs':[{'workflow':'found','id':'f1','labels':{'team':'red'}},{'workflow':'found','id':'f2'},"
                + "{'workflow':'found','id':'f3','labels':{'team':'red'}},{'workflow':'none','id':'f4'}]}";
        var started = NODE.post("/v1/runs/batch", batch);
        assertThat(started.json().findValuesAsString("outcome"))
                .containsExactly("created", "created", "created", "unknown_workflow");
        assertThat(ids("/v1/runs?workflow=found&label=team=red")).containsExactly("f3", "f1");
        assertThat(ids("/v1/runs?workflow=found&state=completed,failed")).isEmpty();
        List<String> all = new ArrayList<>();
        String cursor = "";
        do {
            var page = NODE.get("/v1/runs?workflow=found&limit=2" + cursor);
            all.addAll(page.json().findValuesAsString("id"));
            cursor = page.at("/next").isEmpty() ? "" : "&cursor=" + page.at("/next");
        } while (!cursor.isEmpty());
        assertThat(all).containsExactly("f3", "f2", "f1");
        assertThat(NODE.get("/v1/runs?state=runing").at("/detail")).contains("queued, running");
    }

    private static List<String> ids(String path) {
        return NODE.get(path).json().findValuesAsString("id");
    }

    @ParameterizedTest
    @MethodSource("ofRuns")
    @Tag("S9")
    void a_run_of_another_organisation_is_not_found(DocumentedRoute route) {
        NODE.post("/v1/runs", "{'workflow':'line','id':'secret-run'}");
        String body = switch (route.path().substring(route.path().lastIndexOf('/'))) {
            case "/input" -> "{\"input\":1}";
            case "/output" -> "{\"output\":1}";
            case "/deadline" -> "{\"in\":\"1h\"}";
            case "/overrides" -> "{\"max_parallel\":1}";
            case "/delete" -> "{\"confirm\":\"secret-run\"}";
            default -> route.takesBody() ? "{}" : null;
        };
        String other = body == null ? null : body.replace("secret-run", "no-such-run");
        var theirs = NODE.send(route.method(), route.pathWith("secret-run", "a", "line"), body, "other-token");
        var nobodys = NODE.send(route.method(), route.pathWith("no-such-run", "a", "line"), other, "other-token");
        assertThat(theirs.status()).as("%s", theirs).isEqualTo(404);
        assertThat(theirs.body().replace("secret-run", "no-such-run")).isEqualTo(nobodys.body());
    }
}
