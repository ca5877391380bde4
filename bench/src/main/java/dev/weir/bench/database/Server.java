package dev.weir.bench.database;

import dev.weir.postgres.embedded.EmbeddedPostgres;
import dev.weir.postgres.embedded.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Comparator;
import java.util.stream.Stream;
import javax.sql.DataSource;

/** A PostgreSQL of the benchmark's own, durable as in production, in a folder that is removed at the end. */
public final class Server implements AutoCloseable {
    private static final int CONNECTIONS = 100;
    private static final int SHARED_BUFFERS_MIB = 512;

    private final Path directory;
    private final EmbeddedPostgres postgres;

    private Server(Path directory, EmbeddedPostgres postgres) {
        this.directory = directory;
        this.postgres = postgres;
    }

    public static Server open() throws IOException {
        Path directory = Files.createTempDirectory("weir-bench");
        var settings = Settings.DEFAULT.withMaxConnections(CONNECTIONS).withSharedBuffersMiB(SHARED_BUFFERS_MIB);
        return new Server(directory, EmbeddedPostgres.open(directory, settings));
    }

    EmbeddedPostgres postgres() {
        return postgres;
    }

    DataSource dataSource() {
        return postgres.dataSource();
    }

    /** Where the log of changes ends, in bytes. */
    long walBytes() throws SQLException {
        return number("select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint");
    }

    long number(String query) throws SQLException {
        try (Connection connection = dataSource().getConnection();
                var statement = connection.createStatement();
                var found = statement.executeQuery(query)) {
            found.next();
            return found.getLong(1);
        }
    }

    void execute(String... statements) throws SQLException {
        try (Connection connection = dataSource().getConnection();
                var statement = connection.createStatement()) {
            for (String each : statements) {
                statement.execute(each);
            }
        }
    }

    /**
     * CPU time of the server. Sessions that have ended are missing, so a contender keeps its sessions open while it is
     * measured.
     */
    Duration cpu() {
        Duration sum = Duration.ZERO;
        var root = ProcessHandle.of(postgres.pid()).stream().toList();
        for (ProcessHandle process : root) {
            sum = sum.plus(process.info().totalCpuDuration().orElse(Duration.ZERO));
            for (ProcessHandle child : process.descendants().toList()) {
                sum = sum.plus(child.info().totalCpuDuration().orElse(Duration.ZERO));
            }
        }
        return sum;
    }

    @Override
    public void close() throws IOException {
        postgres.close();
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
