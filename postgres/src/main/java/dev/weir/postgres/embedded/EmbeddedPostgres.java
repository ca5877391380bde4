package dev.weir.postgres.embedded;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A real PostgreSQL of this process's own: its programs, data and log lie in one directory, and what it commits is kept.
 *
 * <p>It never outlives this process. Closed, it ends with a checkpoint; when this process ends without closing it, killed
 * with force even, a watchdog does the same. So every start finds a directory in which nothing runs, and no transaction
 * of an earlier process can commit after the next one has opened.
 */
public final class EmbeddedPostgres implements AutoCloseable {
    /** The database that is made for Weir. */
    public static final String DATABASE = "weir";

    /** Above this a new log is begun at the next start; one old one is kept. */
    private static final long LOG_BYTES_MAX = 8L << 20;

    private static final int CONNECT_MAX_SECONDS = 10;
    private static final int SOCKET_MAX_SECONDS = 60;

    private final DirectoryLock lock;
    private final Cluster cluster;
    private final Postmaster postmaster;

    private EmbeddedPostgres(DirectoryLock lock, Cluster cluster, Postmaster postmaster) {
        this.lock = lock;
        this.cluster = cluster;
        this.postmaster = postmaster;
    }

    /**
     * Starts the PostgreSQL of a directory, and makes it at first use.
     *
     * @throws OpenFailed if another process owns the directory, or something has to be put right first
     */
    public static EmbeddedPostgres open(Path directory, Settings settings) throws IOException {
        var platform = Platform.current();
        var home = Home.at(directory);
        var lock = DirectoryLock.take(home);
        try {
            return open(home, platform, settings, lock);
        } catch (OpenFailed | InterruptedIOException | RuntimeException e) {
            lock.close();
            throw e;
        } catch (IOException e) {
            lock.close();
            throw new OpenFailed("cannot open " + home.directory() + ": " + Remedy.withReason(e, home.directory()), e);
        }
    }

    private static EmbeddedPostgres open(Home home, Platform platform, Settings settings, DirectoryLock lock)
            throws IOException {
        Cluster.checkVersion(home, Programs.bundledVersion());
        Leftovers.stop(home, settings.stopMax());
        var account = Account.choose(home);
        var programs = Programs.unpack(home, platform);
        home.prepareLog(LOG_BYTES_MAX);
        var cluster = Cluster.prepare(home, account, programs);
        Leftovers.clearPidFile(home);
        var opened = new EmbeddedPostgres(lock, cluster, Postmaster.start(cluster, settings));
        try {
            opened.createDatabase();
            return opened;
        } catch (SQLException | RuntimeException e) {
            opened.postmaster.stop();
            throw new OpenFailed(
                    "PostgreSQL in " + home.directory() + " started on port " + opened.port() + " but answered: "
                            + e.getMessage() + "; its log is " + home.log(),
                    e);
        }
    }

    /** Connections as the superuser to Weir's database. They give up on a server that does not answer. */
    public DataSource dataSource() {
        return dataSource(DATABASE);
    }

    public String jdbcUrl() {
        return "jdbc:postgresql://" + Postmaster.HOST + ":" + port() + "/" + DATABASE;
    }

    public String user() {
        return Cluster.SUPERUSER;
    }

    public String password() {
        return cluster.password();
    }

    public int port() {
        return postmaster.port();
    }

    /** The process id of the server. */
    public long pid() {
        return postmaster.pid();
    }

    /** False after closing, and when the server has ended by itself. */
    public boolean isRunning() {
        return postmaster.isAlive();
    }

    /** Stops the server: sessions end, a checkpoint is written. Closing again does nothing. */
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
        source.setConnectTimeout(CONNECT_MAX_SECONDS);
        source.setSocketTimeout(SOCKET_MAX_SECONDS);
        source.setTcpKeepAlive(true);
        return source;
    }
}
