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
    static final Duration BLOCKED_MAX = Duration.ofSeconds(2);

    /**
     * The first PostgreSQL version whose planner uses the index for a list, whatever its statistics say about the
     * table.
     */
    private static final int LISTS_SINCE = 17;

    private static final int TRIES_MAX = 5;
    private static final SqlStatements SQL = SqlStatements.of(PostgresJournal.class);
    private static final Logger LOG = LoggerFactory.getLogger(PostgresJournal.class);

    private final DatabaseAddress access;
    private final ConnectionPool pool;
    private final OrganisationDirectory directory;
    private final PlanCache plans;
    private final ClaimPages.Bounds bounds;
    /**
     * Claim pages by organisation number. Memory can outlive a shard ownership, so the knowledge about claim rows does
     * too.
     */
    private final Map<Integer, ClaimPages> pages = new ConcurrentHashMap<>();

    private final AtomicLong removals = new AtomicLong();

    public PostgresJournal(
            DatabaseAddress access, ConnectionPool pool, OrganisationDirectory directory, PlanCache plans) {
        this(access, pool, directory, plans, ClaimPages.Bounds.USUAL);
    }

    PostgresJournal(
            DatabaseAddress access,
            ConnectionPool pool,
            OrganisationDirectory directory,
            PlanCache plans,
            ClaimPages.Bounds bounds) {
        this.directory = directory;
        this.bounds = bounds;
        this.access = access;
        this.pool = pool;
        this.plans = plans;
    }

    @Override
    public ShardOwnership take(int shard, String owner) {
        String during = "taking shard " + shard;
        Connection connection = open(during);
        try {
            for (int tried = 1; ; tried++) {
                try {
                    return raise(connection, shard, owner);
                } catch (SQLException e) {
                    if (!SqlFailures.LOCK_TIMEOUT.equals(e.getSQLState()) || tried == TRIES_MAX) {
                        throw e;
                    }
                    endOwner(connection, shard);
                }
            }
        } catch (SQLException e) {
            close(connection);
            throw new JournalFailure.Lost(during + ": " + e.getMessage(), SqlFailures.said(e), e);
        } catch (RuntimeException e) {
            close(connection);
            throw e;
        }
    }

    private PostgresShardOwnership raise(Connection connection, int shard, String owner) throws SQLException {
        try (Statement patience = connection.createStatement()) {
            patience.execute("set local lock_timeout = " + BLOCKED_MAX.toMillis());
        }
        try (var statement = connection.prepareStatement(SQL.get("raise_epoch"))) {
            statement.setString(1, owner);
            statement.setInt(2, shard);
            try (var raised = statement.executeQuery()) {
                if (!raised.next()) {
                    throw new IllegalArgumentException(
                            "expected a shard from 0 to " + (SHARDS - 1) + ", found " + shard);
                }
                long epoch = raised.getLong(1);
                boolean mayList = connection.getMetaData().getDatabaseMajorVersion() >= LISTS_SINCE;
                var means = new PostgresShardOwnership.Means(raised.getBoolean(2), mayList, this::pages);
                connection.commit();
                return new PostgresShardOwnership(connection, shard, epoch, plans, means);
            }
        }
    }

    /** Records that runs were removed from the history. */
    public void historyRemoved() {
        removals.incrementAndGet();
    }

    @Override
    public long removals() {
        return removals.get();
    }

    private ClaimPages pages(int org) {
        return pages.computeIfAbsent(org, ignored -> new ClaimPages(bounds));
    }

    private static void endOwner(Connection connection, int shard) throws SQLException {
        connection.rollback();
        try (Statement asOneself = connection.createStatement()) {
            asOneself.execute("set local role none");
        }
        try (var statement = connection.prepareStatement(SQL.get("end_owner"))) {
            statement.setInt(1, shard);
            statement.setString(2, WriterConnections.APPLICATION);
            try (var ended = statement.executeQuery()) {
                while (ended.next()) {
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
        return reach(() -> directory.findByName(org))
                .orElseThrow(() -> new NoSuchElementException("organisation not found: " + org))
                .tenant()
                .shard();
    }

    @Override
    public Set<Integer> living() {
        return shards("finding shards with live runs", "living");
    }

    @Override
    public Set<Integer> inboxes() {
        return shards("finding shards with starts in their inbox", "inboxes");
    }

    private Set<Integer> shards(String during, String statement) {
        return reach(() -> pool.asEngine(during, connection -> {
            Set<Integer> shards = new TreeSet<>();
            try (Statement byIndex = connection.createStatement()) {
                // The cached plan may read the whole table because the table was empty when the plan was made.
                byIndex.execute("set local enable_seqscan = off");
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

    private static <T> T reach(Supplier<T> look) {
        try {
            return look.get();
        } catch (Unavailable e) {
            throw new JournalFailure.Lost(String.valueOf(e.getMessage()), e);
        }
    }

    private Connection open(String during) {
        try {
            return WriterConnections.open(access);
        } catch (SQLException e) {
            throw new JournalFailure.Lost(
                    during + ": cannot connect to " + access + ": " + e.getMessage(), SqlFailures.said(e), e);
        }
    }

    static void close(Connection connection) {
        try {
            connection.close();
        } catch (SQLException e) {
            LOG.debug("a connection could not be closed properly", e);
        }
    }

    /** Does nothing: a shard ownership is closed by its owner, or ended by a later owner. */
    @Override
    public void close() {
        // The journal keeps no connection open between shard ownerships.
    }
}
