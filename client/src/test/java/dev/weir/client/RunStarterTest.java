package dev.weir.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.weir.api.Starts.StartRuns;
import dev.weir.api.Starts.StartedRun;
import dev.weir.api.WireJson;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RunStarterTest {
    private final ConcurrentLinkedQueue<Integer> batches = new ConcurrentLinkedQueue<>();
    /** Requests are answered once this is open. */
    private final CountDownLatch answering = new CountDownLatch(1);

    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext("/v1/runs/batch", exchange -> {
            var sent = WireJson.STRICT.readValue(exchange.getRequestBody().readAllBytes(), StartRuns.class);
            batches.add(sent.runs().size());
            awaitAnswering();
            List<String> results = new ArrayList<>();
            sent.runs()
                    .forEach(run -> results.add(
                            run.workflow().equals("unknown")
                                    ? "{\"id\":\"x\",\"outcome\":\"unknown_workflow\",\"detail\":\"no such workflow\"}"
                                    : "{\"id\":\"" + run.id() + "\",\"outcome\":\"created\",\"state\":\"running\"}"));
            byte[] body = ("{\"results\":[" + String.join(",", results) + "]}").getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
    }

    private void awaitAnswering() {
        try {
            assertThat(answering.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private Client client() {
        return Client.connect("http://127.0.0.1:" + server.getAddress().getPort(), "token");
    }

    @Test
    void starts_that_are_ready_together_share_a_request_and_each_has_its_answer() throws Exception {
        List<CompletableFuture<StartedRun>> answers = new ArrayList<>();
        try (var starter = client().starter()) {
            for (int i = 0; i < 1_000; i++) {
                answers.add(starter.start("order", "order-" + i, Map.of("order", i)));
            }
            answering.countDown();
            for (int i = 0; i < answers.size(); i++) {
                assertThat(answers.get(i).get(60, TimeUnit.SECONDS).id()).isEqualTo("order-" + i);
            }
        }
        // Two requests are under way while the rest collects: at most 500 runs in each.
        assertThat(batches.size()).isBetween(2, 6);
        assertThat(batches).allMatch(size -> size <= 500);
        assertThat(batches.stream().mapToInt(Integer::intValue).sum()).isEqualTo(1_000);
    }

    @Test
    void a_start_that_is_refused_fails_alone() throws Exception {
        answering.countDown();
        try (var starter = client().starter()) {
            CompletableFuture<StartedRun> refused = starter.start("unknown", null, null);
            CompletableFuture<StartedRun> started = starter.start("order", null, null);
            assertThat(started.get(60, TimeUnit.SECONDS).created()).isTrue();
            assertThatThrownBy(() -> refused.get(60, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(RequestFailed.Refused.class)
                    .hasMessageContaining("no such workflow");
        }
    }

    @Test
    void a_close_waits_for_the_answers() throws Exception {
        CompletableFuture<StartedRun> answer;
        try (var starter = client().starter()) {
            answer = starter.start("order", null, null);
            answering.countDown();
        }
        assertThat(answer).isCompleted();
    }
}
