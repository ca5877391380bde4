package dev.weir.bench.database;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Arrays;

/**
 * The minimum that any engine must write: the states of a job, batch by batch, without any decision in between. A batch
 * costs three commits: ready, claimed, done.
 */
final class Floor implements Contender {
    private static final String[] SCHEMA_T = {
        "create table floor_t (org int not null, id bigint not null, state smallint not null, payload json not null,"
                + " output json, fence int not null default 0, worker text, until timestamptz,"
                + " ready_at timestamptz not null default clock_timestamp(), done_at timestamptz,"
                + " primary key (org, id)) with (fillfactor = 60)"
    };
    private static final String READY_T =
            "insert into floor_t (org, id, state, payload) select 1, id, 0, payload from unnest(?::bigint[], ?::json[]) as new (id, payload)";
    private static final String CLAIM_T =
            "update floor_t set state = 1, fence = fence + 1, worker = 'worker-1', until = clock_timestamp() + interval '30 s' where org = 1 and id = any(?)";
    private static final String DONE_T =
            "update floor_t set state = 2, output = result.output, done_at = clock_timestamp(), worker = null, until = null"
                    + " from unnest(?::bigint[], ?::json[]) as result (id, output) where floor_t.org = 1 and floor_t.id = result.id";

    private static final String[] SCHEMA_M = {
        "create table floor_ready (org int not null, id bigint not null, payload json not null,"
                + " ready_at timestamptz not null default clock_timestamp(), primary key (org, id))",
        "create table floor_claimed (org int not null, id bigint not null, payload json not null,"
                + " fence int not null, worker text not null, until timestamptz not null, primary key (org, id))",
        "create table floor_done (org int not null, id bigint not null, payload json not null, output json not null,"
                + " fence int not null, done_at timestamptz not null)"
    };
    private static final String READY_M =
            "insert into floor_ready (org, id, payload) select 1, id, payload from unnest(?::bigint[], ?::json[]) as new (id, payload)";
    private static final String CLAIM_M =
            "with gone as (delete from floor_ready where org = 1 and id = any(?) returning id, payload)"
                    + " insert into floor_claimed select 1, id, payload, 1, 'worker-1', clock_timestamp() + interval '30 s' from gone";
    private static final String DONE_M =
            "with result as (select * from unnest(?::bigint[], ?::json[]) as result (id, output)),"
                    + " gone as (delete from floor_claimed using result where floor_claimed.org = 1 and floor_claimed.id = result.id"
                    + " returning floor_claimed.id, payload, output, fence)"
                    + " insert into floor_done select 1, id, payload, output, fence, clock_timestamp() from gone";

    /** One table whose rows are updated in place. */
    private static final Design IN_PLACE = new Design(
            "T", SCHEMA_T, READY_T, CLAIM_T, DONE_T, "select count(*) from floor_t where state = 2", "floor_t");

    /** Rows that move between small tables of active jobs, and end in an append-only history. */
    private static final Design MOVING = new Design(
            "M",
            SCHEMA_M,
            READY_M,
            CLAIM_M,
            DONE_M,
            "select count(*) from floor_done",
            "floor_ready, floor_claimed, floor_done");

    private final BenchDatabase server;
    private final Design design;
    private final Connection connection;
    private final int batch;
    private long next;

    /** The tables and statements of a floor. */
    private static final class Design {
        private final String name;
        private final String[] schema;
        private final String ready;
        private final String claim;
        private final String done;
        private final String count;
        private final String tables;

        Design(String name, String[] schema, String... statements) {
            this.name = name;
            this.schema = schema;
            this.ready = statements[0];
            this.claim = statements[1];
            this.done = statements[2];
            this.count = statements[3];
            this.tables = statements[4];
        }
    }

    private Floor(BenchDatabase server, Design design, int batch) throws SQLException {
        this.server = server;
        this.design = design;
        this.batch = batch;
        server.execute("drop table if exists " + design.tables);
        server.execute(design.schema);
        connection = server.dataSource().getConnection();
        connection.setAutoCommit(false);
    }

    static Floor inPlace(BenchDatabase server, int batch) throws SQLException {
        return new Floor(server, IN_PLACE, batch);
    }

    static Floor moving(BenchDatabase server, int batch) throws SQLException {
        return new Floor(server, MOVING, batch);
    }

    @Override
    public String name() {
        return "floor " + design.name + " in batches of " + batch;
    }

    @Override
    public void run(int jobs) throws SQLException {
        try (PreparedStatement ready = connection.prepareStatement(design.ready);
                PreparedStatement claim = connection.prepareStatement(design.claim);
                PreparedStatement done = connection.prepareStatement(design.done)) {
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
        return server.number(design.count);
    }

    @Override
    public void close() throws SQLException {
        connection.close();
        server.execute("drop table " + design.tables);
    }

    /** The ids and payloads of one batch, as arrays. */
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
