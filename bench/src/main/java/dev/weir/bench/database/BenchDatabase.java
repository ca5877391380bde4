package dev.weir.bench.database;

import dev.weir.postgres.embedded.EmbeddedPostgres;
import dev.weir.postgres.embedded.EmbeddedSettings;
import dev.weir.postgres.sql.DatabaseAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Comparator;
import java.util.stream.Stream;
import javax.sql.DataSource;

/** A PostgreSQL server for the benchmark, durable as in production, in a folder that is removed at the end. */
public final class BenchDatabase implements AutoCloseable {
    private static final int CONNECTIONS = 100;
    private static final int SHARED_BUFFERS_MIB = 512;

    private final Path directory;
    private final EmbeddedPostgres postgres;

    private BenchDatabase(Path directory, EmbeddedPostgres postgres) {
        this.directory = directory;
        this.postgres = postgres;
    }

    public static BenchDatabase open() throws IOException {
        Path directory = Files.createTempDirectory("weir-bench");
        var settings =
                EmbeddedSettings.DEFAULT.withMaxConnections(CONNECTIONS).withSharedBuffersMiB(SHARED_BUFFERS_MIB);
        return new BenchDatabase(directory, EmbeddedPostgres.open(directory, settings));
    }

    DatabaseAddress address() {
        return new DatabaseAddress(postgres.jdbcUrl(), postgres.user(), postgres.password());
    }

    DataSource dataSource() {
        return postgres.dataSource();
    }

    /** The current end of the write-ahead log, in bytes. */
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
     * The CPU time of the server. It does not include ended sessions, so a contender keeps its sessions open while it
     * is measured.
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
