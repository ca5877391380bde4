package dev.weir.client;

import java.net.URI;
import java.nio.file.Path;
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
 * @param certificate a file with certificates (PEM) that are trusted besides the usual ones; absent = none
 */
public record Connection(
        URI url,
        String token,
        Duration retryTimeout,
        @Nullable String origin,
        @Nullable Path certificate) {
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
        this(url, token, retryTimeout, null, null);
    }

    public static Connection to(String url, String token) {
        return new Connection(URI.create(url), token, DEFAULT_RETRY_TIMEOUT);
    }

    /** Returns the connection that {@code WEIR_URL}, {@code WEIR_TOKEN} and {@code WEIR_CERTIFICATE} describe. */
    static Connection from(Map<String, String> environment) {
        String token = environment.getOrDefault("WEIR_TOKEN", "");
        if (token.isEmpty()) {
            throw new IllegalArgumentException(
                    "expected an API token in the environment variable WEIR_TOKEN, found none; `weir up` prints the"
                            + " first token of a server");
        }
        String certificate = environment.getOrDefault("WEIR_CERTIFICATE", "");
        Connection connection = to(environment.getOrDefault("WEIR_URL", DEFAULT_URL), token);
        return certificate.isEmpty() ? connection : connection.withCertificate(Path.of(certificate));
    }

    /** Returns the connection of a program of that kind: cli or console. */
    public Connection withOrigin(String other) {
        return new Connection(url, token, retryTimeout, other, certificate);
    }

    public Connection withRetryTimeout(Duration other) {
        return new Connection(url, token, other, origin, certificate);
    }

    /** Returns the connection to a server whose certificate, or whose authority, is in this file. */
    public Connection withCertificate(Path file) {
        return new Connection(url, token, retryTimeout, origin, file);
    }

    @Override
    public String toString() {
        return "connection to " + url;
    }
}
