package dev.weir.postgres.journal;

import dev.weir.engine.Unavailable;
import dev.weir.engine.journal.Journal;
import dev.weir.engine.journal.JournalFailure;
import dev.weir.engine.journal.Tenure;
import dev.weir.postgres.sql.Access;
import dev.weir.postgres.sql.Failures;
import dev.weir.postgres.sql.Pool;
import dev.weir.postgres.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The journal in PostgreSQL. Every tenure has a connection of its own, and ends with it. */
public final class PostgresJournal implements Journal {
    /** How long an owner may keep the next one waiting before its session is ended. */
    static final Duration BLOCKED_MAX = Duration.ofSeconds(2);

    /** The version since which the planner leaves a list to the index, whatever it believes of the table. */
    private static final int LISTS_SINCE = 17;

    private static final int TRIES_MAX = 5;
    private static final Sql SQL = Sql.of(PostgresJournal.class);
    private static final Logger LOG = LoggerFactory.getLogger(PostgresJournal.class);

    private final Access access;
    private final Pool pool;
    private final Plans plans;
    private final Sheets.Bounds bounds;
    /** By organisations' numbers. Memory may outlive a tenure, and so does what is known of the rows of its claims. */
    private final Map<Integer, Sheets> sheets = new ConcurrentHashMap<>();

    public PostgresJournal(Access access, Pool pool, Plans plans) {
        this(access, pool, plans, Sheets.Bounds.USUAL);
    }

    PostgresJournal(Access access, Pool pool, Plans plans, Sheets.Bounds bounds) {
        this.bounds = bounds;
        this.access = access;
        this.pool = pool;
        this.plans = plans;
    }

    @Override
    public Tenure take(int shard, String owner) {
        String during = "taking shard " + shard;
        Connection connection = open(during);
        try {
            for (int tried = 1; ; tried++) {
                try {
                    return raise(connection, shard, owner);
                } catch (SQLException e) {
                    if (!Failures.LOCK_TIMEOUT.equals(e.getSQLState()) || tried == TRIES_MAX) {
                        throw e;
                    }
                    endOwner(connection, shard);
                }
            }
        } catch (SQLException e) {
            close(connection);
            throw new JournalFailure.Lost(during + ": " + e.getMessage(), Failures.said(e), e);
        } catch (RuntimeException e) {
            close(connection);
            throw e;
        }
    }

    private PostgresTenure raise(Connection connection, int shard, String owner) throws SQLException {
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
                var means = new PostgresTenure.Means(raised.getBoolean(2), mayList, this::sheets);
                connection.commit();
                return new PostgresTenure(connection, shard, epoch, plans, means);
            }
        }
    }

    private Sheets sheets(int org) {
        return sheets.computeIfAbsent(org, ignored -> new Sheets(bounds));
    }

    private static void endOwner(Connection connection, int shard) throws SQLException {
        connection.rollback();
        try (Statement asOneself = connection.createStatement()) {
            asOneself.execute("set local role none");
        }
        try (var statement = connection.prepareStatement(SQL.get("end_owner"))) {
            statement.setInt(1, shard);
            statement.setString(2, Session.APPLICATION);
            try (var ended = statement.executeQuery()) {
                while (ended.next()) {
                    LOG.warn("ended the session of the owner of shard {}, which kept the next one waiting", shard);
                }
            }
        }
        connection.commit();
    }

    @Override
    public int shardOf(String org) {
        return look("looking for the shard of " + org, connection -> {
            try (var statement = connection.prepareStatement(SQL.get("shard_of"))) {
                statement.setString(1, org);
                try (var found = statement.executeQuery()) {
                    if (!found.next()) {
                        throw new NoSuchElementException("expected organisation " + org + ", found no such one");
                    }
                    return found.getInt(1);
                }
            }
        });
    }

    @Override
    public Set<Integer> living() {
        return shards("looking for shards in which something lives", "living");
    }

    @Override
    public Set<Integer> inboxes() {
        return shards("looking for shards with starts in their inbox", "inboxes");
    }

    private Set<Integer> shards(String during, String statement) {
        return look(during, connection -> {
            Set<Integer> shards = new TreeSet<>();
            try (Statement byIndex = connection.createStatement()) {
                // A plan that reads the whole table was right when it was made, and the table was empty.
                byIndex.execute("set local enable_seqscan = off");
            }
            try (var prepared = connection.prepareStatement(SQL.get(statement));
                    var found = prepared.executeQuery()) {
                while (found.next()) {
                    shards.add(found.getInt(1));
                }
            }
            return shards;
        });
    }

    private <T> T look(String during, Pool.Work<T> work) {
        try {
            return pool.asEngine(during, work);
        } catch (Unavailable e) {
            throw new JournalFailure.Lost(String.valueOf(e.getMessage()), e);
        }
    }

    private Connection open(String during) {
        try {
            return Session.open(access);
        } catch (SQLException e) {
            throw new JournalFailure.Lost(
                    during + ": cannot connect to " + access + ": " + e.getMessage(), Failures.said(e), e);
        }
    }

    static void close(Connection connection) {
        try {
            connection.close();
        } catch (SQLException e) {
            LOG.debug("a connection could not be closed properly", e);
        }
    }

    /** Tenures end by themselves, or with a later one. */
    @Override
    public void close() {
        // Nothing is kept open between tenures.
    }
}
