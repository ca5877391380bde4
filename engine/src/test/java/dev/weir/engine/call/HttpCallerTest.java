package dev.weir.engine.call;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@Tag("R3.11")
class HttpCallerTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Clock CLOCK = Clock.fixed(Instant.parse("2026-11-15T12:00:00Z"), ZoneOffset.UTC);

    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final String ORG = "acme";

    private final List<Map<String, List<String>>> requests = new CopyOnWriteArrayList<>();
    private final CallMemory memory = new CallMemory(CallSettings.MEMORY_BYTES_MIN);
    private HttpServer server;
    private HttpCaller caller;

    @BeforeEach
    void open() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.start();
        caller = caller("127.0.0.1:" + port());
    }

    @AfterEach
    void close() {
        caller.close();
        server.stop(0);
    }

    @Test
    void status_headers_and_body_are_the_output() {
        answer(200, "application/json", "{\"n\": 1.50}");
        JsonNode output =
                answered(call("{\"method\":\"POST\",\"url\":\"URL\",\"headers\":{\"X-A\":\"b\"},\"body\":{\"q\":1}}"));
        assertThat(output.path("status").asInt()).isEqualTo(200);
        assertThat(output.path("headers").path("content-type").asString()).isEqualTo("application/json");
        assertThat(output.path("body").toString()).isEqualTo("{\"n\":1.5}");
        assertThat(requests.getFirst()).containsEntry("X-a", List.of("b"));
        assertThat(requests.getFirst()).containsEntry("Idempotency-key", List.of("run/step/1"));
        assertThat(requests.getFirst()).containsEntry("Content-type", List.of("application/json; charset=UTF-8"));
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 401, 404, 409})
    void an_answer_that_another_try_would_not_change_fails_for_good(int status) {
        answer(status, "text/plain", "no: canary");
        var failed = (CallResult.Failed) call("{\"url\":\"URL\"}");
        assertThat(failed.permanent()).isTrue();
        assertThat(failed.error()).contains("" + status).doesNotContain("canary");
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 302, 307})
    void a_redirect_is_an_answer_and_is_not_followed(int status) {
        answer(status, "text/plain", "there");
        JsonNode output = answered(call("{\"url\":\"URL\"}"));
        assertThat(output.path("status").asInt()).isEqualTo(status);
        assertThat(output.path("headers").path("location").asString()).isEqualTo("http://127.0.0.1/elsewhere");
        assertThat(requests).hasSize(1);
    }

    @Test
    void characters_and_numbers_that_cannot_be_stored_are_replaced() {
        answer(200, "application/json", "{\"a\\u0000\":\"\\ud800x\",\"n\":1e999,\"m\":[0.1,7,\"\\u0000\"]}");
        assertThat(answered(call("{\"url\":\"URL\"}")).path("body").toString())
                .isEqualTo("{\"a\uFFFD\":\"\uFFFDx\",\"m\":[0.1,7,\"\uFFFD\"],\"n\":\"Infinity\"}");
    }

    @Test
    void a_blank_json_response_has_no_body() {
        answer(200, "application/json", "\n");
        assertThat(answered(call("{\"url\":\"URL\"}")).get("body").isNull()).isTrue();
    }

    @Test
    void a_response_with_a_header_that_is_too_long_is_not_accepted() {
        answer(200, "text/plain", "", "X-Long", "x".repeat(20_000));
        assertThat(((CallResult.Failed) call("{\"url\":\"URL\"}")).error()).contains("no response");
    }

    @Test
    void a_response_whose_headers_are_too_long_together_is_not_accepted() {
        server.createContext("/", exchange -> {
            for (int i = 0; i < 100; i++) {
                exchange.getResponseHeaders().add("X-" + i, "x".repeat(1_000));
            }
            send(exchange, 200, "");
        });
        assertThat(((CallResult.Failed) call("{\"url\":\"URL\"}")).error()).contains("no response");
    }

    @Test
    void an_error_whose_body_never_ends_is_known_by_its_status() {
        var over = new CountDownLatch(1);
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(503, 0);
            exchange.getResponseBody().flush();
            try {
                over.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        try {
            assertThat(((CallResult.Failed) call("{\"url\":\"URL\"}")).error()).contains("503");
        } finally {
            over.countDown();
        }
    }

    @Test
    void a_call_takes_no_longer_than_its_step_may() {
        var over = new CountDownLatch(1);
        server.createContext("/", exchange -> {
            try {
                over.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        try {
            var result = caller.call(
                    memory.openAccount(ORG), read("{\"url\":\"" + url() + "\"}"), "k", Duration.ofMillis(200));
            assertThat(((CallResult.Failed) result).permanent()).isFalse();
        } finally {
            over.countDown();
        }
    }

    @Test
    void a_call_takes_as_long_as_its_step_may_whatever_connecting_may_take() {
        assertThat(HttpCaller.requestConfig(Duration.ofHours(2))
                        .getResponseTimeout()
                        .toDuration())
                .isEqualTo(Duration.ofHours(2));
        var settings = new CallSettings(
                new EgressPolicy(List.of("127.0.0.1")),
                4,
                Duration.ofSeconds(1),
                100_000,
                CallSettings.MEMORY_BYTES_MIN);
        var never = new CountDownLatch(1);
        server.createContext("/", exchange -> {
            try {
                // The server answers only after the longest time that a connection may take.
                never.await(1_500, TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        try (var patient = new HttpCaller(settings, CLOCK)) {
            var output =
                    answered(patient.call(memory.openAccount(ORG), read("{\"url\":\"" + url() + "\"}"), "k", MINUTE));
            assertThat(output.path("status").asInt()).isEqualTo(204);
        }
    }

    @ParameterizedTest
    @CsvSource({"7200, 7200", "86400, 86400", "86401, 86400", "999999999, 86400"})
    void retry_after_is_honoured_for_at_most_a_day(String value, long seconds) {
        answer(429, "text/plain", "later", "Retry-After", value);
        var failed = (CallResult.Failed) call("{\"url\":\"URL\"}");
        assertThat(failed.retryAfter()).isEqualTo(Duration.ofSeconds(seconds));
    }

    @ParameterizedTest
    @ValueSource(ints = {429, 500, 502, 503})
    void an_answer_that_asks_for_another_try_fails_for_now(int status) {
        answer(status, "text/plain", "later", "Retry-After", "7");
        var failed = (CallResult.Failed) call("{\"url\":\"URL\"}");
        assertThat(failed.permanent()).isFalse();
        assertThat(failed.retryAfter()).isEqualTo(Duration.ofSeconds(7));
        assertThat(failed.error()).contains("" + status);
    }

    @Test
    void a_host_that_does_not_listen_fails_for_now() throws IOException {
        int closed;
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            closed = socket.getLocalPort();
        }
        try (var other = caller("127.0.0.1")) {
            var failed = (CallResult.Failed) other.call(
                    memory.openAccount(ORG),
                    read("{\"url\":\"http://127.0.0.1:" + closed + "/?token=canary\"}"),
                    "k",
                    MINUTE);
            assertThat(failed.permanent()).isFalse();
            assertThat(failed.error()).doesNotContain("canary").contains("cannot connect");
        }
    }

    @Test
    void an_answer_that_is_too_long_fails_for_good() {
        answer(200, "text/plain", "x".repeat(CallSettings.BODY_BYTES_MAX + 1));
        var failed = (CallResult.Failed) call("{\"url\":\"URL\"}");
        assertThat(failed.permanent()).isTrue();
        assertThat(failed.error()).contains("at most " + CallSettings.BODY_BYTES_MAX);
    }

    @Test
    void a_response_that_trickles_is_aborted() {
        var over = new CountDownLatch(1);
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            OutputStream out = exchange.getResponseBody();
            try {
                // The server sends single bytes, each well within the timeout of a read.
                while (!over.await(20, TimeUnit.MILLISECONDS)) {
                    out.write(' ');
                    out.flush();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        try {
            var timeout = Duration.ofMillis(300);
            var failed = (CallResult.Failed)
                    caller.call(memory.openAccount(ORG), read("{\"url\":\"" + url() + "\"}"), "k", timeout);
            assertThat(failed.permanent()).isFalse();
        } finally {
            over.countDown();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://127.0.0.1:PORT/",
                "http://localhost:PORT/",
                "http://[::1]:PORT/",
                "http://[::ffff:127.0.0.1]:PORT/",
                "http://127.1:PORT/",
                "http://2130706433:PORT/",
                "http://0x7f000001:PORT/",
                "http://0177.0.0.1:PORT/",
                "http://0.0.0.0:PORT/",
                "http://[::]:PORT/",
                "http://①②⑦.⓪.⓪.①:PORT/",
                "http://u@127.0.0.1:PORT/",
                "http://LOCALHOST:PORT/",
                "http://127.0.0.1.:PORT/"
            })
    void an_internal_address_is_refused_before_any_connection(String url) throws IOException {
        try (var listener = new ServerSocket(0, 10, InetAddress.getByName("0.0.0.0"));
                var strict = new HttpCaller(CallSettings.DEFAULT, CLOCK)) {
            String target = url.replace("PORT", "" + listener.getLocalPort());
            var failed = (CallResult.Failed)
                    strict.call(memory.openAccount(ORG), read("{\"url\":\"" + target + "\"}"), "k", MINUTE);
            assertThat(failed.permanent()).isTrue();
            listener.setSoTimeout(1);
            org.assertj.core.api.Assertions.assertThatThrownBy(listener::accept)
                    .as("nobody has connected")
                    .isInstanceOf(java.net.SocketTimeoutException.class);
        }
    }

    @Test
    void hanging_dns_lookups_of_one_organisation_leave_lookups_to_others() throws Exception {
        answer(200, "text/plain", "");
        var hanging = new CountDownLatch(CheckedResolver.LOOKUPS_MAX / 2);
        var end = new CountDownLatch(1);
        CheckedResolver.HostLookup hostLookup = host -> {
            if (host.equals("hang.test")) {
                hanging.countDown();
                end.await();
            }
            return new InetAddress[] {InetAddress.getLoopbackAddress()};
        };
        var settings = CallSettings.DEFAULT.withEgressPolicy(new EgressPolicy(List.of("good.test", "hang.test")));
        try (var shared = new HttpCaller(settings, CLOCK, hostLookup);
                var calls = java.util.concurrent.Executors.newVirtualThreadPerTaskExecutor()) {
            JsonNode hang = read("{\"url\":\"http://hang.test:" + port() + "/\"}");
            for (int i = 0; i < CheckedResolver.LOOKUPS_MAX / 2; i++) {
                calls.execute(() -> shared.call(memory.openAccount("greedy"), hang, "k", MINUTE));
            }
            assertThat(hanging.await(20, TimeUnit.SECONDS)).isTrue();
            // One more call of the greedy organisation is rescheduled, which is no failure. The other's names are
            // looked up.
            assertThat(shared.call(memory.openAccount("greedy"), hang, "k", MINUTE))
                    .isInstanceOf(CallResult.Deferred.class);
            JsonNode good = read("{\"url\":\"http://good.test:" + port() + "/\"}");
            answered(shared.call(memory.openAccount("modest"), good, "k", MINUTE));
            end.countDown();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"url\":\"URL\",\"headers\":{\"Host\":\"other\"}}",
                "{\"url\":\"URL\",\"headers\":{\"Content-Length\":\"5\"}}",
                "{\"url\":\"URL\",\"headers\":{\"accept-Encoding\":\"br\"}}",
                "{\"url\":\"URL\",\"headers\":{\"X\":\"a\\r\\nY: b\"}}",
                "{\"url\":\"URL\",\"headers\":{\"X\\r\\nY\":\"b\"}}",
                "{\"url\":\"URL\",\"headers\":{\"\":\"b\"}}"
            })
    void headers_that_would_change_the_request_are_refused(String request) {
        answer(200, "text/plain", "");
        assertThat(((CallResult.Failed) call(request)).permanent()).isTrue();
        assertThat(requests).isEmpty();
    }

    @Test
    void a_wait_is_read_as_seconds_or_as_a_date_and_bounded() {
        Instant now = CLOCK.instant();
        assertThat(RetryAfterHeader.parse("120", now)).isEqualTo(Duration.ofMinutes(2));
        assertThat(RetryAfterHeader.parse("Sun, 15 Nov 2026 12:00:30 GMT", now)).isEqualTo(Duration.ofSeconds(30));
        assertThat(RetryAfterHeader.parse("Sun, 15 Nov 2026 11:00:00 GMT", now)).isEqualTo(Duration.ZERO);
        assertThat(RetryAfterHeader.parse("999999999", now)).isEqualTo(RetryAfterHeader.MAX);
        assertThat(RetryAfterHeader.parse("-5", now)).isNull();
        assertThat(RetryAfterHeader.parse("soon", now)).isNull();
        assertThat(RetryAfterHeader.parse("99999999999999999999", now)).isNull();
    }

    private void answer(int status, String type, String body, String... header) {
        server.createContext("/", exchange -> {
            requests.add(Map.copyOf(exchange.getRequestHeaders()));
            exchange.getResponseHeaders().add("Content-Type", type);
            if (header.length == 2) {
                exchange.getResponseHeaders().add(header[0], header[1]);
            }
            exchange.getResponseHeaders().add("Location", "http://127.0.0.1/elsewhere");
            send(exchange, status, body);
        });
    }

    private static void send(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(bytes);
        }
    }

    private CallResult call(String request) {
        return caller.call(memory.openAccount(ORG), read(request.replace("URL", url())), "run/step/1", MINUTE);
    }

    private static JsonNode answered(CallResult result) {
        assertThat(result).isInstanceOf(CallResult.Answered.class);
        return ((CallResult.Answered) result).output();
    }

    private static JsonNode read(String json) {
        return JSON.readTree(json);
    }

    private static HttpCaller caller(String allowed) {
        return new HttpCaller(CallSettings.DEFAULT.withEgressPolicy(new EgressPolicy(List.of(allowed))), CLOCK);
    }

    private String url() {
        return "http://127.0.0.1:" + port() + "/";
    }

    private int port() {
        return server.getAddress().getPort();
    }
}
