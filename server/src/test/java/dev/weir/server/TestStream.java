package dev.weir.server;

import dev.weir.api.WireJson;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A reader of {@code GET /v1/stream} over a plain socket, which a test can cut at any time. */
final class TestStream implements AutoCloseable {
    private static final int READ_TIMEOUT_MILLIS = 60_000;

    final Socket socket;
    private final BufferedReader lines;
    String lastId = "";

    /** One event. */
    record StreamedEvent(String id, String name, JsonNode data) {
        String text(String field) {
            return data.path(field).asString("");
        }
    }

    private TestStream(Socket socket) throws IOException {
        this.socket = socket;
        this.lines = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    }

    static TestStream open(TestNode node, String query) throws IOException {
        return open(node, query, "acme-token", null);
    }

    static TestStream open(TestNode node, String query, String token, @Nullable String lastId) throws IOException {
        var socket = new Socket();
        socket.setReceiveBufferSize(4_096);
        socket.setSoTimeout(READ_TIMEOUT_MILLIS);
        socket.connect(new java.net.InetSocketAddress(InetAddress.getLoopbackAddress(), node.server.port()));
        String resume = lastId == null ? "" : "Last-Event-ID: " + lastId + "\r\n";
        socket.getOutputStream()
                .write(("GET /v1/stream" + query + " HTTP/1.0\r\nHost: localhost\r\nAuthorization: Bearer " + token
                                + "\r\n" + resume + "\r\n")
                        .getBytes(StandardCharsets.UTF_8));
        return new TestStream(socket).readHeaders();
    }

    private TestStream readHeaders() throws IOException {
        String status = lines.readLine();
        if (status == null || !status.contains(" 200 ")) {
            throw new IOException("expected 200, found " + status);
        }
        for (String line = lines.readLine(); line != null && !line.isEmpty(); line = lines.readLine()) {
            // the headers are not used
        }
        return this;
    }

    /** Waits for the next event; null at the end of the stream. */
    @Nullable
    StreamedEvent next() throws IOException {
        String name = "";
        String data = "";
        long giveUpAt = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(READ_TIMEOUT_MILLIS);
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.startsWith("id: ")) {
                lastId = line.substring(4);
            } else if (line.startsWith("event: ")) {
                name = line.substring(7);
            } else if (line.startsWith("data: ")) {
                data = line.substring(6);
            } else if (line.isEmpty() && !data.isEmpty()) {
                return new StreamedEvent(lastId, name, WireJson.LENIENT.readTree(data));
            } else if (System.nanoTime() - giveUpAt > 0) {
                throw new IOException("expected an event, found only heartbeats");
            }
        }
        return null;
    }

    /** Waits for an event of this name, and returns it with all events before it. */
    List<StreamedEvent> until(String name, String field, String value) throws IOException {
        List<StreamedEvent> all = new ArrayList<>();
        while (true) {
            StreamedEvent event = next();
            if (event == null) {
                throw new IOException(
                        "expected " + name + " with " + field + " " + value + ", found the end after " + all);
            }
            all.add(event);
            if (event.name().equals(name) && event.text(field).equals(value)) {
                return all;
            }
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
