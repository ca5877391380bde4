package dev.weir.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;

/** Tests a worker whose server gives unexpected answers. */
class WorkerTest {
    private static final String CLAIM = "{\"claims\":[{\"run\":\"r\",\"step\":\"a\",\"module\":\"m\",\"fence\":1,"
            + "\"attempt\":1,\"lease\":\"5s\",\"input\":{}}]}";
    private static final Duration AWAIT_TIMEOUT = Duration.ofSeconds(20);

    private final Map<String, Queue<String>> answers = Map.of(
            "/v1/claims", new ConcurrentLinkedQueue<>(),
            "/v1/heartbeats", new ConcurrentLinkedQueue<>(),
            "/v1/logs", new ConcurrentLinkedQueue<>(),
            "/v1/updates", new ConcurrentLinkedQueue<>());
    private final AtomicInteger heartbeats = new AtomicInteger();
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newCachedThreadPool(body -> Worker.daemonThread(body, "answers")));
        server.createContext("/", exchange -> {
            String path = exchange.getRequestURI().getPath();
            if (path.equals("/v1/heartbeats")) {
                heartbeats.incrementAndGet();
            }
            String next = answers(path).poll();
            int status = "refuse".equals(next) ? 400 : 200;
            byte[] body = (next == null ? "{\"claims\":[],\"results\":[]}" : next).getBytes(StandardCharsets.UTF_8);
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
    }

    private Queue<String> answers(String path) {
        return Objects.requireNonNull(answers.get(path), path);
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private Worker worker(Handler handler, List<String> messages) {
        var client = new Client(
                Connection.to("http://127.0.0.1:" + server.getAddress().getPort(), "token"));
        var settings =
                new WorkerSettings("w", 1, Duration.ofSeconds(5), Duration.ZERO, Duration.ofSeconds(1), message -> {
                    messages.add(message);
                    throw new IllegalStateException("a listener that fails");
                });
        return Worker.start(client, Map.of("m", handler), settings);
    }

    @Test
    void a_worker_continues_after_refused_and_invalid_responses() throws InterruptedException {
        answers("/v1/claims").addAll(List.of("refuse", "{\"claims\":null}", "null", CLAIM));
        answers("/v1/updates")
                .add("{\"results\":[{\"run\":\"r\",\"step\":\"a\",\"fence\":1,\"outcome\":\"applied\"}]}");
        var done = new CountDownLatch(1);
        List<String> messages = new java.util.concurrent.CopyOnWriteArrayList<>();
        try (var worker = worker(
                job -> {
                    done.countDown();
                    return JsonNodeFactory.instance.objectNode();
                },
                messages)) {
            await().atMost(AWAIT_TIMEOUT).until(() -> done.getCount() == 0);
            worker.awaitReports(1);
        }
        assertThat(messages).hasSize(2);
        assertThat(messages.get(0)).contains("refused");
        assertThat(messages.get(1)).contains("polling for work failed; the worker retries");
    }

    @Test
    void heartbeats_continue_after_an_empty_response() {
        answers("/v1/claims").add(CLAIM);
        answers("/v1/heartbeats").addAll(List.of("{}", "null"));
        try (var worker = worker(
                job -> {
                    await().atMost(AWAIT_TIMEOUT).until(() -> heartbeats.get() > 2);
                    return JsonNodeFactory.instance.objectNode();
                },
                new java.util.concurrent.CopyOnWriteArrayList<>())) {
            await().atMost(AWAIT_TIMEOUT).until(() -> heartbeats.get() > 2);
            assertThat(worker).isNotNull();
        }
    }
}
