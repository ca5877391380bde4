package dev.weir.server;

import dev.weir.api.Health;
import dev.weir.api.WireJson;
import dev.weir.core.command.CreateToken;
import dev.weir.core.state.Rights;
import dev.weir.core.state.Role;
import dev.weir.engine.EngineSettings;
import dev.weir.engine.Weir;
import dev.weir.engine.organisations.Caller;
import dev.weir.engine.organisations.SessionStore;
import dev.weir.engine.organisations.TokenSecret;
import dev.weir.engine.secret.SecretCipher;
import dev.weir.engine.secret.SecretSource;
import dev.weir.engine.shard.CounterName;
import dev.weir.server.http.HttpBounds;
import dev.weir.server.http.HttpServer;
import dev.weir.server.routes.ApiRoutes;
import dev.weir.server.routes.OrganisationPorts;
import dev.weir.server.routes.SecretPorts;
import dev.weir.server.routes.SessionPorts;
import dev.weir.testkit.journal.JournalFaults;
import dev.weir.testkit.journal.MemoryDeletionStore;
import dev.weir.testkit.journal.MemoryJournal;
import dev.weir.testkit.journal.MemoryOrganisationStore;
import dev.weir.testkit.journal.MemorySecretStore;
import dev.weir.testkit.journal.MemorySessionStore;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A node whose journal is in memory, with short methods for requests. Its organisations are acme and other. */
final class TestNode implements AutoCloseable {
    private static final Map<String, Caller> TOKENS = Map.of(
            "acme-token", new Caller("acme", "test", Rights.ALL),
            "other-token", new Caller("other", "test", Rights.ALL));

    private static final int ATTEMPTS_MAX = 5;

    final HttpServer server;
    final MemoryJournal journal;
    /**
     * The listener for every response of a documented route. By default, a successful response must be as
     * documented.
     */
    BiConsumer<DocumentedRoute, TestResponse> listener = TestNode::requireDocumented;

    private final Weir weir;
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    TestNode() {
        this(JournalFaults.NONE, SecretSource.none());
    }

    TestNode(HttpBounds bounds) {
        this(JournalFaults.NONE, SecretSource.none(), bounds);
    }

    TestNode(JournalFaults faults, SecretSource secrets) {
        this(faults, secrets, HttpBounds.defaults());
    }

    private TestNode(JournalFaults faults, SecretSource secrets, HttpBounds bounds) {
        this.journal =
                new MemoryJournal(() -> dev.weir.core.limit.Moment.of(Instant.now()), faults).with("acme", "other");
        var meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        this.weir = Weir.open(journal, journal.records(), new EngineSettings("test", secrets));
        var cipher = SecretCipher.of(List.of(new byte[SecretCipher.KEY_BYTES]));
        var organisations = new MemoryOrganisationStore(journal);
        var sessions = new MemorySessionStore(this::caller);
        var services = new OrganisationPorts(
                organisations,
                org -> {},
                new SecretPorts(new MemorySecretStore(journal), cipher, (org, name) -> {}),
                new MemoryDeletionStore(organisations),
                new SessionPorts(sessions, secret -> {}));
        var api = new ApiRoutes(weir, secrets, services, () -> new Health("ok", List.of()), meters);
        this.server = HttpServer.start(
                new HttpServer.Address("127.0.0.1", 0, List.of()),
                bounds,
                credential -> credential.isSession()
                        ? sessions.find(credential.secret()).map(SessionStore.Session::caller)
                        : caller(credential.secret()),
                meters,
                api::add);
    }

