package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.engine.shard.CounterName;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests requests that wait for the end of a run. */
@Tag("R0.16")
class RunWaitApiTest {
    private static final TestNode NODE = new TestNode();

    @AfterAll
    static void close() {
        NODE.close();
    }

    @Test
    void a_request_that_waits_is_answered_when_the_run_ends_and_costs_the_loop_nothing_until_then() {
        NODE.apply("waits", "{'workflow':'waits','steps':[{'id':'a','uses':'waits.m'}]}");
        NODE.start("waits", "w");
        var claim = NODE.post("/v1/claims", "{'modules':['waits.m']}");
        long commands = NODE.count(CounterName.COMMANDS);

        var waiting = CompletableFuture.supplyAsync(() -> NODE.get("/v1/runs/w?wait=20s"));
        await().until(() -> NODE.waiters() == 1);
        assertThat(NODE.count(CounterName.COMMANDS)).isEqualTo(commands);
        NODE.post(
                "/v1/updates",
                "{'updates':[{'run':'w','step':'a','result':'completed','fence':" + claim.at("/claims/0/fence")
                        + "}]}");

        assertThat(waiting.join().at("/state")).isEqualTo("completed");
        assertThat(NODE.waiters()).isZero();
        assertThat(NODE.get("/v1/runs/w?wait=20s").at("/state"))
                .as("it has ended already")
                .isEqualTo("completed");
    }

    @Test
    void after_the_time_the_present_state_is_the_answer() {
        NODE.apply("stays", "{'workflow':'stays','steps':[{'id':'a','uses':'stays.m'}]}");
        NODE.start("stays", "s");
        assertThat(NODE.get("/v1/runs/s?wait=50ms").at("/state")).isEqualTo("running");
        assertThat(NODE.get("/v1/runs/s?wait=0s").at("/state")).isEqualTo("running");
    }

    @Test
    void a_wait_that_is_too_long_or_no_duration_and_an_unknown_run_are_refused() {
        assertThat(NODE.get("/v1/runs/none?wait=1s").status()).isEqualTo(404);
        assertThat(NODE.get("/v1/runs/none?wait=21s").body()).contains("?wait", "at most 20s");
        assertThat(NODE.get("/v1/runs/none?wait=soon").status()).isEqualTo(400);
        assertThat(NODE.get("/v1/runs/none?wait=-1s").status()).isEqualTo(400);
    }
}
