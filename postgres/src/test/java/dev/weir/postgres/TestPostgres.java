package dev.weir.postgres;

import dev.weir.postgres.embedded.EmbeddedPostgres;
import dev.weir.postgres.embedded.EmbeddedSettings;
import dev.weir.postgres.sql.DatabaseAddress;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Comparator;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** One PostgreSQL for all tests of a JVM. It ends with the JVM. */
public final class TestPostgres {
    private static final AtomicInteger ORGANISATIONS = new AtomicInteger();
    private static final EmbeddedPostgres EMBEDDED = start();
    private static final PostgresDatabase POSTGRES = open();

    private TestPostgres() {}

    private static EmbeddedPostgres start() {
        try {
            Path directory = Path.of(
                            "target", "test-postgres-" + ProcessHandle.current().pid())
                    .toAbsolutePath();
            delete(directory);
            Files.createDirectories(directory);
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
            return EmbeddedPostgres.open(directory.resolve("data"), EmbeddedSettings.DEFAULT);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Deletes the files of an earlier test run. */
    private static void delete(Path directory) throws IOException {
        if (Files.exists(directory)) {
            try (Stream<Path> all = Files.walk(directory)) {
                for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(each);
                }
            }
        }
    }

    private static PostgresDatabase open() {
        try {
            return PostgresDatabase.open(address());
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    public static DatabaseAddress address() {
        return new DatabaseAddress(EMBEDDED.jdbcUrl(), EMBEDDED.user(), EMBEDDED.password());
    }

    public static PostgresDatabase postgres() {
        return POSTGRES;
    }

    /** Creates an empty database of that name on the same server. */
    public static DatabaseAddress createDatabase(String name) throws SQLException {
        DatabaseAddress address = address();
        try (var connection = address.connect("test", Duration.ofSeconds(30));
                var statement = connection.createStatement()) {
            statement.execute("create database " + name);
        }
        return new DatabaseAddress(
                address.url().replaceFirst("/[^/?]+($|\\?)", "/" + name + "$1"), address.user(), address.password());
    }

    /** Runs a statement as the superuser, as somebody behind Weir's back could. */
    public static void execute(String sql) throws SQLException {
        try (var connection = address().connect("test", Duration.ofSeconds(30));
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    public static int port() {
        return EMBEDDED.port();
    }

    /** Creates a new organisation. */
    public static String createOrganisation() {
        String name = "org-" + ORGANISATIONS.incrementAndGet();
        POSTGRES.organisations().createOrganisation(name);
        return name;
    }
}
