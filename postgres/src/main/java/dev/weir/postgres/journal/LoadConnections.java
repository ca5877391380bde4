package dev.weir.postgres.journal;

import dev.weir.postgres.sql.DatabaseAddress;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The connections with which organisations are loaded beside the loops of the shards. Each load is one transaction that
 * sees one snapshot. The engine limits how many loads run at once.
 */
final class LoadConnections implements AutoCloseable {
    /** The most connections that stay open without a load. */
    static final int IDLE_MAX = 2;

    private static final int VALIDATION_TIMEOUT_SECONDS = 1;

    private final DatabaseAddress address;
    private final Deque<Connection> idle = new ArrayDeque<>();
    private boolean closed;

    LoadConnections(DatabaseAddress address) {
        this.address = address;
    }

    Connection take() throws SQLException {
        for (Connection found = takeIdle(); found != null; found = takeIdle()) {
            if (found.isValid(VALIDATION_TIMEOUT_SECONDS)) {
                found.rollback();
                return found;
            }
            PostgresJournal.close(found);
        }
        return WriterConnections.openForLoads(address);
    }

    private synchronized @Nullable Connection takeIdle() {
        return idle.poll();
    }

    /** Ends the transaction of a load that has not committed, and keeps the connection for another load. */
    void release(Connection connection) {
        try {
            if (!connection.isClosed()) {
                connection.rollback();
                if (keep(connection)) {
                    return;
                }
            }
        } catch (SQLException e) {
            // It is closed below.
        }
        PostgresJournal.close(connection);
    }

    private synchronized boolean keep(Connection connection) {
        return !closed && idle.size() < IDLE_MAX && idle.add(connection);
    }

    /** Ends a load that another thread runs. It fails as if its connection were lost. */
    static void abort(Connection loading) {
        try {
            loading.abort(Runnable::run);
        } catch (SQLException e) {
            PostgresJournal.close(loading);
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        idle.forEach(PostgresJournal::close);
        idle.clear();
    }
}
