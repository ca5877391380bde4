package dev.weir.bench.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;

/** The cost of a durable commit on this machine when nothing else happens: one row, one round trip, one flush. */
final class BareCommit implements AutoCloseable {
    private final BenchDatabase server;
    private final Connection connection;

    BareCommit(BenchDatabase server) throws SQLException {
        this.server = server;
        server.execute(
                "drop table if exists bare_commit", "create table bare_commit (id bigint primary key, at timestamptz)");
        connection = server.dataSource().getConnection();
    }

    /** Returns the median time of the given number of commits, in microseconds. */
    double medianMicros(int commits) throws SQLException {
        double[] durations = new double[commits];
        try (var insert = connection.prepareStatement(
                "insert into bare_commit values (?, clock_timestamp()) on conflict (id) do update set at = excluded.at")) {
            for (int i = 0; i < commits; i++) {
                insert.setLong(1, i);
                long startNanos = System.nanoTime();
                insert.executeUpdate();
                durations[i] = (System.nanoTime() - startNanos) / 1e3;
            }
        }
        Arrays.sort(durations);
        return durations[commits / 2];
    }

    @Override
    public void close() throws SQLException {
        connection.close();
        server.execute("drop table bare_commit");
    }
}
