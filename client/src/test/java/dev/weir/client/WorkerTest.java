package dev.weir.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;

/** Tests a worker whose server gives unexpected answers. */
class WorkerTest {
    private static final String CLAIM = claim("{}");
    private static final Duration AWAIT_TIMEOUT = Duration.ofSeconds(20);

    private final Map<String, Queue<String>> answers = Map.of(
            "/v1/claims", new ConcurrentLinkedQueue<>(),
            "/v1/heartbeats", new ConcurrentLinkedQueue<>(),
            "/v1/logs", new ConcurrentLinkedQueue<>(),
            "/v1/updates", new ConcurrentLinkedQueue<>());
    private final Queue<String> requests = new ConcurrentLinkedQueue<>();
    private final AtomicInteger heartbeats = new AtomicInteger();
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newCachedThreadPool(WorkerTest::daemonThread));
        server.createContext("/", exchange -> {
            String path = exchange.getRequestURI().getPath();
            if (path.equals("/v1/heartbeats")) {
                heartbeats.incrementAndGet();
            }
            String next = answers(path).poll();
            int status = "refuse".equals(next) ? 400 : "unauthenticated".equals(next) ? 401 : 200;
            String sent = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            requests.add(path + " " + sent);
            byte[] body = (next == null ? applied(sent) : next).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
    }

    /** Returns an answer without claims that applies every report of a request. */
    private static String applied(String sent) {
        int reports = sent.split("\"result\":", -1).length - 1;
        String results = String.join(",", Collections.nCopies(reports, "{\"outcome\":\"applied\"}"));
        return "{\"claims\":[],\"results\":[" + results + "]}";
    }

    private static Thread daemonThread(Runnable task) {
        var thread = new Thread(task, "answers");
        thread.setDaemon(true);
        return thread;
    }

    private static String claim(String input) {
        return "{\"claims\":[{\"run\":\"r\",\"step\":\"a\",\"module\":\"m\",\"fence\":1,"
                + "\"attempt\":1,\"effect_number\":1,\"lease\":\"5s\",\"input\":" + input + "}]}";
    }

    private Queue<String> answers(String path) {
        return Objects.requireNonNull(answers.get(path), path);
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private WorkerBuilder builder() {
        String url = "http://127.0.0.1:" + server.getAddress().getPort();
        return Worker.of(Client.connect(url, "token"))
                .concurrency(1)
                .lease(Duration.ofSeconds(5))
                .poll(Duration.ZERO)
                .grace(Duration.ofSeconds(1));
    }

    private Worker worker(Handler.WithoutInput handler, List<String> messages) {
        return builder()
                .module("m", handler)
                .onTrouble(message -> {
                    messages.add(message);
                    throw new IllegalStateException("a listener that fails");
                })
                .start();
    }

    @Test
    void a_worker_continues_after_refused_and_invalid_responses() throws InterruptedException {
        answers("/v1/claims").addAll(List.of("refuse", "{\"claims\":null}", "null", CLAIM));
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
        assertThat(messages).hasSize(3);
        assertThat(messages.get(0)).contains("refused");
        assertThat(messages.get(1)).contains("polling for work failed; the worker retries");
        assertThat(messages.get(2)).contains("expected a response of Weir");
    }

    /** The input of a typed handler. */
    record Parcel(String id, int weight) {}

    /** The output of a typed handler. */
    record Label(String text, @Nullable Integer copies) {}

    @Test
    void a_typed_handler_gets_its_input_and_any_value_becomes_the_output() throws InterruptedException {
        answers("/v1/claims").add(claim("{\"id\":\"p1\",\"weight\":7,\"unknown\":[]}"));
        try (var worker = builder()
                .module("m", Parcel.class, (parcel, step) -> new Label(parcel.id() + "/" + parcel.weight(), null))
                .start()) {
            worker.awaitReports(1);
        }
        assertThat(requests)
                .anyMatch(sent ->
                        sent.contains("\"result\":\"completed\",\"output\":{\"text\":\"p1/7\",\"copies\":null}"));
    }

    @Test
    void an_input_that_does_not_fit_fails_for_good_and_says_where() throws InterruptedException {
        answers("/v1/claims").add(claim("{\"id\":\"p1\",\"weight\":\"heavy\"}"));
        try (var worker =
                builder().module("m", Parcel.class, (parcel, step) -> null).start()) {
            worker.awaitReports(1);
        }
        assertThat(requests)
                .anyMatch(sent -> sent.contains("expected an input that fits Parcel")
                        && sent.contains("weight")
                        && sent.contains("\"permanent\":true"));
    }

    @Test
    void a_claim_request_carries_the_report_of_the_job_before() throws InterruptedException {
        answers("/v1/claims").add(CLAIM);
        try (var worker =
                builder().module("m", step -> Map.of("fence", step.fence())).start()) {
            worker.awaitReports(1);
        }
        assertThat(requests)
                .anyMatch(sent -> sent.startsWith("/v1/claims")
                        && sent.contains("\"updates\":[{\"run\":\"r\",\"step\":\"a\",\"fence\":1,"
                                + "\"result\":\"completed\",\"output\":{\"fence\":1}}]"));
    }

    @Test
    void a_wrong_token_is_logged_at_once_as_an_error_with_advice() {
        answers("/v1/claims").addAll(Collections.nCopies(1_000, "unauthenticated"));
        var logger = java.util.logging.Logger.getLogger("dev.weir.client");
        var records = new ConcurrentLinkedQueue<java.util.logging.LogRecord>();
        var recorder = new java.util.logging.StreamHandler() {
            @Override
            public synchronized void publish(java.util.logging.LogRecord record) {
                records.add(record);
            }
        };
        logger.addHandler(recorder);
        try (var worker = builder().module("m", step -> null).start()) {
            await().atMost(AWAIT_TIMEOUT).until(() -> !records.isEmpty());
            await().atMost(AWAIT_TIMEOUT).until(() -> requests.size() > 3);
            assertThat(worker).isNotNull();
        } finally {
            logger.removeHandler(recorder);
        }
        assertThat(records).as("the same message again is not logged").hasSize(1);
        var first = Objects.requireNonNull(records.peek());
        assertThat(first.getLevel()).isEqualTo(java.util.logging.Level.SEVERE);
        assertThat(first.getMessage()).contains("check the API token", "WEIR_TOKEN");
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
