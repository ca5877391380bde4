package dev.weir.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.api.LiveEvent;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests how a stream resumes, against a server that answers each connection with the next text and then ends it. */
@SuppressWarnings("NullAway.Init") // set before each test
class LiveStreamTest {
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n";

    private final BlockingQueue<String> requests = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    private ServerSocket listener;

    @BeforeEach
    void listen() throws IOException {
        listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        var thread = new Thread(this::serve);
        thread.setDaemon(true);
        thread.start();
    }

    @AfterEach
    void close() throws IOException {
        listener.close();
    }

    private void serve() {
        while (!listener.isClosed()) {
            try (Socket socket = listener.accept()) {
                var in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
                var request = new StringBuilder();
                for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
                    request.append(line).append('\n');
                }
                requests.add(request.toString());
                socket.getOutputStream().write(answers.take().getBytes(StandardCharsets.UTF_8));
            } catch (IOException | InterruptedException e) {
                // The test has closed the listener, or the client has gone.
            }
        }
    }

    private LiveStream open(StreamFilter filter) throws InterruptedException {
        String url = "http://127.0.0.1:" + listener.getLocalPort();
        return LiveStream.open(Connection.to(url, "token"), filter);
    }

    private String request() throws InterruptedException {
        String request = requests.poll(60, TimeUnit.SECONDS);
        return request == null ? "" : request;
    }

    @Test
    void a_stream_that_breaks_is_resumed_after_the_last_complete_event() throws Exception {
        answers.add(OK + "id: g-1\nevent: open\ndata: {}\n\nid: g-2\nevent: reset\ndata: {\"rea");
        answers.add("HTTP/1.1 503 Busy\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
        answers.add(OK + "id: g-2\nevent: reset\ndata: {\"reason\":\"late\"}\n\n");
        try (var stream = open(StreamFilter.run("a b"))) {
            assertThat(stream.next()).isEqualTo(new LiveEvent.Opened());
            assertThat(stream.next()).isEqualTo(new LiveEvent.Reset("late"));
            assertThat(request()).startsWith("GET /v1/stream?run=a+b ").doesNotContain("Last-Event-ID");
            for (String each : List.of(request(), request())) {
                assertThat(each).contains("Last-Event-ID: g-1");
            }
        }
    }

    @Test
    void a_refused_stream_says_why_at_once_or_when_it_resumes() throws Exception {
        String problem = "{\"type\":\"x\",\"title\":\"x\",\"status\":401,\"detail\":\"no such token\"}";
        String refusal =
                "HTTP/1.1 401 No\r\nContent-Length: " + problem.length() + "\r\nConnection: close\r\n\r\n" + problem;
        answers.add(refusal);
        assertThatThrownBy(() -> open(StreamFilter.all()))
                .isInstanceOf(RequestFailed.Refused.class)
                .hasMessageContaining("no such token");
        answers.add(OK + "id: g-1\nevent: open\ndata: {}\n\n");
        answers.add(refusal);
        try (var stream = open(StreamFilter.all())) {
            stream.next();
            assertThatThrownBy(stream::next).isInstanceOf(RequestFailed.Refused.class);
        }
    }

    @Test
    void a_server_that_stays_away_is_reported() throws Exception {
        String url = "http://127.0.0.1:" + listener.getLocalPort();
        listener.close();
        var connection = Connection.to(url, "token").withRetryTimeout(Duration.ZERO);
        assertThatThrownBy(() -> LiveStream.open(connection, StreamFilter.all()))
                .isInstanceOf(RequestFailed.Unreachable.class);
    }
}
