package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.engine.request.StartRequest;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;

@Tag("R4.13")
@Tag("R3.10")
class DeadLetterApiTest {
    private static final TestNode NODE = new TestNode();

    @AfterAll
    static void close() {
        NODE.close();
    }

    private static void define(String name, String step) {
        NODE.apply(name, "{'workflow':'" + name + "','steps':[{'id':'a','uses':'" + name + ".m'" + step + "}]}");
    }

    /** Starts a run and fails its step for good. */
    private static void fail(String workflow, String run) {
        NODE.start(workflow, run);
        var claim = NODE.post("/v1/claims", "{'run':'" + run + "'}");
        NODE.post(
                "/v1/updates",
                "{'updates':[{'run':'" + run + "','step':'a','fence':" + claim.at("/claims/0/fence")
                        + ",'result':'failed','error':'no paper','permanent':true}]}");
    }

    private static TestNode.TestResponse list(String query) {
        return NODE.get("/v1/dead-letters?" + query);
    }

    private static int count(String query) {
        return list("limit=200&" + query).json().at("/dead_letters").size();
    }

    private static void awaitEnd(TestNode.TestResponse begun) {
        assertThat(begun.status()).as(begun.body()).isEqualTo(202);
        await().atMost(Duration.ofSeconds(60))
                .until(() ->
                        NODE.get("/v1/bulk/" + begun.at("/id")).at("/state").equals("completed"));
    }

    @Test
    void a_failed_run_has_one_dead_letter_and_a_redrive_is_linked_and_done_once() {
        define("print", ",'flow_control':{'key':'printer','parallelism':3}");
        fail("print", "p1");
        var found = list("workflow=print");
        assertThat(count("workflow=print")).isEqualTo(1);
        assertThat(found.at("/dead_letters/0/kind")).isEqualTo("failed_run");
        assertThat(found.at("/dead_letters/0/subject")).isEqualTo("p1");
        assertThat(found.at("/dead_letters/0/reason")).isEqualTo("step_failed");
        assertThat(found.at("/dead_letters/0/text")).contains("no paper");
        assertThat(found.at("/dead_letters/0/keys/0")).isEqualTo("printer");
        assertThat(count("key=printer")).isEqualTo(1);
        assertThat(count("key=other")).isZero();
        assertThat(count("reason=conflict&workflow=print")).isZero();

        String id = found.at("/dead_letters/0/id");
        String path = "/v1/dead-letters/" + id;
        var redriven = NODE.post(path + "/redrive", "{'reason':'paper is back'}");
        assertThat(redriven.status()).as(redriven.body()).isEqualTo(200);
        assertThat(redriven.at("/redriven_as")).isEqualTo("p1.retry-1");
        assertThat(redriven.at("/changed")).isEqualTo("true");
        assertThat(NODE.get("/v1/runs/p1.retry-1").at("/origin/retry_of")).isEqualTo("p1");
        var repeated = NODE.post(path + "/redrive", "{}");
        assertThat(repeated.at("/changed")).isEqualTo("false");
        assertThat(repeated.at("/redriven_as")).isEqualTo("p1.retry-1");
        assertThat(NODE.get(path).at("/state")).isEqualTo("redriven");
        assertThat(NODE.get("/v1/runs/p1.retry-1.retry-1").status()).isEqualTo(404);
        assertThat(NODE.post(path + "/discard", "{}").status()).isEqualTo(409);
        var audited = NODE.get("/v1/audit?target=dead_letter:" + id);
        assertThat(audited.json().at("/entries").size()).isEqualTo(1);
        assertThat(audited.at("/entries/0/reason")).isEqualTo("paper is back");
        assertThat(audited.at("/entries/0/after/redriven_as")).isEqualTo("p1.retry-1");
    }

    @Test
    void a_refused_start_is_redriven_once_its_workflow_exists() {
        NODE.journal.addToInbox("acme", StartRequest.of("late", "later", JsonNodeFactory.instance.objectNode()));
        await().until(() -> count("workflow=later") == 1);
        var found = list("workflow=later");
        assertThat(found.at("/dead_letters/0/kind")).isEqualTo("refused_start");
        assertThat(found.at("/dead_letters/0/reason")).isEqualTo("unknown_workflow");
        String id = found.at("/dead_letters/0/id");
        String path = "/v1/dead-letters/" + id;
        var refused = NODE.post(path + "/redrive", "{}");
        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.body()).contains("later");
        assertThat(NODE.get(path).at("/state")).isEqualTo("open");

