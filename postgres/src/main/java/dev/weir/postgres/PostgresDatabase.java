package dev.weir.postgres;

import dev.weir.engine.journal.Journal;
import dev.weir.engine.organisations.DeletionStore;
import dev.weir.engine.organisations.OrganisationStore;
import dev.weir.engine.organisations.SecretStore;
import dev.weir.engine.organisations.SessionStore;
import dev.weir.engine.records.Records;
import dev.weir.postgres.journal.PlanCache;
import dev.weir.postgres.journal.PostgresJournal;
import dev.weir.postgres.organisations.OrganisationDirectory;
import dev.weir.postgres.organisations.PostgresDeletionStore;
import dev.weir.postgres.organisations.PostgresOrganisationStore;
import dev.weir.postgres.organisations.PostgresSecretStore;
import dev.weir.postgres.organisations.PostgresSessionStore;
import dev.weir.postgres.records.PostgresRecords;
import dev.weir.postgres.sql.ConnectionPool;
import dev.weir.postgres.sql.DatabaseAddress;
import java.sql.SQLException;
import java.time.Duration;

/** Weir's part of a PostgreSQL database. Its tables are migrated and its durability is checked when it is opened. */
public final class PostgresDatabase implements AutoCloseable {
    private static final Duration SOCKET_TIMEOUT = Duration.ofSeconds(10);
    private static final int PROBE_TIMEOUT_SECONDS = 2;

    private final Housekeeping housekeeping;
    private final DurabilityCheck durability;
    private final ConnectionPool lookupPool;
    private final ConnectionPool readPool;
    private final PostgresJournal journal;
    private final Records records;
    private final OrganisationStore organisations;
    private final SecretStore secrets;
    private final DeletionStore deletions;
    private final SessionStore sessions;

    private PostgresDatabase(
            DatabaseAddress address, Retention retention, Housekeeping housekeeping, DurabilityCheck durability) {
        var plans = new PlanCache();
        this.housekeeping = housekeeping;
        this.durability = durability;
        this.lookupPool =
                new ConnectionPool(address, "lookups", ConnectionPool.LOOKUP_CONNECTIONS, ConnectionPool.WAIT_MAX);
        this.readPool = new ConnectionPool(address, "reads", ConnectionPool.READ_CONNECTIONS, ConnectionPool.WAIT_MAX);
        var directory = new OrganisationDirectory(lookupPool);
        this.journal = new PostgresJournal(address, lookupPool, directory, plans);
        this.organisations = new PostgresOrganisationStore(lookupPool, directory);
        this.deletions = new PostgresDeletionStore(lookupPool, directory, journal::recordHistoryRemoval);
        this.secrets = new PostgresSecretStore(lookupPool);
        this.sessions = new PostgresSessionStore(lookupPool);
        this.records = new PostgresRecords(readPool, directory, plans, retention.age());
    }

    /** Opens Weir's part of a database, after creating or migrating it. The history is kept forever. */
    public static PostgresDatabase open(DatabaseAddress address) throws SQLException {
        return open(address, Retention.UNLIMITED);
    }

    /** Opens Weir's part of a database, after creating or migrating it. */
    public static PostgresDatabase open(DatabaseAddress address, Retention retention) throws SQLException {
        DurabilityCheck durability;
        try (var connection = address.connect("weir", SOCKET_TIMEOUT)) {
            durability = DurabilityCheck.of(connection);
            int major = connection.getMetaData().getDatabaseMajorVersion();
            if (major < DurabilityCheck.MAJOR_VERSION_MIN) {
                throw new SQLException("expected PostgreSQL " + DurabilityCheck.MAJOR_VERSION_MIN + " or newer at "
                        + address + ", found " + durability.version() + ": upgrade the server");
            }
        }
        new DatabaseSchema(address).migrate();
        var housekeeping = new Housekeeping(address, retention);
        housekeeping.run();
        return new PostgresDatabase(address, retention, housekeeping, durability);
    }

    public Journal journal() {
        return journal;
    }

    public Records records() {
        return records;
    }

    public OrganisationStore organisations() {
        return organisations;
    }

    public DeletionStore deletions() {
        return deletions;
    }

    public SecretStore secrets() {
        return secrets;
    }

    public SessionStore sessions() {
        return sessions;
    }

    /** Returns true if the server answers in time. It can fail like any read. */
    public boolean isResponding() {
        return lookupPool.runAsEngine("checking the database", connection -> connection.isValid(PROBE_TIMEOUT_SECONDS));
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
    public Duration runHousekeeping() throws SQLException {
        return runAndReportRemovals(housekeeping::run);
    }

    /** Runs a pass of housekeeping at a given time instead of the store's time. */
    Duration runHousekeepingAt(long now) throws SQLException {
        return runAndReportRemovals(() -> housekeeping.runAt(now));
    }

    /** A pass of housekeeping. */
    @FunctionalInterface
    private interface Pass {
        Duration run() throws SQLException;
    }

    /**
     * Runs a pass and notifies the journal if runs were removed, so that memory forgets them. It does so even if the
     * pass failed after it removed some.
     */
    private Duration runAndReportRemovals(Pass pass) throws SQLException {
        long before = housekeeping.removals();
        try {
            return pass.run();
        } finally {
            if (housekeeping.removals() > before) {
                journal.recordHistoryRemoval();
            }
        }
    }

    @Override
    public void close() {
        journal.close();
        readPool.close();
        lookupPool.close();
    }
}
