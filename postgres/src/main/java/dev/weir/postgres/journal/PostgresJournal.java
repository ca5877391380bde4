package dev.weir.postgres.journal;

import dev.weir.engine.journal.Journal;
import dev.weir.engine.journal.JournalFailure;
import dev.weir.engine.journal.ShardOwnership;
import dev.weir.engine.request.Unavailable;
import dev.weir.postgres.organisations.OrganisationDirectory;
import dev.weir.postgres.sql.ConnectionPool;
import dev.weir.postgres.sql.DatabaseAddress;
import dev.weir.postgres.sql.SqlFailures;
import dev.weir.postgres.sql.SqlStatements;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The journal in PostgreSQL. Each shard ownership has its own connection and ends when that connection closes. */
public final class PostgresJournal implements Journal {
    /** The time an owner may block its successor before its session is terminated. */
    static final Duration OWNER_LOCK_TIMEOUT = Duration.ofSeconds(2);

    /**
     * The first PostgreSQL version whose planner uses the index for a list, whatever its statistics say about the
     * table.
     */
    private static final int INDEXED_LISTS_VERSION_MIN = 17;

    private static final int TAKE_ATTEMPTS_MAX = 5;
    private static final SqlStatements SQL = SqlStatements.of(PostgresJournal.class);
    private static final Logger LOG = LoggerFactory.getLogger(PostgresJournal.class);

    private final DatabaseAddress address;
    private final ConnectionPool pool;
    private final OrganisationDirectory directory;
    private final PlanCache plans;
    private final ClaimPages.Bounds bounds;
    /**
     * Claim pages by organisation number. Memory can outlive a shard ownership, so the knowledge about claim rows does
     * too.
     */
    private final Map<Integer, ClaimPages> pagesByOrg = new ConcurrentHashMap<>();

    private final LoadConnections loadConnections;
    private final AtomicLong removals = new AtomicLong();

    public PostgresJournal(
            DatabaseAddress address, ConnectionPool pool, OrganisationDirectory directory, PlanCache plans) {
        this(address, pool, directory, plans, ClaimPages.Bounds.DEFAULT);
    }

    PostgresJournal(
            DatabaseAddress address,
            ConnectionPool pool,
            OrganisationDirectory directory,
            PlanCache plans,
            ClaimPages.Bounds bounds) {
        this.directory = directory;
        this.bounds = bounds;
        this.address = address;
        this.loadConnections = new LoadConnections(address);
        this.pool = pool;
        this.plans = plans;
    }

    @Override
    public ShardOwnership take(int shard, String owner) {
        String operation = "taking shard " + shard;
        Connection connection = open(operation);
        try {
            for (int attempt = 1; ; attempt++) {
                try {
                    return raiseEpoch(connection, shard, owner);
                } catch (SQLException e) {
                    if (!SqlFailures.LOCK_TIMEOUT.equals(e.getSQLState()) || attempt == TAKE_ATTEMPTS_MAX) {
                        throw e;
                    }
                    terminateOwner(connection, shard);
                }
            }
        } catch (SQLException e) {
            close(connection);
            throw new JournalFailure.Lost(operation + ": " + e.getMessage(), SqlFailures.reason(e), e);
        } catch (RuntimeException e) {
            close(connection);
            throw e;
        }
    }

    private PostgresShardOwnership raiseEpoch(Connection connection, int shard, String owner) throws SQLException {
        try (Statement setting = connection.createStatement()) {
            setting.execute("set local lock_timeout = " + OWNER_LOCK_TIMEOUT.toMillis());
        }
        try (var statement = connection.prepareStatement(SQL.get("raise_epoch"))) {
            statement.setString(1, owner);
            statement.setInt(2, shard);
            try (var result = statement.executeQuery()) {
                if (!result.next()) {
                    throw new IllegalArgumentException(
                            "expected a shard from 0 to " + (SHARDS - 1) + ", found " + shard);
                }
                long epoch = result.getLong(1);
                boolean canDeleteByList =
                        connection.getMetaData().getDatabaseMajorVersion() >= INDEXED_LISTS_VERSION_MIN;
                var capabilities = new PostgresShardOwnership.SessionCapabilities(
                        result.getBoolean(2), canDeleteByList, this::pages, loadConnections);
                connection.commit();
                return new PostgresShardOwnership(connection, shard, epoch, plans, capabilities);
            }
        }
    }

    /** Records that runs were removed from the history. */
    public void recordHistoryRemoval() {
        removals.incrementAndGet();
    }

    @Override
    public long removalCount() {
        return removals.get();
    }

    private ClaimPages pages(int org) {
        return pagesByOrg.computeIfAbsent(org, ignored -> new ClaimPages(bounds));
    }

    private static void terminateOwner(Connection connection, int shard) throws SQLException {
        connection.rollback();
        try (Statement setting = connection.createStatement()) {
            setting.execute("set local role none");
        }
        try (var statement = connection.prepareStatement(SQL.get("end_owner"))) {
            statement.setInt(1, shard);
            statement.setString(2, WriterConnections.APPLICATION);
            try (var terminated = statement.executeQuery()) {
                while (terminated.next()) {
                    LOG.warn(
                            "Weir ended the session of the previous owner of shard {}, because it blocked the new owner",
                            shard);
                }
            }
        }
        connection.commit();
    }

    @Override
    public int shardOf(String org) {
        return lookUp(() -> directory.findByName(org))
                .orElseThrow(() -> new NoSuchElementException("organisation not found: " + org))
                .organisation()
                .shard();
    }

    @Override
    public Set<Integer> shardsWithWork() {
        return shards("finding shards with live runs", "living");
    }

    @Override
    public Set<Integer> shardsWithInbox() {
        return shards("finding shards with starts in their inbox", "inboxes");
    }

    private Set<Integer> shards(String operation, String statement) {
        return lookUp(() -> pool.runAsEngine(operation, connection -> {
            Set<Integer> shards = new TreeSet<>();
            try (Statement setting = connection.createStatement()) {
                // The cached plan may read the whole table because the table was empty when the plan was made.
                setting.execute("set local enable_seqscan = off");
            }
            try (var prepared = connection.prepareStatement(SQL.get(statement));
                    var found = prepared.executeQuery()) {
                while (found.next()) {
                    shards.add(found.getInt(1));
                }
            }
            return shards;
        }));
    }

    private static <T> T lookUp(Supplier<T> lookup) {
        try {
            return lookup.get();
        } catch (Unavailable e) {
            throw new JournalFailure.Lost(String.valueOf(e.getMessage()), e);
        }
    }

    private Connection open(String operation) {
        try {
            return WriterConnections.open(address);
        } catch (SQLException e) {
            throw new JournalFailure.Lost(
                    operation + ": cannot connect to " + address + ": " + e.getMessage(), SqlFailures.reason(e), e);
        }
    }

    static void close(Connection connection) {
        try {
            connection.close();
        } catch (SQLException e) {
            LOG.debug("a connection could not be closed properly", e);
        }
    }

    /** Closes the connections of loads. A shard ownership is closed by its owner, or ended by a later owner. */
    @Override
    public void close() {
        loadConnections.close();
    }
}
