package dev.weir.cli.endtoend;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A server that steps call. The test decides what it answers on a path, and counts the requests. */
final class ScriptedHttpServer implements AutoCloseable {
    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Map<String, Answer> answers = new ConcurrentHashMap<>();
    private final Map<String, List<String>> idempotencyKeys = new ConcurrentHashMap<>();
    private final Map<String, List<byte[]>> bodies = new ConcurrentHashMap<>();

    /** Returns the answer to the n-th request on a path, from 1. */
    @FunctionalInterface
    interface Answer {
        Reply reply(HttpExchange exchange, int n);
    }

    record Reply(int status, String body, Map<String, String> headers) {
        static Reply of(int status, String body) {
            return new Reply(status, body, Map.of());
        }

        Reply with(String name, String value) {
            return new Reply(status, body, Map.of(name, value));
        }
    }

    ScriptedHttpServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    void on(String path, Answer answer) {
        answers.put(path, answer);
    }

    /** Returns the idempotency keys of the requests on a path, in order. */
    List<String> idempotencyKeys(String path) {
        return idempotencyKeys.getOrDefault(path, List.of());
    }

    /** Returns the bodies of the requests on a path, in order. */
    List<byte[]> bodies(String path) {
        return bodies.getOrDefault(path, List.of());
    }

    String address() {
        return "127.0.0.1:" + server.getAddress().getPort();
    }

    String url(String path) {
        return "http://" + address() + path;
    }

    private void handle(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        bodies.computeIfAbsent(path, ignored -> new CopyOnWriteArrayList<>())
                .add(exchange.getRequestBody().readAllBytes());
        List<String> seen = idempotencyKeys.computeIfAbsent(path, ignored -> new CopyOnWriteArrayList<>());
        seen.add(String.valueOf(exchange.getRequestHeaders().getFirst("Idempotency-Key")));
        Answer answer = answers.getOrDefault(path, (asked, n) -> Reply.of(404, ""));
        Reply reply = answer.reply(exchange, seen.size());
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        reply.headers.forEach(exchange.getResponseHeaders()::add);
        byte[] bytes = reply.body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(reply.status, bytes.length == 0 ? -1 : bytes.length);
        try (var out = exchange.getResponseBody()) {
            out.write(bytes);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
