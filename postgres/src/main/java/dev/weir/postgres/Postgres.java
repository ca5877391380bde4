package dev.weir.postgres;

import dev.weir.engine.journal.Journal;
import dev.weir.engine.records.Records;
import dev.weir.engine.tenants.Tenants;
import dev.weir.postgres.embedded.Durability;
import dev.weir.postgres.embedded.EmbeddedPostgres;
import dev.weir.postgres.journal.Plans;
import dev.weir.postgres.journal.PostgresJournal;
import dev.weir.postgres.records.PostgresRecords;
import dev.weir.postgres.sql.Access;
import dev.weir.postgres.sql.Pool;
import dev.weir.postgres.tenants.PostgresTenants;
import java.sql.SQLException;
import java.time.Duration;

/** A PostgreSQL that Weir lives in: its tables are there, and it is known how durable it is. */
public final class Postgres implements AutoCloseable {
    private static final Duration ANSWER_MAX = Duration.ofSeconds(10);

    private final Housekeeping housekeeping;
    private final Durability durability;
    private final Pool finding;
    private final Pool reading;
    private final Journal journal;
    private final Records records;
    private final Tenants tenants;

    private Postgres(Access access, Housekeeping housekeeping, Durability durability) {
        var plans = new Plans();
        this.housekeeping = housekeeping;
        this.durability = durability;
        this.finding = new Pool(access, "finding", Pool.FINDING);
        this.reading = new Pool(access, "reading", Pool.READING);
        this.journal = new PostgresJournal(access, finding, plans);
        this.tenants = new PostgresTenants(finding);
        this.records = new PostgresRecords(reading, finding, plans);
    }

    /** Opens Weir's part of a database, and makes or migrates it first. */
    public static Postgres open(Access access) throws SQLException {
        Durability durability;
        try (var connection = access.connect("weir", ANSWER_MAX)) {
            durability = Durability.of(connection);
            int major = connection.getMetaData().getDatabaseMajorVersion();
            if (major < Durability.MAJOR_MIN) {
                throw new SQLException("expected PostgreSQL " + Durability.MAJOR_MIN + " or newer at " + access
                        + ", found " + durability.version() + ": upgrade the server");
            }
        }
        new Schema(access).migrate();
        var housekeeping = new Housekeeping(access);
        housekeeping.keep();
        return new Postgres(access, housekeeping, durability);
    }

    public static Postgres open(EmbeddedPostgres embedded) throws SQLException {
        return open(new Access(embedded.jdbcUrl(), embedded.user(), embedded.password()));
    }

    public Journal journal() {
        return journal;
    }

    public Records records() {
        return records;
    }

    public Tenants tenants() {
        return tenants;
    }

    /** Whether the server keeps what it has committed; what voids that is to be told to people. */
    public Durability durability() {
        return durability;
    }

    /**
     * To be done once in a while, by any node: partitions for the weeks to come are made, old starts are forgotten. It keeps
     * nobody waiting for long, and leaves for later what it would have to wait for.
     *
     * @return when it is to be done again
     */
    public Duration keepHouse() throws SQLException {
        return housekeeping.keep();
    }

    @Override
    public void close() {
        journal.close();
        reading.close();
        finding.close();
    }
}
