package dev.weir.testkit.engine;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.function.Function;

/** An HTTP server on this machine that records its requests and answers as the test says. */
final class RecordingHttpServer implements AutoCloseable {
    /** The requests, in the order of their arrival. */
    final List<Call> calls = new CopyOnWriteArrayList<>();

    volatile Function<Call, Reply> replies = call -> new Reply(200, "application/json", "{\"ok\":true}", Map.of());
    private final HttpServer server;

    /** A request. */
    record Call(String method, String path, Map<String, List<String>> headers, String body) {
        String header(String name) {
            return headers.getOrDefault(name, List.of("")).getFirst();
        }
    }

    /** A response. */
    record Reply(int status, String type, String body, Map<String, String> headers) {}

    RecordingHttpServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", exchange -> {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            var call = new Call(
                    exchange.getRequestMethod(),
                    exchange.getRequestURI().toString(),
                    Map.copyOf(exchange.getRequestHeaders()),
                    body);
            calls.add(call);
            Reply reply = replies.apply(call);
            exchange.getResponseHeaders().add("Content-Type", reply.type);
            reply.headers.forEach(exchange.getResponseHeaders()::add);
            byte[] bytes = reply.body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(reply.status, bytes.length == 0 ? -1 : bytes.length);
            try (var out = exchange.getResponseBody()) {
                out.write(bytes);
            }
        });
        server.start();
    }

    String url() {
        return "http://" + address() + "/";
    }

    /** The host and port, in the form in which an operator allows them. */
    String address() {
        return "127.0.0.1:" + server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
