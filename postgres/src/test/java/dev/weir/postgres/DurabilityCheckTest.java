package dev.weir.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.weir.postgres.embedded.EmbeddedPostgres;
import dev.weir.postgres.embedded.EmbeddedSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class DurabilityCheckTest {
    private static final Duration START_TIMEOUT = Duration.ofSeconds(30);

    @TempDir
    private Path temporary;

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void a_server_that_does_not_keep_what_it_commits_is_found_out() throws Exception {
        Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString("rwxr-xr-x"));
        var directory = temporary.resolve("data");
        var opened = EmbeddedPostgres.open(directory, EmbeddedSettings.DEFAULT);
        opened.close();
        var server = start(directory, List.of("fsync=off", "full_page_writes=off", "port=" + opened.port()));
        try (var connection = connect(opened)) {
            assertThat(settings(connection)).containsExactly("fsync", "full_page_writes");
            connection.createStatement().execute("set synchronous_commit = off");
            var durability = DurabilityCheck.of(connection);
            assertThat(durability.isDurable()).isFalse();
            assertThat(settings(connection)).containsExactly("fsync", "full_page_writes", "synchronous_commit");
            assertThat(durability.findings().getFirst().message())
                    .contains("fsync: expected on, found off", "can lose commits", "set fsync = on");
        } finally {
            server.destroy();
            assertThat(server.waitFor(START_TIMEOUT.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
        }
    }

    @Test
    void waiting_for_replicas_too_is_as_good_as_on() {
        for (var value : List.of("on", "local", "remote_write", "remote_apply")) {
            assertThat(DurabilityCheck.check(150_010, "15.10", "on", "on", value)
                            .isDurable())
                    .isTrue();
        }
    }

    @Test
    void a_server_that_is_too_old_is_named() {
        assertThat(DurabilityCheck.check(140_015, "14.15", "on", "on", "on").findings())
                .singleElement()
                .isEqualTo(new DurabilityCheck.Finding(
                        "server_version", "14.15", "expected PostgreSQL 15 or newer, found 14.15: upgrade the server"));
    }

    private static List<String> settings(Connection connection) throws Exception {
        return DurabilityCheck.of(connection).findings().stream()
                .map(DurabilityCheck.Finding::setting)
                .toList();
    }

    /** Starts the server of a directory with unsafe options, as a careless person would. */
    private Process start(Path directory, List<String> options) throws Exception {
        Path data = directory.resolve("data");
        var line = new ArrayList<>(asOwnerOf(data));
        line.addAll(List.of(program(directory).toString(), "-D", data.toString()));
        line.addAll(List.of("-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="));
        options.forEach(option -> line.addAll(List.of("-c", option)));
        return new ProcessBuilder(line)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(temporary.resolve("unsafe.log").toFile())
                .start();
    }

    private static Path program(Path directory) throws IOException {
        try (var found = Files.newDirectoryStream(directory, "postgres-*")) {
            return found.iterator().next().resolve("bin/postgres");
        }
    }

    /** Returns the command prefix that switches to the owner of the data. PostgreSQL does not run as root. */
    private List<String> asOwnerOf(Path data) throws IOException {
        var uid = Files.getAttribute(data, "unix:uid");
        if (uid.equals(Files.getAttribute(temporary, "unix:uid"))) {
            assumeThat(uid).as("PostgreSQL runs under an account of its own").isNotEqualTo(0);
            return List.of();
        }
        var gid = Files.getAttribute(data, "unix:gid");
        return List.of("setpriv", "--reuid=" + uid, "--regid=" + gid, "--clear-groups", "--");
    }

    private static Connection connect(EmbeddedPostgres embedded) {
        return await().atMost(START_TIMEOUT)
                .ignoreExceptions()
                .until(
                        () -> DriverManager.getConnection(embedded.jdbcUrl(), embedded.user(), embedded.password()),
                        c -> true);
    }
}
