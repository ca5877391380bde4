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
    private static final Duration CONNECT_MAX = Duration.ofSeconds(5);
    private static final Duration ANSWER_MAX = Duration.ofSeconds(60);
    private static final long FIRST_PAUSE_MILLIS = 100;
    private static final long LONGEST_PAUSE_MILLIS = 5_000;
    /**
     * The statuses with which the server says that nothing was done, or that the outcome is unknown: it is
     * overloaded or cannot answer now.
     */
    private static final Set<Integer> ASK_AGAIN = Set.of(429, 503);

    private static final int FIRST_REFUSAL = 400;

    private final Connection connection;
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT_MAX)
            .build();

    Transport(Connection connection) {
        this.connection = connection;
    }

    /** A request to send. */
    record Sent(String method, String path, @Nullable String body, String mediaType) {
        static Sent get(String path) {
            return new Sent("GET", path, null, "");
        }

        static Sent json(String method, String path, @Nullable Object body) {
            String text = body == null ? null : WireJson.STRICT.writeValueAsString(body);
            return new Sent(method, path, text, "application/json");
        }
    }

    <T> T ask(Sent sent, Class<T> type) throws InterruptedException {
        return ask(sent, type, connection.patience());
    }

    <T> T ask(Sent sent, Class<T> type, Duration patience) throws InterruptedException {
        long giveUp = System.nanoTime() + patience.toNanos();
        long pause = FIRST_PAUSE_MILLIS;
        while (true) {
            RequestFailed.Unreachable failure;
            try {
                HttpResponse<String> response = http.send(request(sent), BodyHandlers.ofString());
                if (!ASK_AGAIN.contains(response.statusCode())) {
                    return read(response, type);
                }
                failure = new RequestFailed.Unreachable(problem(response).detail(), null);
            } catch (IOException e) {
                failure =
                        new RequestFailed.Unreachable("no server answers at " + connection.url() + ": " + words(e), e);
            }
            if (System.nanoTime() - giveUp >= 0) {
                throw failure;
            }
            Thread.sleep(pause / 2 + ThreadLocalRandom.current().nextLong(pause / 2 + 1));
            pause = Math.min(LONGEST_PAUSE_MILLIS, pause * 2);
        }
    }

    private static String words(IOException e) {
        String word = e instanceof java.net.ConnectException
                ? "connection refused"
                : e.getClass().getSimpleName();
        return e.getMessage() == null ? word : e.getMessage();
    }

    private HttpRequest request(Sent sent) {
        String base = connection.url().toString();
        URI uri = URI.create((base.endsWith("/") ? base.substring(0, base.length() - 1) : base) + sent.path());
        var body = sent.body() == null ? BodyPublishers.noBody() : BodyPublishers.ofString(sent.body());
        var builder = HttpRequest.newBuilder(uri)
                .timeout(ANSWER_MAX)
                .header("Authorization", "Bearer " + connection.token())
                .method(sent.method(), body);
        if (sent.body() != null) {
            builder.header("Content-Type", sent.mediaType());
        }
        return builder.build();
    }

    private static <T> T read(HttpResponse<String> response, Class<T> type) {
        if (response.statusCode() >= FIRST_REFUSAL) {
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
