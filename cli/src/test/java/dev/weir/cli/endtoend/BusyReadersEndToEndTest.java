package dev.weir.cli.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.postgres.PostgresDatabase;
import dev.weir.postgres.embedded.EmbeddedPostgres;
import dev.weir.postgres.embedded.EmbeddedSettings;
import dev.weir.postgres.sql.DatabaseAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests that an organisation whose reads all hang delays nobody's work, not even its own. */
@Tag("S9")
class BusyReadersEndToEndTest {
    private static final int READS = 64;

    private final HttpClient http = HttpClient.newHttpClient();

    @Test
    void heartbeats_and_others_are_answered_while_all_that_one_organisation_reads_hangs() throws Exception {
        var parent =
                Path.of("target", "readers-" + ProcessHandle.current().pid()).toAbsolutePath();
        Files.createDirectories(parent);
        // PostgreSQL may run under another account, which must be able to traverse the folder.
        Files.setPosixFilePermissions(parent, PosixFilePermissions.fromString("rwxr-xr-x"));
        try (var postgres = EmbeddedPostgres.open(parent.resolve("postgres"), EmbeddedSettings.DEFAULT)) {
            String url = postgres.jdbcUrl() + "?user=" + postgres.user() + "&password=" + postgres.password();
            try (var driver = new NodeDriver("readers", List.of("--database", url));
                    var store = PostgresDatabase.open(
                            new DatabaseAddress(postgres.jdbcUrl(), postgres.user(), postgres.password()));
                    var lock = postgres.dataSource().getConnection()) {
                driver.start("ship", "steps: [{id: a, uses: ship.m}]");
                var claim = driver.claim("ship.m");
                store.organisations().createOrganisation("other");
                // The node has never seen these tokens, so it must look them up now.
                String own = store.organisations().createToken("default", "fresh");
                String others = store.organisations().createToken("other", "fresh");
                lock(lock);
                List<CompletableFuture<HttpResponse<String>>> reads = new ArrayList<>();
                for (int i = 0; i < READS; i++) {
                    reads.add(http.sendAsync(
                            get(driver, "/v1/bulk/nothing", driver.node.token()), BodyHandlers.ofString()));
                }
                driver.await("reads that hang", () -> hanging(lock) > 0);
                assertThat(send(get(driver, "/v1/workflows", others)).statusCode())
                        .isEqualTo(200);
                String beat = "{\"heartbeats\":[{\"run\":\"ship\",\"step\":\"a\",\"fence\":" + claim.fence() + "}]}";
                var heartbeat = send(request(driver, "/v1/heartbeats", own)
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(beat))
                        .build());
                assertThat(heartbeat.statusCode()).as(heartbeat.body()).isEqualTo(200);
                assertThat(heartbeat.body()).contains("remaining");
                driver.await("refusals", () -> reads.stream().anyMatch(CompletableFuture::isDone));
                assertThat(hanging(lock)).isPositive();
                lock.rollback();
                for (var read : reads) {
                    assertThat(read.join().statusCode()).isIn(404, 429);
                }
                assertThat(reads)
                        .anySatisfy(read -> assertThat(read.join().statusCode()).isEqualTo(429));
                assertThat(reads)
                        .anySatisfy(read -> assertThat(read.join().statusCode()).isEqualTo(404));
            }
        }
    }

    private static void lock(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        try (var statement = connection.createStatement()) {
            statement.execute("lock table weir.bulk_operations in access exclusive mode");
        }
    }

    private static int hanging(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var found = statement.executeQuery(
                        "select count(*) from pg_locks where relation = 'weir.bulk_operations'::regclass and not granted")) {
            found.next();
            return found.getInt(1);
        }
    }

    private static HttpRequest get(NodeDriver driver, String path, String token) {
        return request(driver, path, token).build();
    }

    private static HttpRequest.Builder request(NodeDriver driver, String path, String token) {
        return HttpRequest.newBuilder(URI.create(driver.node.launch.url() + path))
                .header("Authorization", "Bearer " + token);
    }

    private HttpResponse<String> send(HttpRequest request) throws Exception {
        return http.send(request, BodyHandlers.ofString());
    }
}
