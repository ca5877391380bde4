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
    private static final Duration RESPONSE_TIMEOUT = Duration.ofMinutes(2);
    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    /**
     * A request.
     *
     * @param key the Idempotency-Key
     */
    record TenantRequest(
            String method,
            String path,
            @Nullable String body,
            @Nullable String key) {
        static TenantRequest of(String method, String path, @Nullable String body) {
            return new TenantRequest(method, path, body == null ? null : body.replace('\'', '"'), null);
        }

        static TenantRequest post(String path, @Nullable String body) {
            return of("POST", path, body);
        }

        static TenantRequest put(String path, String body) {
            return of("PUT", path, body);
        }

        TenantRequest withKey(String other) {
            return new TenantRequest(method, path, body, other);
        }
    }

    /** A response. */
    record TenantResponse(int status, JsonNode body) {
        static TenantResponse of(HttpResponse<String> response) {
            return new TenantResponse(response.statusCode(), JsonMapper.shared().readTree(response.body()));
        }
    }

    private HttpRequest request(TenantRequest tenantRequest) {
        var request = HttpRequest.newBuilder(URI.create(url + tenantRequest.path))
                .timeout(RESPONSE_TIMEOUT)
                .header("Authorization", "Bearer " + token)
                .method(
                        tenantRequest.method,
                        tenantRequest.body == null
                                ? BodyPublishers.noBody()
                                : BodyPublishers.ofString(tenantRequest.body));
        if (tenantRequest.body != null) {
            boolean yaml = tenantRequest.path.startsWith("/v1/workflows/")
                    && !tenantRequest.path.endsWith("/limits")
                    && !tenantRequest.path.endsWith("/availability");
            request.header("Content-Type", yaml ? "application/yaml" : "application/json");
        }
        if (tenantRequest.key != null) {
            request.header("Idempotency-Key", tenantRequest.key);
        }
        return request.build();
    }

    TenantResponse send(TenantRequest tenantRequest) {
        return Awaitility.await(name + ": an answer other than 503")
                .atMost(RESPONSE_TIMEOUT)
                .pollInterval(RETRY_AFTER)
                .pollDelay(Duration.ZERO)
                .until(
                        () -> TenantResponse.of(http.send(request(tenantRequest), BodyHandlers.ofString())),
                        response -> response.status != 503);
    }

    CompletableFuture<TenantResponse> sendAsync(TenantRequest tenantRequest) {
        return http.sendAsync(request(tenantRequest), BodyHandlers.ofString()).thenApply(TenantResponse::of);
    }

    /** Sends a request that must succeed, and returns the body of the response. */
    JsonNode sendOk(TenantRequest tenantRequest) {
        TenantResponse response = send(tenantRequest);
        if (response.status / 100 != 2) {
            throw new AssertionError(name + ": " + tenantRequest + " was answered " + response);
        }
        return response.body;
    }

    /** Registers the workflow w and starts the run r of it. */
    void start(String definition) {
        register(definition);
        sendOk(TenantRequest.post("/v1/runs", "{'workflow': 'w', 'id': 'r', 'input': {}}"));
    }

    void register(String definition) {
        sendOk(TenantRequest.put("/v1/workflows/w", "workflow: w\n" + definition));
    }

    /** Claims a step of module m, and returns the claim as the API returned it. */
    JsonNode claim() {
        var tenantRequest = TenantRequest.post(
                "/v1/claims",
                "{'modules': [{'id': 'm'}], 'lease': '5m', 'wait': '10s', 'request_id': 'first', 'worker': 'ann'}");
        return sendOk(tenantRequest).at("/claims/0");
    }

    /** Returns a report about a claim. */
    static TenantRequest report(JsonNode claim, String extra) {
        return of("/v1/updates", "updates", claim, extra);
    }

    /** Returns a request with a list of one entry about a claim. */
    static TenantRequest of(String path, String list, JsonNode claim, String extra) {
        String fields = "'run': '" + claim.get("run").stringValue() + "', 'step': '"
                + claim.get("step").stringValue() + "', 'fence': " + claim.get("fence");
        return TenantRequest.post(path, "{'" + list + "': [{" + fields + extra + "}]}");
    }
}