    /** Finds the holder of one of the fixed tokens, of acme-ROLE for every role, or of a token of acme's rows. */
    private Optional<Caller> caller(String token) {
        if (TOKENS.containsKey(token)) {
            return Optional.ofNullable(TOKENS.get(token));
        }
        Optional<Role> role =
                token.startsWith("acme-") ? Role.find(token.substring("acme-".length())) : Optional.empty();
        return role.map(found -> new Caller("acme", token, Rights.of(found)))
                .or(() -> weir
                        .query(
                                "acme",
                                (organisation, now) -> organisation.view().tokens("", CreateToken.TOKENS_MAX))
                        .join()
                        .stream()
                        .filter(row -> row.hash().equals(new TokenSecret(token).hash()))
                        .map(row -> new Caller("acme", row.name(), row.rights()))
                        .findFirst());
    }

    /** Returns a counter of the engine. */
    long count(CounterName count) {
        return weir.counters().of(count);
    }

    /** Returns the number of requests that wait for the end of a run. */
    int waiters() {
        return weir.waitingForRuns();
    }

    /** The response to a request. */
    record TestResponse(int status, String type, String body, Map<String, List<String>> headers) {
        JsonNode json() {
            return WireJson.LENIENT.readTree(body);
        }

        String at(String pointer) {
            return json().at(pointer).asString("");
        }
    }

    private static void requireDocumented(DocumentedRoute route, TestResponse got) {
        List<String> differences = got.status() < 300 ? ResponseSchemas.differences(route, got) : List.of();
        if (!differences.isEmpty()) {
            throw new AssertionError(
                    "expected " + route + " to answer as documented, found " + got + ": " + differences);
        }
    }

    /** Returns the fence of the newest claim of a run's first step. */
    String fence(String run) {
        return get("/v1/runs/" + run).at("/steps/0/fence");
    }

    /** Returns the fence of the newest claim of a step. */
    String fence(String run, String step) {
        for (JsonNode each : get("/v1/runs/" + run).json().get("steps")) {
            if (each.get("id").stringValue().equals(step)) {
                return each.get("fence").toString();
            }
        }
        throw new IllegalArgumentException("expected a step of run " + run + ", found " + step);
    }

    TestResponse get(String path) {
        return send("GET", path, null, "acme-token");
    }

    TestResponse post(String path, String body) {
        return send("POST", path, body.replace('\'', '"'), "acme-token");
    }

    TestResponse put(String path, String body) {
        return send("PUT", path, body.replace('\'', '"'), "acme-token");
    }

    TestResponse patch(String path, String body) {
        return send("PATCH", path, body.replace('\'', '"'), "acme-token");
    }

    TestResponse send(String method, String path, @Nullable String body, String token) {
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

    TestResponse send(HttpRequest.Builder builder, String method, @Nullable String body) {
        return send(builder.method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                .build());
    }

    /**
     * Sends a request, and repeats it if the connection breaks: the server closes it after a URI that cannot be
     * read.
     */
    TestResponse send(HttpRequest request) {
        return send(request, ATTEMPTS_MAX);
    }

    private TestResponse send(HttpRequest request, int attemptsLeft) {
        try {
            HttpResponse<InputStream> response = http.send(request, BodyHandlers.ofInputStream());
            var got = new TestResponse(
                    response.statusCode(),
                    response.headers().firstValue("Content-Type").orElse(""),
                    read(response),
                    response.headers().map());
            DocumentedRoute.find(request.method(), request.uri().getRawPath())
                    .ifPresent(route -> listener.accept(route, got));
            return got;
        } catch (IOException e) {
            if (attemptsLeft > 1) {
                return send(request, attemptsLeft - 1);
            }
            throw new AssertionError(request + " got no answer", e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Reads the body, or the first event of a stream, which does not end by itself. */
    private static String read(HttpResponse<InputStream> response) throws IOException {
        boolean endless =
                response.headers().firstValue("Content-Type").orElse("").startsWith("text/event-stream");
        try (InputStream in = response.body()) {
            if (!endless) {
                return new String(in.readAllBytes(), StandardCharsets.UTF_8);
            }
            var lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
            var text = new StringBuilder();
            for (String line = lines.readLine(); line != null && !line.isEmpty(); line = lines.readLine()) {
                text.append(line).append('\n');
            }
            return text.toString();
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
