package dev.weir.server;

import dev.weir.api.Health;
import dev.weir.api.Json;
import dev.weir.engine.Settings;
import dev.weir.engine.Weir;
import dev.weir.engine.call.Secrets;
import dev.weir.server.http.Bounds;
import dev.weir.server.http.HttpServer;
import dev.weir.server.routes.Api;
import dev.weir.testkit.journal.Faults;
import dev.weir.testkit.journal.MemoryJournal;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A node whose journal is in memory, and short ways of asking it. Its organisations are acme and other. */
final class TestNode implements AutoCloseable {
    private static final Map<String, String> TOKENS = Map.of("acme-token", "acme", "other-token", "other");

    private static final int TRIES = 5;

    final HttpServer server;
    private final Weir weir;
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    TestNode() {
        this(Faults.NONE, Secrets.none());
    }

    TestNode(Bounds bounds) {
        this(Faults.NONE, Secrets.none(), bounds);
    }

    TestNode(Faults faults, Secrets secrets) {
        this(faults, secrets, Bounds.usual());
    }

    private TestNode(Faults faults, Secrets secrets, Bounds bounds) {
        var journal =
                new MemoryJournal(() -> dev.weir.core.limit.Moment.of(Instant.now()), faults).with("acme", "other");
        var meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        this.weir = Weir.open(journal, journal.records(), new Settings("test"));
        var api = new Api(weir, secrets, () -> new Health("ok", List.of()), meters);
        this.server = HttpServer.start(
                new HttpServer.Address("127.0.0.1", 0),
                bounds,
                token -> Optional.ofNullable(TOKENS.get(token)),
                meters,
                api::add);
    }

    /** What a request was answered with. */
    record Got(int status, String type, String body, Map<String, List<String>> headers) {
        JsonNode json() {
            return Json.LENIENT.readTree(body);
        }

        String at(String pointer) {
            return json().at(pointer).asString("");
        }
    }

    Got get(String path) {
        return send("GET", path, null, "acme-token");
    }

    Got post(String path, String body) {
        return send("POST", path, body.replace('\'', '"'), "acme-token");
    }

    Got put(String path, String body) {
        return send("PUT", path, body.replace('\'', '"'), "acme-token");
    }

    Got send(String method, String path, @Nullable String body, String token) {
        var builder = request(method, path).header("Authorization", "Bearer " + token);
        if (body != null) {
            builder.header("Content-Type", "application/json");
        }
        return send(builder, method, body);
    }

    HttpRequest.Builder request(String method, String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                .timeout(Duration.ofSeconds(30))
                .method(method, BodyPublishers.noBody());
    }

    Got send(HttpRequest.Builder builder, String method, @Nullable String body) {
        return send(builder.method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                .build());
    }

    /** Sends it again when the connection breaks: after a URI that cannot be read the server closes it. */
    Got send(HttpRequest request) {
        return send(request, TRIES);
    }

    private Got send(HttpRequest request, int tries) {
        try {
            HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
            return new Got(
                    response.statusCode(),
                    response.headers().firstValue("Content-Type").orElse(""),
                    response.body(),
                    response.headers().map());
        } catch (IOException e) {
            if (tries > 1) {
                return send(request, tries - 1);
            }
            throw new AssertionError(request + " got no answer", e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    void apply(String name, String definition) {
        var got = put("/v1/workflows/" + name, definition);
        if (got.status() >= 300) {
            throw new AssertionError(got.toString());
        }
    }

    void start(String workflow, String run) {
        var got = post("/v1/runs", "{'workflow':'" + workflow + "','id':'" + run + "'}");
        if (got.status() != 201) {
            throw new AssertionError(got.toString());
        }
    }

    @Override
    public void close() {
        server.drain();
        weir.close();
        server.close();
    }
}
