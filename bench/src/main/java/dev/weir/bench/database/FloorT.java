package dev.weir.bench.database;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Arrays;

/**
 * The floor: one table whose rows are updated in place, batch by batch, with nothing decided in between. A job costs an
 * insert, an update when it is claimed and an update when it is done; a batch costs three commits.
 */
final class FloorT implements Contender {
    private static final String[] SCHEMA = {
        "drop table if exists floor_t",
        "create table floor_t (org int not null, id bigint not null, state smallint not null, payload json not null,"
                + " output json, fence int not null default 0, worker text, until timestamptz,"
                + " ready_at timestamptz not null default clock_timestamp(), done_at timestamptz,"
                + " primary key (org, id)) with (fillfactor = 60)"
    };
    private static final String READY =
            "insert into floor_t (org, id, state, payload) select 1, id, 0, payload from unnest(?::bigint[], ?::json[]) as new (id, payload)";
    private static final String CLAIM =
            "update floor_t set state = 1, fence = fence + 1, worker = 'worker-1', until = clock_timestamp() + interval '30 s' where org = 1 and id = any(?)";
    private static final String DONE =
            "update floor_t set state = 2, output = result.output, done_at = clock_timestamp(), worker = null, until = null"
                    + " from unnest(?::bigint[], ?::json[]) as result (id, output) where floor_t.org = 1 and floor_t.id = result.id";

    private final Server server;
    private final Connection connection;
    private final int batch;
    private long next;

    FloorT(Server server, int batch) throws SQLException {
        this.server = server;
        this.batch = batch;
        server.execute(SCHEMA);
        connection = server.dataSource().getConnection();
        connection.setAutoCommit(false);
    }

    @Override
    public String name() {
        return "floor T in batches of " + batch;
    }

    @Override
    public void run(int jobs) throws SQLException {
        try (PreparedStatement ready = connection.prepareStatement(READY);
                PreparedStatement claim = connection.prepareStatement(CLAIM);
                PreparedStatement done = connection.prepareStatement(DONE)) {
            for (int from = 0; from < jobs; from += batch) {
                Batch ids = Batch.of(connection, next, Math.min(batch, jobs - from));
                next += ids.size();
                ready.setArray(1, ids.ids());
                ready.setArray(2, ids.payloads());
                ready.executeUpdate();
                connection.commit();
                claim.setArray(1, ids.ids());
                claim.executeUpdate();
                connection.commit();
                done.setArray(1, ids.ids());
                done.setArray(2, ids.payloads());
                done.executeUpdate();
                connection.commit();
            }
        }
    }

    @Override
    public long done() throws SQLException {
        return server.number("select count(*) from floor_t where state = 2");
    }

    @Override
    public void close() throws SQLException {
        connection.close();
        server.execute("drop table floor_t");
    }

    /** Ids and payloads of one batch, as arrays. */
    record Batch(int size, java.sql.Array ids, java.sql.Array payloads) {
        static Batch of(Connection connection, long first, int size) throws SQLException {
            long[] ids = new long[size];
            Arrays.setAll(ids, i -> first + i);
            String[] payloads = new String[size];
            Arrays.fill(payloads, Payload.JSON);
            return new Batch(
                    size, connection.createArrayOf("int8", box(ids)), connection.createArrayOf("text", payloads));
        }

        private static Object[] box(long[] ids) {
            return Arrays.stream(ids).boxed().toArray();
        }
    }
}
