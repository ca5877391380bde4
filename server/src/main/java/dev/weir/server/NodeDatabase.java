package dev.weir.server;

import dev.weir.engine.request.Unavailable;
import dev.weir.postgres.PostgresDatabase;
import dev.weir.postgres.embedded.EmbeddedPostgres;
import dev.weir.postgres.embedded.EmbeddedSettings;
import dev.weir.postgres.sql.DatabaseAddress;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The PostgreSQL database of a node. If an embedded server ends by itself, this class starts it again. */
final class NodeDatabase implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(NodeDatabase.class);
    private static final Duration CHECK_INTERVAL = Duration.ofSeconds(1);
    /** The time until the first housekeeping. */
    private static final Duration HOUSEKEEPING_INITIAL_DELAY = Duration.ofMinutes(5);

    private static final Duration HOUSEKEEPING_RETRY_DELAY = Duration.ofHours(1);
    /** The number of failed restarts in a row after which the node gives up. */
    private static final int RESTARTS_MAX = 3;

    private final Path data;
    private final Consumer<String> messages;
    private final Runnable onLost;
    private volatile @Nullable EmbeddedPostgres embedded;
    private final PostgresDatabase postgres;
    private final Thread watcher;
    private final ReentrantLock probeLock = new ReentrantLock();
    private volatile boolean closing;

    private NodeDatabase(
            Path data, @Nullable EmbeddedPostgres embedded, PostgresDatabase postgres, DatabaseListener listener) {
        this.data = data;
        this.embedded = embedded;
        this.postgres = postgres;
        this.messages = listener.messages;
        this.onLost = listener.onLost;
        this.watcher = Thread.ofPlatform().daemon().name("weir store").unstarted(this::watch);
    }

    /** The listener for messages about the database, and the action to run when it is lost for good. */
    record DatabaseListener(Consumer<String> messages, Runnable onLost) {}

    static NodeDatabase open(NodeSettings settings, DatabaseListener listener) throws IOException {
        EmbeddedPostgres embedded = null;
        try {
            NodeSettings.Database external = settings.database();
            DatabaseAddress address;
            if (external == null) {
                listener.messages.accept("starting PostgreSQL in " + settings.data());
                embedded = EmbeddedPostgres.open(settings.data(), EmbeddedSettings.DEFAULT);
                listener.messages.accept("preparing the database");
                address = new DatabaseAddress(embedded.jdbcUrl(), embedded.user(), embedded.password());
            } else {
                listener.messages.accept("connecting to " + external);
                address = new DatabaseAddress(external.url(), external.user(), external.password());
            }
            var postgres = PostgresDatabase.open(address, settings.retention());
            var database = new NodeDatabase(settings.data(), embedded, postgres, listener);
            database.watcher.start();
            return database;
        } catch (SQLException | RuntimeException e) {
            if (embedded != null) {
                embedded.close();
            }
            String where = settings.database() == null
                    ? "the embedded PostgreSQL"
                    : settings.database().toString();
            throw new NodeStartFailed("cannot open " + where + ": " + e.getMessage(), e);
        }
    }

    PostgresDatabase postgres() {
        return postgres;
    }

    /**
     * Checks that the server answers. Only one request probes at a time, because anyone may ask for a node's
     * health.
     *
     * @throws Unavailable if there is no answer
     */
    void probe() {
        EmbeddedPostgres server = embedded;
        if (server != null && !server.isRunning()) {
            throw new Unavailable("PostgreSQL is not running; the node is restarting it", CHECK_INTERVAL);
        }
        probeLock.lock();
        try {
            if (isResponding()) {
                return;
            }
        } finally {
            probeLock.unlock();
        }
        throw new Unavailable("PostgreSQL does not respond", CHECK_INTERVAL);
    }

    /**
     * Returns true if the server answers. The reason for a failure is left out: it names hosts and ports, and
     * anyone may read a node's health.
     */
    private boolean isResponding() {
        try {
            return postgres.isResponding();
        } catch (Unavailable e) {
            return false;
        }
    }

    private void watch() {
        long lastHousekeeping = System.nanoTime();
        Duration interval = HOUSEKEEPING_INITIAL_DELAY;
        int failures = 0;
        while (!closing) {
            try {
                Thread.sleep(CHECK_INTERVAL);
                EmbeddedPostgres server = embedded;
                if (server != null && !server.isRunning() && !closing) {
                    failures = restart(server) ? 0 : failures + 1;
                }
                if (failures == RESTARTS_MAX) {
                    messages.accept("PostgreSQL in " + data + " could not be restarted; see postgres.log there");
                    onLost.run();
                    return;
                }
                if (System.nanoTime() - lastHousekeeping > interval.toNanos()) {
                    interval = runHousekeeping();
                    lastHousekeeping = System.nanoTime();
                }
            } catch (InterruptedException e) {
                return; // only close interrupts this thread
            }
        }
    }

    /** Restarts the server on the same port, so that existing clients find it again. */
    private boolean restart(EmbeddedPostgres ended) {
        messages.accept(
                "PostgreSQL has stopped unexpectedly; restarting it (its log is " + data.resolve("postgres.log") + ")");
        try {
            ended.close();
            embedded = EmbeddedPostgres.open(data, EmbeddedSettings.DEFAULT.withPort(ended.port()));
            messages.accept("PostgreSQL is running again");
            return true;
        } catch (IOException | RuntimeException e) {
            messages.accept("PostgreSQL did not start: " + e.getMessage());
            return false;
        }
    }

    /** Does the housekeeping and returns the time until the next one. */
    private Duration runHousekeeping() {
        try {
            return postgres.runHousekeeping();
        } catch (SQLException | RuntimeException e) {
            LOG.warn("Housekeeping of the database failed; Weir retries it in an hour", e);
            return HOUSEKEEPING_RETRY_DELAY;
        }
    }

    @Override
    public void close() throws IOException {
        closing = true;
        watcher.interrupt();
        try {
            watcher.join(CHECK_INTERVAL);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        postgres.close();
        EmbeddedPostgres server = embedded;
        if (server != null) {
            server.close();
        }
    }
}
