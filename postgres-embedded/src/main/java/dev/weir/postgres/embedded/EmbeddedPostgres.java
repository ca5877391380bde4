package dev.weir.postgres.embedded;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A real PostgreSQL server that belongs to this process. Its programs, data and log are in one directory, and its
 * commits are durable.
 *
 * <p>The server never outlives this process. Closing it writes a checkpoint and stops it. If this process ends without
 * closing it, even by SIGKILL, a watchdog does the same. So every start finds a directory in which nothing runs, and no
 * transaction of an earlier process can commit after the next one has opened.
 */
public final class EmbeddedPostgres implements AutoCloseable {
    /** The name of Weir's database. */
    public static final String DATABASE = "weir";

    /** The size above which the next start begins a new log. One old log is kept. */
    private static final long LOG_BYTES_MAX = 8L << 20;

    private static final int CONNECT_TIMEOUT_SECONDS = 10;
    private static final int SOCKET_TIMEOUT_SECONDS = 60;

    private final DirectoryLock lock;
    private final ClusterFiles cluster;
    private final Postmaster postmaster;

    private EmbeddedPostgres(DirectoryLock lock, ClusterFiles cluster, Postmaster postmaster) {
        this.lock = lock;
        this.cluster = cluster;
        this.postmaster = postmaster;
    }

    /**
     * Starts the PostgreSQL server of a directory, and creates it at first use.
     *
     * @throws OpenFailed if another process owns the directory, or the user has to fix something first
     */
    public static EmbeddedPostgres open(Path directory, EmbeddedSettings settings) throws IOException {
        var platform = Platform.current();
        var home = DataDirectory.at(directory);
        var lock = DirectoryLock.acquire(home);
        try {
            return open(home, platform, settings, lock);
        } catch (OpenFailed | InterruptedIOException | RuntimeException e) {
            lock.close();
            throw e;
        } catch (IOException e) {
            lock.close();
            throw new OpenFailed(
                    "cannot open " + home.directory() + ": " + FailureAdvice.describe(e, home.directory()), e);
        }
    }

    private static EmbeddedPostgres open(
            DataDirectory home, Platform platform, EmbeddedSettings settings, DirectoryLock lock) throws IOException {
        ClusterFiles.checkVersion(home, PostgresPrograms.bundledVersion());
        StaleProcesses.stop(home, settings.stopMax());
        var account = ServerAccount.choose(home);
        var programs = PostgresPrograms.unpack(home, platform);
        home.prepareLog(LOG_BYTES_MAX);
        var cluster = ClusterFiles.prepare(home, account, programs);
        StaleProcesses.clearPidFile(home);
        var opened = new EmbeddedPostgres(lock, cluster, Postmaster.start(cluster, settings));
        try {
            opened.createDatabase();
            return opened;
        } catch (SQLException | RuntimeException e) {
            opened.postmaster.stop();
            throw new OpenFailed(
                    "PostgreSQL in " + home.directory() + " started on port " + opened.port() + " but responded: "
                            + e.getMessage() + "; its log is " + home.log(),
                    e);
        }
    }

    /** Returns connections to Weir's database as the superuser. They give up on a server that does not answer. */
    public DataSource dataSource() {
        return dataSource(DATABASE);
    }

    public String jdbcUrl() {
        return "jdbc:postgresql://" + Postmaster.HOST + ":" + port() + "/" + DATABASE;
    }

    public String user() {
        return ClusterFiles.SUPERUSER;
    }

    public String password() {
        return cluster.password();
    }

    public int port() {
        return postmaster.port();
    }

    /** Returns the process id of the server. */
    public long pid() {
        return postmaster.pid();
    }

    /** False after closing, and when the server has ended by itself. */
    public boolean isRunning() {
        return postmaster.isAlive();
    }

    /** Stops the server: ends the sessions and writes a checkpoint. Closing again does nothing. */
    @Override
    public void close() throws IOException {
        try {
            postmaster.stop();
        } finally {
            lock.close();
        }
    }

    private void createDatabase() throws SQLException {
        try (var connection = dataSource("postgres").getConnection();
                var statement = connection.createStatement()) {
            try (var found = statement.executeQuery("select from pg_database where datname = '" + DATABASE + "'")) {
                if (found.next()) {
                    return;
                }
            }
            statement.execute("create database " + DATABASE);
        }
    }

    private DataSource dataSource(String database) {
        var source = new PGSimpleDataSource();
        source.setServerNames(new String[] {Postmaster.HOST});
        source.setPortNumbers(new int[] {port()});
        source.setDatabaseName(database);
        source.setUser(user());
        source.setPassword(password());
        source.setApplicationName("weir");
        source.setConnectTimeout(CONNECT_TIMEOUT_SECONDS);
        source.setSocketTimeout(SOCKET_TIMEOUT_SECONDS);
        source.setTcpKeepAlive(true);
        return source;
    }
}
