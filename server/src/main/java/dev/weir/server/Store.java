package dev.weir.server;

import dev.weir.postgres.Postgres;
import dev.weir.postgres.embedded.EmbeddedPostgres;
import dev.weir.postgres.embedded.Settings;
import dev.weir.postgres.sql.Access;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The PostgreSQL of a node. An embedded one that ends by itself is started again. */
final class Store implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Store.class);
    private static final Duration LOOK = Duration.ofSeconds(1);
    /** When to keep house first, and after it has failed. */
    private static final Duration HOUSEKEEPING_FIRST = Duration.ofMinutes(5);

    private static final Duration HOUSEKEEPING_AFTER_FAILURE = Duration.ofHours(1);
    /** Starts in a row that may fail before the node gives up. */
    private static final int RESTARTS_MAX = 3;

    private final Path data;
    private final Consumer<String> told;
    private final Runnable lost;
    private volatile @Nullable EmbeddedPostgres embedded;
    private final Postgres postgres;
    private final Thread watch;
    private volatile boolean closing;

    private Store(Path data, @Nullable EmbeddedPostgres embedded, Postgres postgres, Watching watching) {
        this.data = data;
        this.embedded = embedded;
        this.postgres = postgres;
        this.told = watching.told;
        this.lost = watching.lost;
        this.watch = Thread.ofPlatform().daemon().name("weir store").unstarted(this::watch);
    }

    /** Who is told what happens to it, and what is done when it is lost for good. */
    record Watching(Consumer<String> told, Runnable lost) {}

    static Store open(NodeSettings settings, Watching watching) throws IOException {
        EmbeddedPostgres embedded = null;
        try {
            Store store;
            NodeSettings.Database given = settings.database();
            if (given == null) {
                watching.told.accept("starting PostgreSQL in " + settings.data());
                embedded = EmbeddedPostgres.open(settings.data(), Settings.DEFAULT);
                watching.told.accept("preparing the database");
                store = new Store(settings.data(), embedded, Postgres.open(embedded), watching);
            } else {
                watching.told.accept("opening " + given);
                var access = new Access(given.url(), given.user(), given.password());
                store = new Store(settings.data(), null, Postgres.open(access), watching);
            }
            store.watch.start();
            return store;
        } catch (SQLException | RuntimeException e) {
            if (embedded != null) {
                embedded.close();
            }
            String where = settings.database() == null
                    ? "the embedded PostgreSQL"
                    : settings.database().toString();
            throw new NodeFailed("cannot open " + where + ": " + e.getMessage(), e);
        }
    }

    Postgres postgres() {
        return postgres;
    }

    /** Whether there is a server; of one that was given that is not known here. */
    boolean isRunning() {
        EmbeddedPostgres own = embedded;
        return own == null || own.isRunning();
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
                    told.accept("PostgreSQL in " + data + " cannot be started again: see postgres.log there");
                    lost.run();
                    return;
                }
                if (System.nanoTime() - houseKept > every.toNanos()) {
                    every = keepHouse();
                    houseKept = System.nanoTime();
                }
            } catch (InterruptedException e) {
                return; // only a close interrupts it
            }
        }
    }

    /** On the same port, so that those who are connected to it find it again. */
    private boolean restart(EmbeddedPostgres ended) {
        told.accept(
                "PostgreSQL has ended by itself: starting it again (its log is " + data.resolve("postgres.log") + ")");
        try {
            ended.close();
            embedded = EmbeddedPostgres.open(data, Settings.DEFAULT.withPort(ended.port()));
            told.accept("PostgreSQL runs again");
            return true;
        } catch (IOException | RuntimeException e) {
            told.accept("PostgreSQL did not start: " + e.getMessage());
            return false;
        }
    }

    /** Tells when it is to be done again. */
    private Duration keepHouse() {
        try {
            return postgres.keepHouse();
        } catch (SQLException | RuntimeException e) {
            LOG.warn("housekeeping in the database failed, and is tried again in an hour", e);
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
