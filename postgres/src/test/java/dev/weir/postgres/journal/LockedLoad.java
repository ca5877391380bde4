package dev.weir.postgres.journal;

import static org.awaitility.Awaitility.await;

import dev.weir.engine.journal.LoadedRows;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** A load that waits in the middle for a lock which the test holds. */
final class LockedLoad {
    private final Connection locking;
    private final CompletableFuture<LoadedRows> load;

    private LockedLoad(Connection locking, CompletableFuture<LoadedRows> load) {
        this.locking = locking;
        this.load = load;
    }

    /** Begins a load on another thread, and waits until it waits for the lock. */
    static LockedLoad begin(Connection locking, Supplier<LoadedRows> load) throws SQLException {
        try (var statement = locking.createStatement()) {
            statement.execute("lock table weir.pins in access exclusive mode");
            var future = CompletableFuture.supplyAsync(load);
            await().until(() -> {
                try (var found = statement.executeQuery("select count(*) from pg_stat_activity"
                        + " where application_name = 'weir loads' and wait_event_type = 'Lock'")) {
                    found.next();
                    return found.getInt(1) > 0;
                }
            });
            return new LockedLoad(locking, future);
        }
    }

    void release() throws SQLException {
        locking.rollback();
    }

    LoadedRows result() throws ExecutionException, InterruptedException, TimeoutException {
        return load.get(30, TimeUnit.SECONDS);
    }
}
