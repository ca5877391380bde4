package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class RunStepNowApiTest {
    private static final TestNode NODE = new TestNode();

    @AfterAll
    static void close() {
        NODE.close();
    }

    @Test
    @Tag("R2.14")
    void run_now_says_what_becomes_of_the_step() {
        NODE.apply(
                "queue",
                "{'workflow':'queue','steps':[{'id':'a','uses':'queue.m','flow_control':{'key':'queue-key','parallelism':1}},"
                        + "{'id':'b','uses':'queue.m','needs':['a']}]}");
        List.of("q-1", "q-2", "q-3").forEach(run -> NODE.start("queue", run));
        var noWorker = NODE.post("/v1/runs/q-2/steps/a/run", "{'reason':'urgent'}");
        assertThat(noWorker.status()).isEqualTo(200);
        assertThat(noWorker.at("/outcome")).isEqualTo("no_worker");
        var claim = NODE.post("/v1/claims", "{'modules':[{'id':'queue.m'}],'limit':9}");
        assertThat(claim.at("/claims/0/run")).isEqualTo("q-2");
        var held = NODE.post("/v1/runs/q-3/steps/a/run", "{}");
        assertThat(held.at("/outcome")).isEqualTo("held");
        assertThat(held.at("/reasons/0/limit/id")).isEqualTo("key:queue-key");
        assertThat(NODE.post("/v1/runs/q-2/steps/a/run", "{}").at("/outcome")).isEqualTo("granted");
        var notReady = NODE.post("/v1/runs/q-1/steps/b/run", "{}");
        assertThat(notReady.status()).isEqualTo(409);
        assertThat(notReady.at("/detail")).contains("it needs steps that have not ended: a");
        assertThat(NODE.post("/v1/runs/q-1/steps/nothing/run", "{}").status()).isEqualTo(404);
        var entry = NODE.get("/v1/audit?limit=1");
        assertThat(entry.at("/entries/0/action")).isEqualTo("run_step_now");
        assertThat(entry.at("/entries/0/target")).isEqualTo("step:q-3/a");
    }
}
