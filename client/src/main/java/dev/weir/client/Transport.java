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
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/**
 * Sends requests, and repeats them while the server cannot be reached, cannot answer or is overloaded. Every
 * request is safe to repeat.
 */
final class Transport {
    static final String JSON = "application/json";

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
    private final String base;
    private final String authorization;
    private final HttpClient http;

    Transport(Connection connection) {
        this.connection = connection;
        String url = connection.url().toString();
        this.base = url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
        this.authorization = "Bearer " + connection.token();
        var builder = TrustedCertificates.apply(HttpClient.newBuilder(), connection)
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(CONNECT_TIMEOUT);
        // Responses are small and are parsed by the caller, so the thread that receives them can complete the request.
        // Handing them to a pool would cost one more change of threads. TLS has more to compute, and keeps the pool.
        this.http = base.startsWith("http://") ? builder.executor(Runnable::run).build() : builder.build();
    }

    /** A request to send. */
    record ApiRequest(
            String method, String path, @Nullable String body, String mediaType, Map<String, String> headers) {
        ApiRequest(String method, String path, @Nullable String body, String mediaType) {
            this(method, path, body, mediaType, Map.of());
        }

        /** Returns the request with a key that marks repeats of it. */
        ApiRequest withKey(String newKey) {
            return withHeader("Idempotency-Key", newKey);
        }

        static ApiRequest get(String path) {
            return new ApiRequest("GET", path, null, "");
        }

        static ApiRequest json(String method, String path, @Nullable Object body) {
            String text = body == null ? null : WireJson.STRICT.writeValueAsString(body);
            return new ApiRequest(method, path, text, JSON);
        }

        /** Returns the same request with one more header. */
        ApiRequest withHeader(String name, String value) {
            return new ApiRequest(method, path, body, mediaType, Map.of(name, value));
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
                HttpResponse<byte[]> response = http.send(toHttpRequest(request), BodyHandlers.ofByteArray());
                if (!RETRYABLE_STATUSES.contains(response.statusCode())) {
                    return read(response, type);
                }
                failure = new RequestFailed.Unreachable(problem(response).detail(), RetryAfter.of(response), null);
            } catch (IOException e) {
                failure = new RequestFailed.Unreachable(
                        "no server answers at " + connection.url() + ": " + describe(e), e);
            }
            long pauseMillis = backoffMillis / 2 + ThreadLocalRandom.current().nextLong(backoffMillis / 2 + 1);
            Duration asked = failure.retryAfter();
            pauseMillis = asked == null ? pauseMillis : Math.max(asked.toMillis(), pauseMillis);
            // A pause that ends after the last attempt would only delay the failure.
            boolean tooLong = asked != null && System.nanoTime() + asked.toNanos() - giveUpAt > 0;
            if (tooLong || System.nanoTime() - giveUpAt >= 0) {
                throw failure;
            }
            Thread.sleep(pauseMillis);
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
        URI uri = URI.create(base + request.path());
        var body = request.body() == null ? BodyPublishers.noBody() : BodyPublishers.ofString(request.body());
        var builder = HttpRequest.newBuilder(uri)
                .timeout(RESPONSE_TIMEOUT)
                .header("Authorization", authorization)
                .method(request.method(), body);
        if (request.body() != null) {
            builder.header("Content-Type", request.mediaType());
        }
        request.headers().forEach(builder::header);
        if (connection.origin() != null) {
            builder.header("Weir-Origin", connection.origin());
        }
        return builder.build();
    }

    private static <T> T read(HttpResponse<byte[]> response, Class<T> type) {
        if (response.statusCode() >= FIRST_ERROR_STATUS) {
            throw new RequestFailed.Refused(problem(response));
        }
        T read = null;
        try {
            read = WireJson.LENIENT.readValue(response.body(), type);
        } catch (JacksonException e) {
            // Handled below: it is no response of Weir.
        }
        if (read == null) {
            throw new RequestFailed.Refused(Problem.Kind.INTERNAL.of(
                    "expected a response of Weir, found something else; check the URL of the server"));
        }
        return read;
    }

    private static Problem problem(HttpResponse<byte[]> response) {
        try {
            Problem problem = WireJson.LENIENT.readValue(response.body(), Problem.class);
            if (problem != null && problem.detail() != null) {
                return problem;
            }
        } catch (JacksonException e) {
            // Handled below: it is no problem of Weir.
        }
        String detail = "the server responded with status " + response.statusCode();
        return new Problem("about:blank", "Not a response of Weir", response.statusCode(), detail, null);
    }
}
