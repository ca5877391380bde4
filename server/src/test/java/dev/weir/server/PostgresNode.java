package dev.weir.server;

import dev.weir.api.Health;
import dev.weir.api.WireJson;
import dev.weir.engine.EngineSettings;
import dev.weir.engine.Weir;
import dev.weir.engine.secret.SecretCipher;
import dev.weir.postgres.PostgresDatabase;
import dev.weir.postgres.embedded.EmbeddedPostgres;
import dev.weir.postgres.embedded.EmbeddedSettings;
import dev.weir.postgres.sql.DatabaseAddress;
import dev.weir.server.http.HttpBounds;
import dev.weir.server.http.HttpServer;
import dev.weir.server.routes.ApiRoutes;
import dev.weir.server.routes.OrganisationPorts;
import dev.weir.server.routes.SecretPorts;
import dev.weir.server.routes.SessionPorts;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A node on a real PostgreSQL server, with short methods for requests of several organisations. */
final class PostgresNode implements AutoCloseable {
    private final Path directory;
    private final EmbeddedPostgres embedded;
    private final PostgresDatabase postgres;
    final Weir weir;
    private final HttpServer server;
    private final PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final Map<String, String> tokens = new HashMap<>();
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    PostgresNode(String name) {
        try {
            directory = Path.of("target", name + "-" + ProcessHandle.current().pid())
                    .toAbsolutePath();
            Files.createDirectories(directory);
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
            embedded = EmbeddedPostgres.open(directory.resolve("data"), EmbeddedSettings.DEFAULT);
            postgres = PostgresDatabase.open(address());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        var cipher = SecretCipher.of(List.of(new byte[SecretCipher.KEY_BYTES]));
        var secrets = new StoredSecrets(postgres.secrets(), cipher, System::nanoTime);
        weir = Weir.open(postgres.journal(), postgres.records(), new EngineSettings("test", secrets));
        var tokenCache = new TokenCache(postgres.organisations(), postgres.sessions(), System::nanoTime);
        var services = new OrganisationPorts(
                postgres.organisations(),
                tokenCache::forget,
                new SecretPorts(postgres.secrets(), cipher, secrets::refresh),
                postgres.deletions(),
                new SessionPorts(postgres.sessions(), tokenCache::forgetSession));
        var api = new ApiRoutes(weir, secrets, services, () -> new Health("ok", List.of()), meters);
        server = HttpServer.start(
                new HttpServer.Address("127.0.0.1", 0, List.of()), HttpBounds.defaults(), tokenCache, meters, api::add);
    }

    DatabaseAddress address() {
        return new DatabaseAddress(embedded.jdbcUrl(), embedded.user(), embedded.password());
    }

    Connection connect() throws SQLException {
        return address().connect("test", Duration.ofSeconds(30));
    }

    /** Runs a statement as the superuser. */
    void execute(String sql) {
        try (var connection = connect();
                var statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Creates an organisation. Returns the token of its administrator, with which requests of it are sent. */
    String createOrganisation(String org) {
        postgres.organisations().createOrganisation(org);
        String token = postgres.organisations().createToken(org, "first");
        tokens.put(org, token);
        return token;
    }

    /** The text of the node's open metrics. */
    String metrics() {
        return meters.scrape();
    }

    /** The response to a request. */
    record Answer(int status, Map<String, List<String>> headers, String body) {
        JsonNode json() {
            return WireJson.LENIENT.readTree(body);
        }
    }

    /** Sends a request with the token of an organisation, and requires that it succeeds. */
    JsonNode require(String org, String method, String path, @Nullable String body) {
        Answer got = send(org, method, path, body, Map.of());
        if (got.status >= 300) {
            throw new AssertionError(
                    "expected " + method + " " + path + " of " + org + " with " + body + " to succeed, found " + got);
        }
        return got.body.isEmpty() ? WireJson.LENIENT.createObjectNode() : got.json();
    }

    Answer send(String org, String method, String path, @Nullable String body, Map<String, String> headers) {
        var builder = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                .timeout(Duration.ofSeconds(60))
                .header("Authorization", "Bearer " + tokens.get(org))
                .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (body != null) {
            builder.header("Content-Type", "application/json");
        }
        headers.forEach(builder::header);
        try {
            HttpResponse<InputStream> response = http.send(builder.build(), BodyHandlers.ofInputStream());
            return new Answer(response.statusCode(), response.headers().map(), read(response));
        } catch (IOException e) {
            throw new UncheckedIOException(method + " " + path, e);
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

    @Override
    public void close() {
        server.drain();
        weir.close();
        server.close();
        postgres.close();
        try {
            embedded.close();
            try (Stream<Path> files = Files.walk(directory)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
