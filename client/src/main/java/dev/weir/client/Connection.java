package dev.weir.client;

import java.net.URI;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The server's address, an API token, and how long to retry requests.
 *
 * @param url the address, such as http://127.0.0.1:7077
 * @param token an API token
 * @param origin cli or console if the requests come from there, for the audit; absent = a program
 * @param retryTimeout the time for which a request is repeated while the server cannot be reached or cannot answer
 */
public record Connection(
        URI url,
        String token,
        Duration retryTimeout,
        @Nullable String origin) {
    public static final Duration DEFAULT_RETRY_TIMEOUT = Duration.ofSeconds(30);
    /** The address of a server that {@code weir up} started on this machine. */
    public static final String DEFAULT_URL = "http://127.0.0.1:7077";

    public Connection {
        String scheme = url.getScheme();
        if (!"http".equals(scheme) && !"https".equals(scheme)) {
            throw new IllegalArgumentException("expected a URL that begins with http:// or https://, found " + url);
        }
        if (token.isBlank() || token.chars().anyMatch(c -> c < '!' || c > '~')) {
            throw new IllegalArgumentException(
                    "expected an API token, found an empty one or one with unprintable characters");
        }
    }

    public Connection(URI url, String token, Duration retryTimeout) {
        this(url, token, retryTimeout, null);
    }

    public static Connection to(String url, String token) {
        return new Connection(URI.create(url), token, DEFAULT_RETRY_TIMEOUT);
    }

    /** Returns the connection that {@code WEIR_URL} and {@code WEIR_TOKEN} describe. */
    static Connection from(Map<String, String> environment) {
        String token = environment.getOrDefault("WEIR_TOKEN", "");
        if (token.isEmpty()) {
            throw new IllegalArgumentException(
                    "expected an API token in the environment variable WEIR_TOKEN, found none; `weir up` prints the"
                            + " first token of a server");
        }
        return to(environment.getOrDefault("WEIR_URL", DEFAULT_URL), token);
    }

    /** Returns the connection of a program of that kind: cli or console. */
    public Connection withOrigin(String other) {
        return new Connection(url, token, retryTimeout, other);
    }

    public Connection withRetryTimeout(Duration other) {
        return new Connection(url, token, other, origin);
    }

    @Override
    public String toString() {
        return "connection to " + url;
    }
}