        define("later", "");
        assertThat(NODE.post(path + "/redrive", "{}").at("/redriven_as")).isEqualTo("late");
        assertThat(NODE.get("/v1/runs/late").at("/state")).isEqualTo("running");
        assertThat(NODE.get("/v1/refused-starts").body()).contains("late");
    }

    @Test
    void a_discarded_dead_letter_cannot_be_redriven() {
        define("wrong", "");
        fail("wrong", "w1");
        String path = "/v1/dead-letters/" + list("workflow=wrong").at("/dead_letters/0/id");
        assertThat(NODE.post(path + "/discard", "{}").at("/state")).isEqualTo("discarded");
        assertThat(NODE.post(path + "/discard", "{}").at("/changed")).isEqualTo("false");
        assertThat(NODE.post(path + "/redrive", "{}").status()).isEqualTo(409);
        assertThat(NODE.get("/v1/runs/w1.retry-1").status()).isEqualTo(404);
        assertThat(count("workflow=wrong&state=open")).isZero();
        assertThat(count("workflow=wrong&state=discarded")).isEqualTo(1);
    }

    @Test
    void many_dead_letters_are_previewed_and_redriven_or_discarded_by_filter() {
        define("mass", "");
        define("rest", "");
        for (int i = 0; i < 130; i++) {
            fail("mass", "m" + i);
        }
        fail("rest", "r0");
        var preview = NODE.post("/v1/dead-letters/redrive", "{'filter':{'workflow':'mass'},'dry_run':true}");
        assertThat(preview.at("/matching")).isEqualTo("130");
        assertThat(preview.json().at("/sample").size()).isEqualTo(10);
        assertThat(count("workflow=mass&state=open")).isEqualTo(130);

        var begun = NODE.post("/v1/dead-letters/redrive", "{'filter':{'workflow':'mass'},'reason':'fixed'}");
        awaitEnd(begun);
        var done = NODE.get("/v1/bulk/" + begun.at("/id"));
        assertThat(done.at("/changed")).isEqualTo("130");
        assertThat(done.at("/action")).isEqualTo("redrive");
        assertThat(count("workflow=mass&state=redriven")).isEqualTo(130);
        assertThat(NODE.get("/v1/runs/m129.retry-1").at("/state")).isEqualTo("running");
        awaitEnd(NODE.post("/v1/dead-letters/discard", "{'filter':{'workflow':'rest','kind':'failed_run'}}"));
        assertThat(count("workflow=rest&state=discarded")).isEqualTo(1);
    }

    private static String letterOf(String workflow) {
        await().until(() -> count("workflow=" + workflow) == 1);
        return "/v1/dead-letters/" + list("workflow=" + workflow).at("/dead_letters/0/id");
    }

    @Test
    void an_event_is_redriven_at_the_trigger_that_failed_and_only_there() {
        String trigger =
                "{'workflow':'%s','triggers':[{'id':'t','event':'parcel'%s}],'steps':[{'id':'a','uses':'p.m'}]}";
        NODE.apply("well", trigger.formatted("well", ""));
        NODE.apply("ill", trigger.formatted("ill", ",'input':{'x':'${{ event.data.absent.x }}'}"));
        NODE.post("/v1/events", "{'id':'parcel-1','event':'parcel','data':{'n':7}}");
        String path = letterOf("ill");
        assertThat(NODE.get(path).at("/kind")).isEqualTo("event");
        assertThat(NODE.get(path).at("/submission/trigger/id")).isEqualTo("t");
        var refused = NODE.post(path + "/redrive", "{}");
        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.body()).contains("absent");

        NODE.apply("ill", trigger.formatted("ill", ""));
        var redriven = NODE.post(path + "/redrive", "{'reason':'corrected'}");
        assertThat(redriven.at("/redriven_as")).as(redriven.body()).isEqualTo("ill:t:parcel-1");
        assertThat(NODE.post(path + "/redrive", "{}").at("/changed")).isEqualTo("false");
        var run = NODE.get("/v1/runs/ill:t:parcel-1");
        assertThat(run.at("/input/n")).isEqualTo("7");
        assertThat(run.at("/correlation_id")).isEqualTo("parcel-1");
        assertThat(size("/v1/runs?workflow=well", "/runs")).isEqualTo(1);
        assertThat(NODE.get("/v1/audit?target=dead_letter:" + path.substring(path.lastIndexOf('/') + 1))
                        .at("/entries/0/reason"))
                .isEqualTo("corrected");
    }

    @Test
    void a_cascade_is_redriven_once_the_limit_allows_it_and_says_so_before() {
        NODE.apply(
                "ring",
                "{'workflow':'ring','limits':{'max_cascade_depth':1},'triggers':[{'id':'t','event':'ring'}],"
                        + "'steps':[{'id':'again','emit':{'event':'ring'}}]}");
        NODE.post("/v1/events", "{'id':'ring-1','event':'ring'}");
        String path = letterOf("ring");
        assertThat(NODE.post(path + "/redrive", "{}").body()).contains("raise max_cascade_depth of workflow ring");
        NODE.patch("/v1/workflows/ring/limits", "{'max_cascade_depth':2}");
        var redriven = NODE.post(path + "/redrive", "{}");
        assertThat(redriven.at("/redriven_as"))
                .as(redriven.body())
                .matches("ring:t:weir\\.ring:t:ring-1\\.\\d+\\.again\\.1");
    }

    @Test
    void the_cascade_of_an_invoked_run_says_which_run_to_retry() {
        NODE.apply(
                "deep",
                "{'workflow':'deep','limits':{'max_cascade_depth':1},"
                        + "'steps':[{'id':'down','invoke':{'workflow':'deep'},'retry':{'max_attempts':1}}]}");
        NODE.start("deep", "deep-1");
        await().until(() -> count("workflow=deep&kind=cascade") == 1);
        String path = "/v1/dead-letters/" + list("workflow=deep&kind=cascade").at("/dead_letters/0/id");
        var refused = NODE.post(path + "/redrive", "{}");
        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.body()).contains("raise max_cascade_depth of workflow deep", "retry run deep-1.down.1");
    }

    @Test
    void a_failed_child_run_whose_parent_waits_for_it_has_no_dead_letter_of_its_own() {
        define("child", "");
        NODE.apply(
                "parent",
                "{'workflow':'parent','steps':[{'id':'call','invoke':{'workflow':'child'},'retry':{'max_attempts':1}}]}");
        NODE.start("parent", "parent-1");
        await().until(() -> size("/v1/runs?workflow=child", "/runs") == 1);
        String child = NODE.get("/v1/runs?workflow=child").at("/runs/0/id");
        var claim = NODE.post("/v1/claims", "{'run':'" + child + "'}");
        NODE.post(
                "/v1/updates",
                "{'updates':[{'run':'" + child + "','step':'a','fence':" + claim.at("/claims/0/fence")
                        + ",'result':'failed','permanent':true}]}");
        await().until(() -> NODE.get("/v1/runs/parent-1").at("/state").equals("failed"));
        assertThat(count("workflow=child")).isZero();
        assertThat(count("workflow=parent")).isEqualTo(1);
    }

    private static int size(String path, String pointer) {
        return NODE.get(path).json().at(pointer).size();
    }

    @Test
    void bad_input_is_refused_with_its_position_and_unknown_ids_are_not_found() {
        assertThat(list("kind=nothing").status()).isEqualTo(400);
        assertThat(list("kind=nothing").body()).contains("?kind", "failed_run");
        assertThat(list("cursor=x").status()).isEqualTo(400);
        for (String id : new String[] {"0", "x", "999999", "99999999999999999999"}) {
            assertThat(NODE.get("/v1/dead-letters/" + id).status()).as(id).isEqualTo(404);
            assertThat(NODE.post("/v1/dead-letters/" + id + "/redrive", "{}").status())
                    .as(id)
                    .isEqualTo(404);
        }
        var wrong = NODE.post("/v1/dead-letters/discard", "{'filter':{'reason':'bored'}}");
        assertThat(wrong.status()).isEqualTo(400);
        assertThat(wrong.body()).contains("/filter/reason");
        assertThat(NODE.post("/v1/dead-letters/discard", "{}").status()).isEqualTo(400);
    }
}
