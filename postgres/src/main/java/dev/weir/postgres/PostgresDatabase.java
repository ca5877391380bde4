package dev.weir.postgres;

import dev.weir.engine.journal.Journal;
import dev.weir.engine.organisations.OrganisationStore;
import dev.weir.engine.records.Records;
import dev.weir.postgres.journal.PlanCache;
import dev.weir.postgres.journal.PostgresJournal;
import dev.weir.postgres.organisations.OrganisationDirectory;
import dev.weir.postgres.organisations.PostgresOrganisationStore;
import dev.weir.postgres.records.PostgresRecords;
import dev.weir.postgres.sql.ConnectionPool;
import dev.weir.postgres.sql.DatabaseAddress;
import java.sql.SQLException;
import java.time.Duration;

/** Weir's part of a PostgreSQL database. Its tables are migrated and its durability is checked when it is opened. */
public final class PostgresDatabase implements AutoCloseable {
    private static final Duration ANSWER_MAX = Duration.ofSeconds(10);
    private static final int PROBE_MAX_SECONDS = 2;

    private final Housekeeping housekeeping;
    private final DurabilityCheck durability;
    private final ConnectionPool finding;
    private final ConnectionPool reading;
    private final PostgresJournal journal;
    private final Records records;
    private final OrganisationStore tenants;

    private PostgresDatabase(
            DatabaseAddress access, Retention retention, Housekeeping housekeeping, DurabilityCheck durability) {
        var plans = new PlanCache();
        this.housekeeping = housekeeping;
        this.durability = durability;
        this.finding = new ConnectionPool(access, "finding", ConnectionPool.FINDING, ConnectionPool.WAIT_MAX);
        this.reading = new ConnectionPool(access, "reading", ConnectionPool.READING, ConnectionPool.WAIT_MAX);
        var directory = new OrganisationDirectory(finding);
        this.journal = new PostgresJournal(access, finding, directory, plans);
        this.tenants = new PostgresOrganisationStore(finding, directory);
        this.records = new PostgresRecords(reading, directory, plans, retention.age());
    }

    /** Opens Weir's part of a database, after creating or migrating it. The history is kept forever. */
    public static PostgresDatabase open(DatabaseAddress access) throws SQLException {
        return open(access, Retention.EVERYTHING);
    }

    /** Opens Weir's part of a database, after creating or migrating it. */
    public static PostgresDatabase open(DatabaseAddress access, Retention retention) throws SQLException {
        DurabilityCheck durability;
        try (var connection = access.connect("weir", ANSWER_MAX)) {
            durability = DurabilityCheck.of(connection);
            int major = connection.getMetaData().getDatabaseMajorVersion();
            if (major < DurabilityCheck.MAJOR_MIN) {
                throw new SQLException("expected PostgreSQL " + DurabilityCheck.MAJOR_MIN + " or newer at " + access
                        + ", found " + durability.version() + ": upgrade the server");
            }
        }
        new DatabaseSchema(access).migrate();
        var housekeeping = new Housekeeping(access, retention);
        housekeeping.keep();
        return new PostgresDatabase(access, retention, housekeeping, durability);
    }

    public Journal journal() {
        return journal;
    }

    public Records records() {
        return records;
    }

    public OrganisationStore tenants() {
        return tenants;
    }

    /** Returns true if the server answers in time. It can fail like any read. */
    public boolean answers() {
        return finding.asEngine("checking the database", connection -> connection.isValid(PROBE_MAX_SECONDS));
    }

    /**
     * Returns the result of the durability check: whether the server keeps what it has committed. Problems must be
     * shown to people.
     */
    public DurabilityCheck durability() {
        return durability;
    }

    /**
     * Runs a pass of housekeeping: creates partitions for the coming weeks, deletes old starts, and removes history
     * older than the retention. Any node may call it, from time to time. It blocks nobody for long, and postpones work
     * that would have to wait.
     *
     * @return the time until the next pass
     */
    public Duration keepHouse() throws SQLException {
        return noting(housekeeping::keep);
    }

    /** Runs a pass of housekeeping at a given time instead of the store's time. */
    Duration keepHouseAt(long now) throws SQLException {
        return noting(() -> housekeeping.keepAt(now));
    }

    /** A pass of housekeeping. */
    @FunctionalInterface
    private interface Pass {
        Duration keep() throws SQLException;
    }

    /**
     * Runs a pass and notifies the journal if runs were removed, so that memory forgets them. It does so even if the
     * pass failed after it removed some.
     */
    private Duration noting(Pass pass) throws SQLException {
        long before = housekeeping.removals();
        try {
            return pass.keep();
        } finally {
            if (housekeeping.removals() > before) {
                journal.historyRemoved();
            }
        }
    }

    @Override
    public void close() {
        journal.close();
        reading.close();
        finding.close();
    }
}
