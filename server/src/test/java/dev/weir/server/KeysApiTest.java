package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class KeysApiTest {
    private static final TestNode NODE = new TestNode();

    @BeforeAll
    static void apply() {
        NODE.apply(
                "keyed",
                "{'workflow':'keyed','steps':[{'id':'a','uses':'keyed.m','flow_control':{'key':'${{ run.id }}',"
                        + "'parallelism':2,'rate':3,'period':'1m'}}]}");
        NODE.apply(
                "both",
                "{'workflow':'both','steps':[{'id':'a','uses':'both.m','flow_control':[{'key':'x/1 ü','parallelism':1},"
                        + "{'key':'y','parallelism':1}]}]}");
    }

    @AfterAll
    static void close() {
        NODE.close();
    }

    @Test
    void the_log_of_a_node_says_on_one_line_why_a_key_was_paused() {
        PrintStream originalErr = System.err;
        var logged = new ByteArrayOutputStream();
        System.setErr(new PrintStream(logged, true, StandardCharsets.UTF_8));
        try {
            NODE.post("/v1/keys/pause", "{'key':'logged','reason':'the provider\\nis down','for':'1m'}");
            NODE.post("/v1/keys/resume", "{'key':'logged'}");
        } finally {
            System.setErr(originalErr);
        }
        assertThat(logged.toString(StandardCharsets.UTF_8))
                .contains("Organisation acme: pause key logged: ", "reason: the provider is down")
                .contains("resume key logged: ", "reason: not given")
                .contains("INFO")
                .doesNotContain("WARN");
    }

    @Test
    @Tag("RX.2")
    @Tag("RX.6")
    void a_step_blocked_by_two_keys_and_no_worker_names_all_three() {
        NODE.start("both", "first");
        assertThat(NODE.post("/v1/claims", "{'run':'first'}")
                        .json()
                        .at("/claims")
                        .size())
                .isEqualTo(1);
        NODE.start("both", "second");
        var why = NODE.get("/v1/runs/second/steps/a/why");
        assertThat(why.json().findValuesAsString("reason")).containsExactly("limit", "limit", "no_worker");
        assertThat(why.at("/reasons/0/limit/key")).isEqualTo("x/1 ü");
        assertThat(why.at("/reasons/1/limit/key")).isEqualTo("y");
        assertThat(why.at("/reasons/0/limit/used")).isEqualTo("1");
        assertThat(why.at("/reasons/0/limit/capacity")).isEqualTo("1");
        assertThat(why.at("/reasons/0/limit/holders/0/run")).isEqualTo("first");
        assertThat(why.at("/reasons/0/limit/position")).isEqualTo("1");
        assertThat(why.at("/reasons/0/since")).isNotEmpty();
        var key = NODE.get("/v1/keys?key=x/1%20%C3%BC");
        assertThat(key.at("/waiting")).isEqualTo("1");
        assertThat(key.at("/parallelism/used")).isEqualTo("1");
        assertThat(NODE.get("/v1/keys/holders?key=y").at("/holders/0/step")).isEqualTo("a");
        assertThat(NODE.get("/v1/keys/waitlist?key=x/1%20%C3%BC").at("/waitlist/0/run"))
                .isEqualTo("second");
    }

    @Test
    @Tag("R3.11")
    void a_retry_after_reported_by_a_worker_holds_the_key_for_all_steps() {
        NODE.start("keyed", "later");
        String fence = NODE.post("/v1/claims", "{'run':'later'}").at("/claims/0/fence");
        String report = "{'updates':[{'run':'later','step':'a','fence':" + fence + ",'result':'failed','delay':'%s'}]}";
        assertThat(NODE.post("/v1/updates", String.format(report, "soon")).at("/detail"))
                .contains("a duration");
        assertThat(NODE.post("/v1/updates", String.format(report, "1h")).at("/results/0/outcome"))
                .isEqualTo("applied");
        var held = NODE.get("/v1/keys?key=later");
        assertThat(held.at("/paused")).isEqualTo("false");
        assertThat(held.at("/retry_after/until")).isNotEmpty();
        assertThat(held.at("/retry_after/status"))
                .as("a worker has reported it")
                .isEmpty();
        assertThat(held.at("/retry_after/run")).isEqualTo("later");
        assertThat(held.at("/retry_after/step")).isEqualTo("a");
        assertThat(NODE.post("/v1/keys/resume", "{'key':'later'}").at("/outcome"))
                .isEqualTo("resumed");
        assertThat(NODE.get("/v1/keys?key=later").json().has("retry_after")).isFalse();
    }

    @Test
    @Tag("R3.6")
    void keys_are_listed_by_prefix_in_pages_and_an_unknown_one_is_not_found() {
        for (int i = 0; i < 5; i++) {
            NODE.start("keyed", "page-" + i);
        }
        var first = NODE.get("/v1/keys?prefix=page-&limit=3");
        assertThat(first.json().findValuesAsString("key")).containsExactly("page-0", "page-1", "page-2");
        var next = NODE.get("/v1/keys?prefix=page-&limit=3&cursor=" + first.at("/next"));
        assertThat(next.json().findValuesAsString("key")).containsExactly("page-3", "page-4");
        assertThat(first.json().at("/totals").toString()).isEqualTo("{\"keys\":5,\"waiting\":0,\"in_use\":0}");
        assertThat(NODE.get("/v1/keys?key=page-9").status()).isEqualTo(404);
        var one = NODE.get("/v1/keys?key=page-0");
        assertThat(one.at("/parallelism/max")).isEqualTo("2");
        assertThat(one.at("/rate/max")).isEqualTo("3");
        assertThat(one.at("/rate/period")).isEqualTo("1m");
        assertThat(one.at("/paused")).isEqualTo("false");
    }

    @Test
    @Tag("R3.6")
    void keys_are_listed_by_fullness_by_waiting_steps_and_by_the_longest_wait() {
        NODE.apply(
                "sorted",
                "{'workflow':'sorted','steps':[{'id':'a','uses':'sorted.m','flow_control':{'key':"
                        + "'sort-${{ input.k }}','parallelism':2}}]}");
        for (String key : List.of("a", "b", "b", "b", "c", "c", "d", "d", "d", "d")) {
            NODE.post("/v1/runs", "{'workflow':'sorted','input':{'k':'" + key + "'}}");
        }
        NODE.post("/v1/keys/pin", "{'key':'sort-d','parallelism':4}");
        NODE.post("/v1/claims", "{'modules':['sorted.m'],'limit':20,'wait':'0s','lease':'1h'}");
        NODE.post("/v1/keys/pin", "{'key':'sort-d','parallelism':8}");
        assertThat(sorted("fullest")).containsExactly("sort-b", "sort-c", "sort-a", "sort-d");
        assertThat(sorted("waiting").getFirst()).isEqualTo("sort-b");
        assertThat(sorted("oldest").getFirst()).isEqualTo("sort-b");
        assertThat(sorted("name")).containsExactly("sort-a", "sort-b", "sort-c", "sort-d");
        assertThat(NODE.get("/v1/keys?key=sort-b").at("/oldest_waiting_since")).isNotEmpty();
        assertThat(NODE.get("/v1/keys?key=sort-a").json().has("oldest_waiting_since"))
                .isFalse();

        var first = NODE.get("/v1/keys?prefix=sort-&sort=fullest&limit=2");
        assertThat(first.json().at("/totals").toString()).isEqualTo("{\"keys\":4,\"waiting\":1,\"in_use\":9}");
        var next = NODE.get("/v1/keys?prefix=sort-&sort=fullest&limit=2&cursor=" + first.at("/next"));
        assertThat(next.json().findValuesAsString("key")).containsExactly("sort-a", "sort-d");
        assertThat(next.json().has("next")).isFalse();
        var wrong = NODE.get("/v1/keys?prefix=sort-&sort=waiting&cursor=" + first.at("/next"));
        assertThat(wrong.status()).isEqualTo(400);
        assertThat(wrong.at("/errors/0/pointer")).isEqualTo("?cursor");
        assertThat(NODE.get("/v1/keys?sort=best").at("/errors/0/pointer")).isEqualTo("?sort");
    }

    private static List<String> sorted(String order) {
        return NODE.get("/v1/keys?prefix=sort-&sort=" + order).json().findValuesAsString("key");
    }

    @Test
    @Tag("R3.6")
    void the_waiting_count_of_a_key_equals_its_waitlist_and_excludes_steps_without_a_worker() {
        NODE.apply(
                "crowd",
                "{'workflow':'crowd','steps':[{'id':'a','uses':'crowd.m','flow_control':{'key':'crowd',"
                        + "'parallelism':5}}]}");
        for (int i = 0; i < 8; i++) {
            NODE.start("crowd", "crowd-" + i);
        }
        assertThat(NODE.get("/v1/keys?key=crowd").at("/waiting")).isEqualTo("0");
        var none = NODE.get("/v1/keys/waitlist?key=crowd");
        assertThat(none.at("/waiting")).isEqualTo("0");
        assertThat(none.json().at("/waitlist").size()).isZero();
        assertThat(NODE.get("/v1/runs/crowd-7/steps/a/why").json().findValuesAsString("reason"))
                .containsExactly("no_worker");

        NODE.post("/v1/claims", "{'modules':['crowd.m'],'limit':8,'wait':'0s','lease':'1h'}");

        var three = NODE.get("/v1/keys/waitlist?key=crowd");
        assertThat(three.at("/waiting")).isEqualTo("3");
        assertThat(three.json().at("/waitlist").size()).isEqualTo(3);
        assertThat(NODE.get("/v1/keys?prefix=crowd").json().at("/totals").toString())
                .isEqualTo("{\"keys\":1,\"waiting\":3,\"in_use\":5}");
    }

    @Test
    @Tag("R3.7")
    void an_operator_pauses_pins_and_resets_a_key() {
        NODE.start("keyed", "op");
        assertThat(NODE.post("/v1/keys/pause", "{'key':'op','reason':'a fault','for':'30m'}")
                        .at("/outcome"))
                .isEqualTo("paused");
        assertThat(NODE.get("/v1/runs/op/steps/a/why").at("/reasons/0/reason")).isEqualTo("paused");
        assertThat(NODE.get("/v1/runs/op/steps/a/why").at("/reasons/0/expected_at"))
                .isNotEmpty();
        assertThat(NODE.post("/v1/keys/resume", "{'key':'op'}").at("/outcome")).isEqualTo("resumed");
        assertThat(NODE.post("/v1/keys/resume", "{'key':'op'}").at("/outcome")).isEqualTo("not_paused");
        assertThat(NODE.post("/v1/keys/pin", "{'key':'op','rate':1,'period':'10s','window':'fixed'}")
                        .at("/outcome"))
                .isEqualTo("pinned");
        assertThat(NODE.get("/v1/keys?key=op").at("/pinned/period")).isEqualTo("10s");
        assertThat(NODE.get("/v1/keys?key=op").at("/rate/max")).isEqualTo("1");
        assertThat(NODE.post("/v1/claims", "{'run':'op'}").json().at("/claims").size())
                .isEqualTo(1);
        assertThat(NODE.get("/v1/keys?key=op").at("/rate/used")).isEqualTo("1");
        assertThat(NODE.post("/v1/keys/reset-rate", "{'key':'op'}").at("/outcome"))
                .isEqualTo("reset");
        assertThat(NODE.get("/v1/keys?key=op").at("/rate/used")).isEqualTo("0");
        assertThat(NODE.post("/v1/keys/unpin", "{'key':'op'}").at("/outcome")).isEqualTo("unpinned");
        assertThat(NODE.get("/v1/invariants").at("/hold")).isEqualTo("true");
    }

    @Test
    @Tag("R3.6")
    void a_pinned_key_that_nobody_uses_shows_what_it_is_pinned_to() {
        NODE.post("/v1/keys/pin", "{'key':'idle','parallelism':3,'rate':7,'period':'1m'}");
        var idle = NODE.get("/v1/keys?key=idle");
        assertThat(idle.at("/parallelism/max")).as(idle.body()).isEqualTo("3");
        assertThat(idle.at("/rate/max")).isEqualTo("7");
        assertThat(idle.at("/rate/used")).isEqualTo("0");
        assertThat(idle.at("/rate/period")).isEqualTo("1m");
        NODE.post("/v1/keys/unpin", "{'key':'idle'}");
    }

    @Test
    @Tag("R3.7")
    void a_pin_changes_what_it_names_null_clears_it_and_all_null_unpins() {
        NODE.post("/v1/keys/pin", "{'key':'part','parallelism':3}");
        NODE.post("/v1/keys/pin", "{'key':'part','rate':7,'period':60000}");
        assertThat(pinned("part")).isEqualTo("{'parallelism':3,'rate':7,'period':'1m','window':'sliding'}");
        NODE.post("/v1/keys/pin", "{'key':'part','period':'60_000','window':'fixed'}");
        NODE.post("/v1/keys/pin", "{'key':'part','parallelism':null}");
        assertThat(pinned("part")).isEqualTo("{'rate':7,'period':'1m','window':'fixed'}");
        assertThat(NODE.post("/v1/keys/pin", "{'key':'part','rate':null}").at("/outcome"))
                .isEqualTo("unpinned");
        var period = NODE.post("/v1/keys/pin", "{'key':'part','period':'1m'}");
        assertThat(period.status()).as("%s", period).isEqualTo(400);
        assertThat(period.at("/detail")).contains("a rate together with its period");
        for (String wrong : List.of("'10'", "0", "1.5", "true", "'8d'")) {
            var refused = NODE.post("/v1/keys/pin", "{'key':'part','rate':1,'period':" + wrong + "}");
            assertThat(refused.status()).as("%s: %s", wrong, refused).isEqualTo(400);
            assertThat(refused.at("/errors/0/pointer")).isEqualTo("/period");
        }
        assertThat(NODE.post("/v1/keys/pin", "{'key':'part','parallelism':'3'}").at("/errors/0/pointer"))
                .isEqualTo("/parallelism");
        assertThat(NODE.post("/v1/keys/pin", "{'key':'part','for':'1m','rate':null}")
                        .at("/errors/0/pointer"))
                .isEqualTo("/for");
    }

    @Test
    @Tag("R3.7")
    void a_temporary_pin_shows_when_it_ends_and_what_shows_again_then() {
        NODE.post("/v1/keys/pin", "{'key':'temp','parallelism':2}");
        NODE.post("/v1/keys/pin", "{'key':'temp','parallelism':5,'for':'1h'}");
        var temporary = NODE.get("/v1/keys?key=temp");
        assertThat(temporary.at("/parallelism/max")).isEqualTo("5");
        assertThat(temporary.at("/pinned/parallelism")).isEqualTo("5");
        assertThat(temporary.at("/pinned/until")).isNotEmpty();
        assertThat(temporary.at("/pinned/lasting/parallelism")).isEqualTo("2");
        NODE.post("/v1/keys/pin", "{'key':'temp','parallelism':1}");
        assertThat(pinned("temp")).as("what was set last is in force").isEqualTo("{'parallelism':1}");
        NODE.post("/v1/keys/unpin", "{'key':'temp'}");
    }

    private static String pinned(String key) {
        return NODE.get("/v1/keys?key=" + key).json().at("/pinned").toString().replace('"', '\'');
    }

    @Test
    @Tag("L4")
    @Tag("R3.7")
    void an_acknowledged_limit_change_binds_every_later_grant_and_a_raise_starts_waiting_steps() throws Exception {
        String step = "{'id':'a','uses':'bound.m','flow_control':{'key':'bound','parallelism':5}}";
        NODE.apply("bound", "{'workflow':'bound','steps':[" + step + "]}");
        for (int i = 0; i < 6; i++) {
            NODE.start("bound", "bound-" + i);
        }
        String claimRequest = "{'modules':['bound.m'],'limit':10,'wait':'WAIT','lease':'1h'}";
        pin(2);
        assertThat(claims(NODE.post("/v1/claims", claimRequest.replace("WAIT", "0s"))))
                .isEqualTo(2);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var poll = threads.submit(() -> NODE.post("/v1/claims", claimRequest.replace("WAIT", "20s")));
            pin(4);
            assertThat(claims(poll.get())).isEqualTo(2);
        }
        pin(1);
        assertThat(claims(NODE.post("/v1/claims", claimRequest.replace("WAIT", "0s"))))
                .isZero();
        complete("bound-0");
        complete("bound-1");
        complete("bound-2");
        assertThat(claims(NODE.post("/v1/claims", claimRequest.replace("WAIT", "0s"))))
                .isZero();
        complete("bound-3");
        assertThat(claims(NODE.post("/v1/claims", claimRequest.replace("WAIT", "0s"))))
                .isEqualTo(1);
    }

    private static void pin(int parallelism) {
        var pinned = NODE.post("/v1/keys/pin", "{'key':'bound','parallelism':" + parallelism + "}");
        assertThat(pinned.at("/outcome")).isEqualTo("pinned");
    }

    private static int claims(TestNode.TestResponse got) {
        return got.json().at("/claims").size();
    }

    private static void complete(String run) {
        var got = NODE.post(
                "/v1/updates",
                "{'updates':[{'run':'" + run + "','step':'a','fence':" + NODE.fence(run) + ",'result':'completed'}]}");
        assertThat(got.at("/results/0/outcome")).as(got.body()).isEqualTo("applied");
    }

    @Test
    @Tag("R3.5")
    void a_run_can_be_started_with_a_block_of_its_own() {
        NODE.apply("plain", "{'workflow':'plain','steps':[{'id':'a','uses':'plain.m'}]}");
        String own = "'flow_control':{'key':'own-${{ input.c }}','parallelism':1}";
        NODE.post("/v1/runs", "{'workflow':'plain','id':'own-1','input':{'c':7}," + own + "}");
        assertThat(NODE.post("/v1/claims", "{'run':'own-1'}")
                        .json()
                        .at("/claims")
                        .size())
                .isEqualTo(1);
        NODE.post("/v1/runs", "{'workflow':'plain','id':'own-2','input':{'c':7}," + own + "}");
        assertThat(NODE.get("/v1/keys?key=own-7").at("/waiting")).isEqualTo("1");
    }
}
