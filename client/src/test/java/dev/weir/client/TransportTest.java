package dev.weir.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.weir.api.Problem;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class TransportTest {
    /** Sends a request to a server that answers with these statuses in turn, and with the last one for ever. */
    private static String sendTo(List<Integer> statuses, Duration retryTimeout)
            throws IOException, InterruptedException {
        return sendTo(statuses, retryTimeout, null);
    }

    private static String sendTo(List<Integer> statuses, Duration retryTimeout, @Nullable String retryAfter)
            throws IOException, InterruptedException {
        var requests = new AtomicInteger();
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            int status = statuses.get(Math.min(requests.getAndIncrement(), statuses.size() - 1));
            byte[] body = (status == 200
                            ? "{\"asked\":" + requests.get() + "}"
                            : "{\"type\":\"x\",\"title\":\"x\",\"status\":" + status + ",\"detail\":\"busy\"}")
                    .getBytes(StandardCharsets.UTF_8);
            if (retryAfter != null) {
                exchange.getResponseHeaders().add("Retry-After", retryAfter);
            }
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        try {
            String url = "http://127.0.0.1:" + server.getAddress().getPort();
            var transport = new Transport(Connection.to(url, "token").withRetryTimeout(retryTimeout));
            return transport.send(Transport.ApiRequest.get("/"), JsonNode.class).toString();
        } finally {
            server.stop(0);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {429, 503})
    void a_request_is_retried_when_the_server_is_busy_or_unavailable(int status) throws Exception {
        assertThat(sendTo(List.of(status, status, 200), Duration.ofSeconds(30))).isEqualTo("{\"asked\":3}");
    }

    @ParameterizedTest
    @ValueSource(ints = {429, 503})
    void retries_of_a_busy_server_end(int status) {
        assertThatThrownBy(() -> sendTo(List.of(status), Duration.ZERO))
                .isInstanceOf(RequestFailed.Unreachable.class)
                .hasMessageContaining("busy");
    }

    @Test
    void a_pause_that_the_server_asks_for_is_kept() throws Exception {
        long startedAt = System.nanoTime();
        assertThat(sendTo(List.of(429, 200), Duration.ofSeconds(30), "1")).isEqualTo("{\"asked\":2}");
        assertThat(Duration.ofNanos(System.nanoTime() - startedAt)).isGreaterThanOrEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void a_pause_beyond_the_last_attempt_fails_at_once_and_is_told() {
        assertThatThrownBy(() -> sendTo(List.of(503), Duration.ofSeconds(30), "3600"))
                .isInstanceOfSatisfying(
                        RequestFailed.Unreachable.class,
                        failure -> assertThat(failure.retryAfter()).isEqualTo(Duration.ofHours(1)));
    }

    @Test
    void a_refused_request_is_not_retried() {
        assertThatThrownBy(() -> sendTo(List.of(Problem.Kind.REFUSED.status(), 200), Duration.ofSeconds(30)))
                .isInstanceOf(RequestFailed.Refused.class);
    }
}
