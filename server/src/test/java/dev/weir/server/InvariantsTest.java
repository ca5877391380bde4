package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.engine.shard.CounterName;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("RX.2")
class InvariantsTest {
    private static final int KEYS = 5_000;
    private static final int BATCH = 500;

    private static final String WORKFLOW = "{'workflow':'w','steps':[{'id':'a','uses':'m','flow_control':"
            + "{'key':'${{ input.k }}','parallelism':1,'rate':5,'period':'1h'}}]}";

    private static final String RUN_OF_K = "{'workflow':'w','input':{'k':'k'}}";

    /** Guards against paging by name, which took 26 commands that each went through all keys. */
    @Test
    void many_keys_are_checked_with_few_commands_of_the_loop() {
        try (var node = new TestNode()) {
            node.apply("w", WORKFLOW);
            for (int from = 0; from < KEYS; from += BATCH) {
                String runs = IntStream.range(from, from + BATCH)
                        .mapToObj(i -> "{'workflow':'w','input':{'k':'key-" + i + "'}}")
                        .collect(Collectors.joining(","));
                assertThat(node.post("/v1/runs/batch", "{'runs':[" + runs + "]}")
                                .status())
                        .isEqualTo(200);
            }
            long before = node.count(CounterName.COMMANDS);
            var got = node.get("/v1/invariants");
            assertThat(node.count(CounterName.COMMANDS) - before).isBetween(1L, 4L);
            assertThat(got.at("/hold")).isEqualTo("true");
            assertThat(got.at("/invariants/0/looked")).isEqualTo(String.valueOf(KEYS));
        }
    }

    @Test
    void a_key_that_was_unpinned_while_more_runs_than_it_allows_now_is_no_violation() {
        try (var node = new TestNode()) {
            node.apply("w", WORKFLOW);
            node.post("/v1/keys/pin", "{'key':'k','parallelism':2,'reason':'a rush'}");
            node.post("/v1/runs/batch", "{'runs':[" + RUN_OF_K + "," + RUN_OF_K + "]}");
            assertThat(node.post("/v1/claims", "{'modules':[{'id':'m'}],'limit':2}")
                            .json()
                            .at("/claims")
                            .size())
                    .isEqualTo(2);
            assertThat(node.get("/v1/invariants").at("/hold")).isEqualTo("true");
            node.post("/v1/keys/unpin", "{'key':'k'}");
            var got = node.get("/v1/invariants");
            assertThat(got.at("/hold")).as(got.body()).isEqualTo("true");
            assertThat(got.at("/invariants/0/looked")).isEqualTo("1");
            assertThat(got.json().at("/invariants/0/unproved").size()).isZero();
        }
    }
}
