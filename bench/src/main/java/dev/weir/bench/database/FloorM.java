package dev.weir.bench.database;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** The other floor: rows move between small tables of what lives, and end in a history that is only appended to. */
final class FloorM implements Contender {
    private static final String[] SCHEMA = {
        "drop table if exists floor_ready, floor_claimed, floor_done",
        "create table floor_ready (org int not null, id bigint not null, payload json not null,"
                + " ready_at timestamptz not null default clock_timestamp(), primary key (org, id))",
        "create table floor_claimed (org int not null, id bigint not null, payload json not null,"
                + " fence int not null, worker text not null, until timestamptz not null, primary key (org, id))",
        "create table floor_done (org int not null, id bigint not null, payload json not null, output json not null,"
                + " fence int not null, done_at timestamptz not null)"
    };
    private static final String READY =
            "insert into floor_ready (org, id, payload) select 1, id, payload from unnest(?::bigint[], ?::json[]) as new (id, payload)";
    private static final String CLAIM =
            "with gone as (delete from floor_ready where org = 1 and id = any(?) returning id, payload)"
                    + " insert into floor_claimed select 1, id, payload, 1, 'worker-1', clock_timestamp() + interval '30 s' from gone";
    private static final String DONE =
            "with result as (select * from unnest(?::bigint[], ?::json[]) as result (id, output)),"
                    + " gone as (delete from floor_claimed using result where floor_claimed.org = 1 and floor_claimed.id = result.id"
                    + " returning floor_claimed.id, payload, output, fence)"
                    + " insert into floor_done select 1, id, payload, output, fence, clock_timestamp() from gone";

    private final Server server;
    private final Connection connection;
    private final int batch;
    private long next;

    FloorM(Server server, int batch) throws SQLException {
        this.server = server;
        this.batch = batch;
        server.execute(SCHEMA);
        connection = server.dataSource().getConnection();
        connection.setAutoCommit(false);
    }

    @Override
    public String name() {
        return "floor M in batches of " + batch;
    }

    @Override
    public void run(int jobs) throws SQLException {
        try (PreparedStatement ready = connection.prepareStatement(READY);
                PreparedStatement claim = connection.prepareStatement(CLAIM);
                PreparedStatement done = connection.prepareStatement(DONE)) {
            for (int from = 0; from < jobs; from += batch) {
                FloorT.Batch ids = FloorT.Batch.of(connection, next, Math.min(batch, jobs - from));
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
        return server.number("select count(*) from floor_done");
    }

    @Override
    public void close() throws SQLException {
        connection.close();
        server.execute("drop table floor_ready, floor_claimed, floor_done");
    }
}
