package dev.weir.cli.rig;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** An organisation and its users. They repeat a request that was answered with 503, as that response tells them to. */
record Tenant(String name, String url, String token, HttpClient http) {
    private static final Duration ANSWER_MAX = Duration.ofMinutes(2);
    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    /**
     * A request.
     *
     * @param key the Idempotency-Key
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

    /** A response. */
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

    Told send(Asked asked) {
        return Awaitility.await(name + ": an answer other than 503")
                .atMost(ANSWER_MAX)
                .pollInterval(RETRY_AFTER)
                .pollDelay(Duration.ZERO)
                .until(() -> Told.of(http.send(request(asked), BodyHandlers.ofString())), told -> told.status != 503);
    }

    CompletableFuture<Told> begin(Asked asked) {
        return http.sendAsync(request(asked), BodyHandlers.ofString()).thenApply(Told::of);
    }

    /** Sends a request that must succeed, and returns the body of the response. */
    JsonNode done(Asked asked) {
        Told told = send(asked);
        if (told.status / 100 != 2) {
            throw new AssertionError(name + ": " + asked + " was answered " + told);
        }
        return told.body;
    }

    /** Registers the workflow w and starts the run r of it. */
    void start(String definition) {
        register(definition);
        done(Asked.post("/v1/runs", "{'workflow': 'w', 'id': 'r', 'input': {}}"));
    }

    void register(String definition) {
        done(Asked.put("/v1/workflows/w", "workflow: w\n" + definition));
    }

    /** Claims a step of module m, and returns the claim as the API returned it. */
    JsonNode claim() {
        var asked = Asked.post(
                "/v1/claims",
                "{'modules': [{'id': 'm'}], 'lease': '5m', 'wait': '10s', 'request_id': 'first', 'worker': 'ann'}");
        return done(asked).at("/claims/0");
    }

    /** Returns a report about a claim. */
    static Asked report(JsonNode claim, String more) {
        return of("/v1/updates", "updates", claim, more);
    }

    /** Returns a request with a list of one entry about a claim. */
    static Asked of(String path, String list, JsonNode claim, String more) {
        String about = "'run': '" + claim.get("run").stringValue() + "', 'step': '"
                + claim.get("step").stringValue() + "', 'fence': " + claim.get("fence");
        return Asked.post(path, "{'" + list + "': [{" + about + more + "}]}");
    }
}
