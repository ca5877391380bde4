package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests predictions of the waiting work over HTTP. */
class WhatIfApiTest {
    private static final String WHAT_IF = "/v1/what-if";

    private final TestNode node = new TestNode();

    @BeforeEach
    void startJobs() {
        node.apply(
                "job",
                "{'workflow':'job','limits':{'max_concurrent_runs':50},'steps':[{'id':'call','uses':'job.call',"
                        + "'flow_control':[{'key':'api','parallelism':2},{'key':'customer','parallelism':9}]}]}");
        for (int i = 0; i < 20; i++) {
            node.start("job", "r" + i);
        }
        // The poll shows that somebody serves the module.
        node.post("/v1/claims", "{'modules':['job.call'],'limit':10,'wait':'0s'}");
    }

    @AfterEach
    void close() {
        node.close();
    }

    @Test
    void a_pin_is_compared_with_the_present_course() {
        var answer = node.post(WHAT_IF, "{'change':{'pin':{'key':'api','parallelism':20}}}");
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(answer.at("/backlog/runs")).isEqualTo("20");
        assertThat(answer.at("/backlog/waiting")).isEqualTo("18");
        assertThat(answer.at("/backlog/sampled")).isEqualTo("false");
        assertThat(answer.at("/present/end")).isEqualTo("drained");
        assertThat(answer.at("/present/held_by/0/name")).isEqualTo("key api's parallelism");
        assertThat(answer.at("/changed/target/waiting")).isEqualTo("18");
        assertThat(java.time.Instant.parse(answer.at("/changed/target/empty_at")))
                .isBefore(answer.at("/present/target/empty_at"));
        assertThat(answer.at("/assumptions/durations/0/step")).isEqualTo("call");
        assertThat(node.get("/v1/keys?key=api").at("/pinned"))
                .as("nothing is changed")
                .isEmpty();
    }

    @Test
    void without_a_change_only_the_present_course_is_predicted() {
        var answer = node.post(WHAT_IF, "{}");
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(answer.at("/present/drained_at")).isNotEmpty();
        assertThat(answer.at("/changed")).isEmpty();
    }

    @Test
    void limits_on_runs_and_pauses_are_predicted() {
        var limits = node.post(
                WHAT_IF, "{'change':{'limits':{'workflow':'job','values':{'max_concurrent_runs':1,'for':'1h'}}}}");
        assertThat(limits.status()).as(limits.body()).isEqualTo(200);
        var pause = node.post(WHAT_IF, "{'change':{'pause':{'key':'api'}}}");
        assertThat(pause.at("/changed/end")).as(pause.body()).isEqualTo("stuck");
        assertThat(pause.at("/changed/waiting")).isEqualTo("18");
        var resumed = node.post(WHAT_IF, "{'change':{'resume':{'key':'api'}}}");
        assertThat(resumed.at("/changed/end")).isEqualTo("drained");
        assertThat(node.post(WHAT_IF, "{'change':{'unpin':{'key':'api'}}}").status())
                .isEqualTo(200);
    }

    @Test
    void a_change_that_the_node_would_refuse_is_refused_with_its_place() {
        assertThat(node.post(WHAT_IF, "{'change':{}}").status()).isEqualTo(400);
        assertThat(node.post(WHAT_IF, "{'change':{'pin':{'key':'api','parallelism':0}}}")
                        .status())
                .isEqualTo(400);
        assertThat(node.post(WHAT_IF, "{'change':{'pin':{'key':'api','period':'1m'}}}")
                        .at("/errors/0/pointer"))
                .isEqualTo("/rate");
        assertThat(node.post(WHAT_IF, "{'change':{'limits':{'workflow':'none','values':{'max_concurrent_runs':1}}}}")
                        .status())
                .isEqualTo(404);
        assertThat(node.post(WHAT_IF, "{'change':{'limits':{'run_key':'k','values':{'max_concurrent_runs':1}}}}")
                        .status())
                .isEqualTo(400);
        assertThat(node.post(WHAT_IF, "{'change':{'pin':{'key':'a','parallelism':1},'pause':{'key':'a'}}}")
                        .status())
                .isEqualTo(400);
    }

    @Test
    void limits_of_workflows_and_of_their_run_keys_are_listed() {
        node.apply(
                "keyed",
                "{'workflow':'keyed','limits':{'run_key':'${{ input.k }}','max_concurrent_runs_per_key':3},"
                        + "'steps':[{'id':'a','uses':'keyed.m'}]}");
        node.patch("/v1/workflows/keyed/limits?run_key=b", "{'max_concurrent_runs':1}");
        node.patch("/v1/workflows/keyed/limits?run_key=a", "{'max_concurrent_runs':2}");
        var workflows = node.get("/v1/limits");
        assertThat(workflows.at("/limits/0/workflow")).isEqualTo("job");
        assertThat(workflows.at("/limits/0/max_concurrent_runs/effective")).isEqualTo("50");
        assertThat(workflows.at("/limits/0/max_concurrent_runs/used")).isEqualTo("20");
        var keys = node.get("/v1/limits?workflow=keyed&limit=1");
        assertThat(keys.at("/limits/0/run_key")).isEqualTo("a");
        var rest = node.get("/v1/limits?workflow=keyed&cursor=" + keys.at("/next"));
        assertThat(rest.at("/limits/0/run_key")).isEqualTo("b");
        assertThat(rest.at("/limits/0/max_concurrent_runs/defined")).isEqualTo("3");
        assertThat(rest.at("/next")).isEmpty();
    }
}
