package dev.weir.client;

import dev.weir.api.Problem;
import dev.weir.api.WireJson;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/**
 * Sends requests, and repeats them while the server cannot be reached, cannot answer or is overloaded. Every
 * request is safe to repeat.
 */
final class Transport {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration RESPONSE_TIMEOUT = Duration.ofSeconds(60);
    private static final long BACKOFF_MIN_MILLIS = 100;
    private static final long BACKOFF_MAX_MILLIS = 5_000;
    /**
     * The statuses with which the server says that nothing was done, or that the outcome is unknown: it is
     * overloaded or cannot answer now.
     */
    private static final Set<Integer> RETRYABLE_STATUSES = Set.of(429, 503);

    private static final int FIRST_ERROR_STATUS = 400;

    private final Connection connection;
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT_TIMEOUT)
            .build();

    Transport(Connection connection) {
        this.connection = connection;
    }

    /** A request to send. */
    record ApiRequest(
            String method,
            String path,
            @Nullable String body,
            String mediaType,
            @Nullable String key) {
        ApiRequest(String method, String path, @Nullable String body, String mediaType) {
            this(method, path, body, mediaType, null);
        }

        /** Returns the request with a key that marks repeats of it. */
        ApiRequest withKey(String newKey) {
            return new ApiRequest(method, path, body, mediaType, newKey);
        }

        static ApiRequest get(String path) {
            return new ApiRequest("GET", path, null, "");
        }

        static ApiRequest json(String method, String path, @Nullable Object body) {
            String text = body == null ? null : WireJson.STRICT.writeValueAsString(body);
            return new ApiRequest(method, path, text, "application/json");
        }
    }

    <T> T send(ApiRequest request, Class<T> type) throws InterruptedException {
        return send(request, type, connection.retryTimeout());
    }

    <T> T send(ApiRequest request, Class<T> type, Duration retryTimeout) throws InterruptedException {
        long giveUpAt = System.nanoTime() + retryTimeout.toNanos();
        long backoffMillis = BACKOFF_MIN_MILLIS;
        while (true) {
            RequestFailed.Unreachable failure;
            try {
                HttpResponse<String> response = http.send(toHttpRequest(request), BodyHandlers.ofString());
                if (!RETRYABLE_STATUSES.contains(response.statusCode())) {
                    return read(response, type);
                }
                failure = new RequestFailed.Unreachable(problem(response).detail(), null);
            } catch (IOException e) {
                failure = new RequestFailed.Unreachable(
                        "no server answers at " + connection.url() + ": " + describe(e), e);
            }
            if (System.nanoTime() - giveUpAt >= 0) {
                throw failure;
            }
            Thread.sleep(backoffMillis / 2 + ThreadLocalRandom.current().nextLong(backoffMillis / 2 + 1));
            backoffMillis = Math.min(BACKOFF_MAX_MILLIS, backoffMillis * 2);
        }
    }

    private static String describe(IOException e) {
        String description = e instanceof java.net.ConnectException
                ? "connection refused"
                : e.getClass().getSimpleName();
        return e.getMessage() == null ? description : e.getMessage();
    }

    private HttpRequest toHttpRequest(ApiRequest request) {
        String base = connection.url().toString();
        URI uri = URI.create((base.endsWith("/") ? base.substring(0, base.length() - 1) : base) + request.path());
        var body = request.body() == null ? BodyPublishers.noBody() : BodyPublishers.ofString(request.body());
        var builder = HttpRequest.newBuilder(uri)
                .timeout(RESPONSE_TIMEOUT)
                .header("Authorization", "Bearer " + connection.token())
                .method(request.method(), body);
        if (request.body() != null) {
            builder.header("Content-Type", request.mediaType());
        }
        if (request.key() != null) {
            builder.header("Idempotency-Key", request.key());
        }
        if (connection.origin() != null) {
            builder.header("Weir-Origin", connection.origin());
        }
        return builder.build();
    }

    private static <T> T read(HttpResponse<String> response, Class<T> type) {
        if (response.statusCode() >= FIRST_ERROR_STATUS) {
            throw new RequestFailed.Refused(problem(response));
        }
        try {
            return WireJson.LENIENT.readValue(response.body(), type);
        } catch (JacksonException e) {
            throw new RequestFailed.Refused(Problem.Kind.INTERNAL.of(
                    "expected a response of Weir, found something else; check the URL of the server"));
        }
    }

    private static Problem problem(HttpResponse<String> response) {
        try {
            return WireJson.LENIENT.readValue(response.body(), Problem.class);
        } catch (JacksonException e) {
            String detail = "the server responded with status " + response.statusCode();
            return new Problem("about:blank", "Not a response of Weir", response.statusCode(), detail, null);
        }
    }
}
