package dev.weir.cli.rig;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** An organisation of its own, and those who use it: each request is sent once, and what came back is what is told. */
record Tenant(String name, String url, String token, HttpClient http) {
    private static final Duration ANSWER_MAX = Duration.ofMinutes(2);

    /**
     * A request.
     *
     * @param key its Idempotency-Key
     */
    record Asked(
            String method,
            String path,
            @Nullable String body,
            @Nullable String key) {
        static Asked of(String method, String path, @Nullable String body) {
            return new Asked(method, path, body == null ? null : body.replace('\'', '"'), null);
        }

        static Asked post(String path, @Nullable String body) {
            return of("POST", path, body);
        }

        static Asked put(String path, String body) {
            return of("PUT", path, body);
        }

        Asked withKey(String other) {
            return new Asked(method, path, body, other);
        }
    }

    /** What was answered. */
    record Told(int status, JsonNode body) {
        static Told of(HttpResponse<String> response) {
            return new Told(response.statusCode(), JsonMapper.shared().readTree(response.body()));
        }
    }

    private HttpRequest request(Asked asked) {
        var request = HttpRequest.newBuilder(URI.create(url + asked.path))
                .timeout(ANSWER_MAX)
                .header("Authorization", "Bearer " + token)
                .method(
                        asked.method,
                        asked.body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(asked.body));
        if (asked.body != null) {
            boolean yaml = asked.path.startsWith("/v1/workflows/");
            request.header("Content-Type", yaml ? "application/yaml" : "application/json");
        }
        if (asked.key != null) {
            request.header("Idempotency-Key", asked.key);
        }
        return request.build();
    }

    Told send(Asked asked) throws IOException, InterruptedException {
        return Told.of(http.send(request(asked), BodyHandlers.ofString()));
    }

    CompletableFuture<Told> begin(Asked asked) {
        return http.sendAsync(request(asked), BodyHandlers.ofString()).thenApply(Told::of);
    }

    /** What has to be done before. */
    JsonNode done(Asked asked) throws IOException, InterruptedException {
        Told told = send(asked);
        if (told.status / 100 != 2) {
            throw new AssertionError(name + ": " + asked + " was answered " + told);
        }
        return told.body;
    }

    /** Registers the workflow w and starts the run r of it. */
    void start(String definition) throws IOException, InterruptedException {
        register(definition);
        done(Asked.post("/v1/runs", "{'workflow': 'w', 'id': 'r', 'input': {}}"));
    }

    void register(String definition) throws IOException, InterruptedException {
        done(Asked.put("/v1/workflows/w", "workflow: w\n" + definition));
    }

    /** A claim of module m, as it is handed out. */
    JsonNode claim() throws IOException, InterruptedException {
        var asked = Asked.post(
                "/v1/claims",
                "{'modules': [{'id': 'm'}], 'lease': '5m', 'wait': '10s', 'request_id': 'first', 'worker': 'ann'}");
        return done(asked).at("/claims/0");
    }

    /** A report about a claim. */
    static Asked report(JsonNode claim, String more) {
        return of("/v1/updates", "updates", claim, more);
    }

    /** Something about a claim, as one of a list. */
    static Asked of(String path, String list, JsonNode claim, String more) {
        String about = "'run': '" + claim.get("run").stringValue() + "', 'step': '"
                + claim.get("step").stringValue() + "', 'fence': " + claim.get("fence");
        return Asked.post(path, "{'" + list + "': [{" + about + more + "}]}");
    }
}
