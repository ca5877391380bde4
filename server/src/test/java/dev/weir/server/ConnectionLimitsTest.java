package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.weir.server.http.HttpBounds;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests that clients that are not authenticated cannot use up the server. */
@Tag("RX.5")
class ConnectionLimitsTest {
    private static final String LIVE = "GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n";
    private static final int READ_TIMEOUT_MILLIS = 200;

    private final List<Socket> opened = new ArrayList<>();

    private Socket connect(TestNode node) throws IOException {
        var socket = new Socket(InetAddress.getLoopbackAddress(), node.server.port());
        socket.setSoTimeout(READ_TIMEOUT_MILLIS);
        opened.add(socket);
        return socket;
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }

    /** Returns true if the server has closed the connection. No response is expected. */
    private static boolean isClosed(Socket socket) throws IOException {
        try {
            return socket.getInputStream().read() < 0;
        } catch (SocketTimeoutException e) {
            return false;
        }
    }

    private void closeAll() throws IOException {
        for (Socket socket : opened) {
            socket.close();
        }
    }

    @Test
    void headers_that_drip_are_given_up() throws IOException {
        try (var node = new TestNode(new HttpBounds(100, Duration.ofSeconds(1)))) {
            Socket slow = connect(node);
            send(slow, "GET /health/live HTTP/1.1\r\nHost: localhost\r\nX-Slow: ");
            Socket slower = connect(node);
            send(slower, "GET /hea");
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> !List.of(isClosedAfterByte(slow), isClosedAfterByte(slower))
                            .contains(false));
        } finally {
            closeAll();
        }
    }

    /** Sends one more byte. Returns true if the server has closed the connection. */
    private static boolean isClosedAfterByte(Socket socket) {
        try {
            send(socket, "x");
            return isClosed(socket);
        } catch (IOException e) {
            return true; // closed by the server
        }
    }

    @Test
    void a_connection_that_is_used_again_and_again_is_not_given_up() throws IOException {
        try (var node = new TestNode(new HttpBounds(100, Duration.ofMillis(100)))) {
            Socket busy = connect(node);
            busy.setSoTimeout(10_000);
            long end = System.nanoTime() + Duration.ofSeconds(2).toNanos();
            while (System.nanoTime() - end < 0) {
                send(busy, LIVE);
                assertThat(readResponse(busy)).startsWith("HTTP/1.1 200");
            }
        } finally {
            closeAll();
        }
    }

    @Test
    void a_client_beyond_the_connection_limit_waits_until_a_connection_closes() throws IOException {
        try (var node = new TestNode(new HttpBounds(3, Duration.ofSeconds(10)))) {
            for (int i = 0; i < 3; i++) {
                Socket one = connect(node);
                one.setSoTimeout(10_000);
                send(one, LIVE);
                assertThat(readResponse(one)).startsWith("HTTP/1.1 200");
            }
            Socket late = connect(node);
            send(late, LIVE);
            assertThatThrownBy(() -> readResponse(late)).isInstanceOf(SocketTimeoutException.class);
            opened.getFirst().close();
            late.setSoTimeout(10_000);
            assertThat(readResponse(late)).startsWith("HTTP/1.1 200");
        } finally {
            closeAll();
        }
    }

    @Test
    @Tag("S9")
    void one_organisation_can_occupy_half_of_the_connections_and_still_reports_its_work() throws IOException {
        try (var node = new TestNode(new HttpBounds(20, Duration.ofSeconds(10)))) {
            for (int i = 0; i < 10; i++) {
                send(connect(node), poll());
            }
            await().until(() -> node.get("/v1/keys").status() == 429);
            assertThat(node.get("/v1/keys").at("/detail")).contains("expected at most 10 requests of an organisation");
            assertThat(node.send("GET", "/v1/keys", null, "other-token").status())
                    .isEqualTo(200);
            assertThat(node.post("/v1/heartbeats", "{'heartbeats':[{'run':'r','step':'a','fence':1}]}")
                            .status())
                    .isEqualTo(200);
        } finally {
            closeAll();
        }
    }

    private static String poll() {
        String body = "{\"modules\":[{\"id\":\"m\"}],\"wait\":\"20s\"}";
        return "POST /v1/claims HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer acme-token\r\n"
                + "Content-Type: application/json\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
    }

    /** Reads one response, as far as it arrives at once. */
    private static String readResponse(Socket socket) throws IOException {
        byte[] part = new byte[8_192];
        int read = socket.getInputStream().read(part);
        return read < 0 ? "" : new String(part, 0, read, StandardCharsets.US_ASCII);
    }
}
