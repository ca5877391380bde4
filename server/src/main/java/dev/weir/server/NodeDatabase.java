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
    private static final Duration LOOK = Duration.ofSeconds(1);
    /** The time until the first housekeeping. */
    private static final Duration HOUSEKEEPING_FIRST = Duration.ofMinutes(5);

    private static final Duration HOUSEKEEPING_AFTER_FAILURE = Duration.ofHours(1);
    /** The number of failed restarts in a row after which the node gives up. */
    private static final int RESTARTS_MAX = 3;

    private final Path data;
    private final Consumer<String> told;
    private final Runnable lost;
    private volatile @Nullable EmbeddedPostgres embedded;
    private final PostgresDatabase postgres;
    private final Thread watch;
    private final ReentrantLock probing = new ReentrantLock();
    private volatile boolean closing;

    private NodeDatabase(Path data, @Nullable EmbeddedPostgres embedded, PostgresDatabase postgres, Watching watching) {
        this.data = data;
        this.embedded = embedded;
        this.postgres = postgres;
        this.told = watching.told;
        this.lost = watching.lost;
        this.watch = Thread.ofPlatform().daemon().name("weir store").unstarted(this::watch);
    }

    /** The listener for messages about the database, and the action to run when it is lost for good. */
    record Watching(Consumer<String> told, Runnable lost) {}

    static NodeDatabase open(NodeSettings settings, Watching watching) throws IOException {
        EmbeddedPostgres embedded = null;
        try {
            NodeSettings.Database given = settings.database();
            DatabaseAddress access;
            if (given == null) {
                watching.told.accept("starting PostgreSQL in " + settings.data());
                embedded = EmbeddedPostgres.open(settings.data(), EmbeddedSettings.DEFAULT);
                watching.told.accept("preparing the database");
                access = new DatabaseAddress(embedded.jdbcUrl(), embedded.user(), embedded.password());
            } else {
                watching.told.accept("connecting to " + given);
                access = new DatabaseAddress(given.url(), given.user(), given.password());
            }
            var postgres = PostgresDatabase.open(access, settings.retention());
            var store = new NodeDatabase(settings.data(), embedded, postgres, watching);
            store.watch.start();
            return store;
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
        EmbeddedPostgres own = embedded;
        if (own != null && !own.isRunning()) {
            throw new Unavailable("PostgreSQL is not running; the node is restarting it", LOOK);
        }
        probing.lock();
        try {
            if (answers()) {
                return;
            }
        } finally {
            probing.unlock();
        }
        throw new Unavailable("PostgreSQL does not respond", LOOK);
    }

    /**
     * Returns true if the server answers. The reason for a failure is left out: it names hosts and ports, and
     * anyone may read a node's health.
     */
    private boolean answers() {
        try {
            return postgres.answers();
        } catch (Unavailable e) {
            return false;
        }
    }

    private void watch() {
        long houseKept = System.nanoTime();
        Duration every = HOUSEKEEPING_FIRST;
        int failures = 0;
        while (!closing) {
            try {
                Thread.sleep(LOOK);
                EmbeddedPostgres own = embedded;
                if (own != null && !own.isRunning() && !closing) {
                    failures = restart(own) ? 0 : failures + 1;
                }
                if (failures == RESTARTS_MAX) {
                    told.accept("PostgreSQL in " + data + " could not be restarted; see postgres.log there");
                    lost.run();
                    return;
                }
                if (System.nanoTime() - houseKept > every.toNanos()) {
                    every = keepHouse();
                    houseKept = System.nanoTime();
                }
            } catch (InterruptedException e) {
                return; // only close interrupts this thread
            }
        }
    }

    /** Restarts the server on the same port, so that existing clients find it again. */
    private boolean restart(EmbeddedPostgres ended) {
        told.accept(
                "PostgreSQL has stopped unexpectedly; restarting it (its log is " + data.resolve("postgres.log") + ")");
        try {
            ended.close();
            embedded = EmbeddedPostgres.open(data, EmbeddedSettings.DEFAULT.withPort(ended.port()));
            told.accept("PostgreSQL is running again");
            return true;
        } catch (IOException | RuntimeException e) {
            told.accept("PostgreSQL did not start: " + e.getMessage());
            return false;
        }
    }

    /** Does the housekeeping and returns the time until the next one. */
    private Duration keepHouse() {
        try {
            return postgres.keepHouse();
        } catch (SQLException | RuntimeException e) {
            LOG.warn("Housekeeping of the database failed; Weir retries it in an hour", e);
            return HOUSEKEEPING_AFTER_FAILURE;
        }
    }

    @Override
    public void close() throws IOException {
        closing = true;
        watch.interrupt();
        try {
            watch.join(LOOK);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        postgres.close();
        EmbeddedPostgres own = embedded;
        if (own != null) {
            own.close();
        }
    }
}
