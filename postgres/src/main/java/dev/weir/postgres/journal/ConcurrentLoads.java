package dev.weir.postgres.journal;

import dev.weir.engine.journal.JournalFailure;
import dev.weir.engine.journal.LoadedRows;
import dev.weir.postgres.sql.SqlFailures;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The loads that read beside one shard ownership, each on a connection of its own. They end with the ownership. */
final class ConcurrentLoads implements AutoCloseable {
    private final LoadConnections connections;
    private final Set<Connection> underWay = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /** Reads an organisation with a connection. */
    @FunctionalInterface
    interface Load {
        LoadedRows read(Connection connection) throws SQLException;
    }

    ConcurrentLoads(LoadConnections connections) {
        this.connections = connections;
    }

    LoadedRows run(String operation, Load load) {
        try {
            Connection connection = connections.take();
            underWay.add(connection);
            try {
                if (closed) {
                    throw new JournalFailure.Fenced(operation + ": expected an open ownership, found it closed");
                }
                return load.read(connection);
            } finally {
                underWay.remove(connection);
                connections.release(connection);
            }
        } catch (SQLException e) {
            if (SqlFailures.CANCELLED.equals(e.getSQLState())) {
                throw new JournalFailure.TooSlow(operation + ": the statement timed out: " + e.getMessage(), e);
            }
            throw SqlFailures.of(operation, e);
        }
    }

    @Override
    public void close() {
        closed = true;
        underWay.forEach(LoadConnections::abort);
    }
}
