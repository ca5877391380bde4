package dev.weir.postgres.journal;

import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.LimitStart;
import dev.weir.core.plan.Plan;
import dev.weir.core.state.ClaimedUnit;
import dev.weir.core.state.EndedRun;
import dev.weir.core.state.Move;
import dev.weir.core.state.OrganisationRows;
import dev.weir.engine.journal.ClaimSummary;
import dev.weir.engine.journal.JournalFailure;
import dev.weir.engine.journal.PastRun;
import dev.weir.engine.journal.PreparedWrites;
import dev.weir.engine.journal.ShardOwnership;
import dev.weir.engine.journal.SweepSlice;
import dev.weir.engine.journal.Transaction;
import dev.weir.postgres.sql.PipelinedTransaction;
import dev.weir.postgres.sql.SqlFailures;
import dev.weir.postgres.sql.SqlStatements;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntFunction;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** One owner's time with one shard, on one connection. If the connection is lost, the ownership ends. */
final class PostgresShardOwnership implements ShardOwnership {
    static final SqlStatements SQL = SqlStatements.of(PostgresShardOwnership.class);

    final Connection connection;
    private final int shard;
    private final long epoch;
    private final PlanCache plans;
    /** True if new rows may be inserted with COPY. */
    final boolean mayCopy;
    /** True if the server is certain to look up each value of a list in the index. */
    final boolean mayList;

    /**
     * Numbers of organisations by name. The map is concurrent because the loop prepares rows while others are written.
     */
    private final Map<String, Integer> numbers = new ConcurrentHashMap<>();

    private final IntFunction<ClaimPages> pages;
    private final StoreClock time = new StoreClock(() -> System.nanoTime() / 1_000);
    private final DefinitionReads definitions = new DefinitionReads();
    private @Nullable PostgresTransaction entry;

    /**
     * The abilities of the session and its server.
     *
     * @param pages the claim pages by organisation number, kept across shard ownerships
     */
    record Means(boolean mayCopy, boolean mayList, IntFunction<ClaimPages> pages) {}

    PostgresShardOwnership(Connection connection, int shard, long epoch, PlanCache plans, Means means) {
        this.connection = connection;
        this.shard = shard;
        this.epoch = epoch;
        this.plans = plans;
        this.mayCopy = means.mayCopy;
        this.mayList = means.mayList;
        this.pages = means.pages;
    }

    /** Work that uses the connection within one fenced transaction. */
    @FunctionalInterface
    private interface Work<T> {
        T run() throws SQLException;
    }

    @Override
    public long epoch() {
        return epoch;
    }

    @Override
    public List<String> organisations() {
        return fenced("listing the organisations of shard " + shard, () -> {
            List<String> names = new ArrayList<>();
            try (var statement = connection.prepareStatement(SQL.get("organisations"))) {
                statement.setInt(1, shard);
                try (var found = statement.executeQuery()) {
                    while (found.next()) {
                        names.add(found.getString(1));
                    }
                }
            }
            return names;
        });
    }

    @Override
    public OrganisationRows load(String org) {
        return ofOne("loading organisation " + org, () -> {
            WriterConnections.readMuch(connection);
            connection.setNetworkTimeout(Runnable::run, (int) WriterConnections.LOAD_ANSWER_MAX.toMillis());
            try {
                var loading = new OrganisationLoader(this, number(org), time.newest());
                definitions.beginLoad(!isOpen());
                OrganisationRows rows = organisation(org, loading::rows);
                definitions.loaded();
                atLeast(loading.newest());
                return rows;
            } finally {
                definitions.endLoad();
                connection.setNetworkTimeout(Runnable::run, (int) WriterConnections.ANSWER_MAX.toMillis());
            }
        });
    }

    @Override
    public Plan plan(String org, String workflow, int version) {
        return ofOne("reading workflow " + workflow + " of " + org, () -> plan(number(org), workflow, version));
    }

    @Override
    public List<EndedRun> ended(String org, Collection<String> runs) {
        return ofOne(
                "looking for ended runs of " + org,
                () -> new EndedRunReader(this, number(org)).byId(runs.toArray(String[]::new)));
    }

    @Override
    public Map<LimitId.Shared, List<LimitStart>> starts(String org, Collection<LimitId.Shared> limits) {
        return ofOne("reading starts of " + org, () -> StoredStarts.of(this, number(org), limits));
    }

    @Override
    public Optional<PastRun> past(String org, String run) {
        return ofOne("reading run " + run + " of " + org, () -> new HistoryReader(this, number(org)).find(run));
    }

    @Override
    public PreparedWrites draft(Map<String, List<Move>> moves) {
        var draft = new PostgresPreparedWrites(moves, this);
        draft.makeAhead();
        return draft;
    }

    @Override
    public void write(PreparedWrites draft, long by, LongConsumer clock) {
        if (draft instanceof PostgresPreparedWrites made && made.isMade()) {
            var fence = new PipelinedTransaction.Opening(
                    SQL.get("fence_by"), List.of(shard, epoch, by, PreparedWrites.AGE_MAX), now -> {
                        clock.accept(time.tells(now));
                    });
            commit(made, new PipelinedTransaction(connection, fence));
        } else {
            ShardOwnership.super.write(draft, by, clock);
        }
    }

    void commit(PostgresPreparedWrites draft, PipelinedTransaction trips) {
        new JournalCommit(this, draft).run(trips);
    }

    @Override
    public Transaction begin() {
        try {
            entry = new PostgresTransaction(this, time.tells(fence()));
            definitions.renew();
            return entry;
        } catch (SQLException e) {
            throw failed("beginning a transaction of shard " + shard, e);
        }
    }

    @Override
    public List<ClaimSummary> claims(String org, long firstRun, List<ClaimedUnit> claimed) {
        return ofOne(
                "reading the claims of " + org, () -> new SweepReader(this, number(org)).claims(firstRun, claimed));
    }

    @Override
    public SweepSlice slice(String org, long afterRun, int runs, int units) {
        return ofOne(
                "reading a slice of " + org, () -> new SweepReader(this, number(org)).slice(afterRun, runs, units));
    }

    /** Runs the first statement of every transaction. It checks the epoch and returns the store's time. */
    private long fence() throws SQLException {
        try (var statement = connection.prepareStatement(SQL.get("fence"))) {
            statement.setInt(1, shard);
            statement.setLong(2, epoch);
            try (var passed = statement.executeQuery()) {
                passed.next();
                return passed.getLong(1);
            }
        }
    }

    /** Reads data of one organisation. A read that takes too long fails for that organisation, not for the shard. */
    private <T> T ofOne(String during, Work<T> work) {
        return fenced(during, () -> {
            try {
                return work.run();
            } catch (SQLException e) {
                if (SqlFailures.CANCELLED.equals(e.getSQLState())) {
                    throw tooSlow(during, e);
                }
                throw e;
            }
        });
    }

    private JournalFailure tooSlow(String during, SQLException cause) {
        rollBack();
        if (entry != null) {
            entry.close();
        }
        return new JournalFailure.TooSlow(during + ": the statement timed out: " + cause.getMessage(), cause);
    }

    private <T> T fenced(String during, Work<T> work) {
        return isOpen() ? within(during, work) : alone(during, work);
    }

    /** True while a transaction is open. */
    private boolean isOpen() {
        return entry != null && entry.open();
    }

    /** Reads within the open transaction, which has already passed the fence. This method must not end it. */
    private <T> T within(String during, Work<T> work) {
        try {
            return work.run();
        } catch (SQLException e) {
            throw failed(during, e);
        }
    }

    private <T> T alone(String during, Work<T> work) {
        try {
            time.tells(fence());
            T done = work.run();
            connection.commit();
            return done;
        } catch (SQLException e) {
            throw failed(during, e);
        } catch (RuntimeException e) {
            rollBack();
            throw e;
        }
    }

    /** Rolls back the transaction, or closes the connection if its outcome is unknown. */
    JournalFailure failed(String during, SQLException cause) {
        JournalFailure failure = SqlFailures.of(during, cause);
        if (failure instanceof JournalFailure.Lost) {
            PostgresJournal.close(connection);
        } else {
            rollBack();
        }
        return failure;
    }

    void rollBack() {
        try {
            if (!connection.isClosed()) {
                connection.rollback();
            }
        } catch (SQLException e) {
            PostgresJournal.close(connection);
        }
    }

    /** Raises the store's clock to a time that was read or written. */
    void atLeast(long when) {
        time.atLeast(when);
    }

    int shard() {
        return shard;
    }

    /** True if the numbers of these organisations are known without a query. */
    boolean knows(Set<String> orgs) {
        return numbers.keySet().containsAll(orgs);
    }

    /** Returns the number of an organisation of this shard. */
    int number(String org) throws SQLException {
        Integer cached = numbers.get(org);
        if (cached != null) {
            return cached;
        }
        return organisation(org, found -> {
            if (found.getInt("shard") != shard) {
                throw new IllegalArgumentException("expected an organisation of shard " + shard + ", found " + org
                        + " which is in shard " + found.getInt("shard"));
            }
            int number = found.getInt("number");
            numbers.put(org, number);
            return number;
        });
    }

    /** Returns the claim pages of an organisation: the places of the claims that share rows. */
    ClaimPages pages(int org) {
        return pages.apply(org);
    }

    /** Reads a value from a row. */
    @FunctionalInterface
    private interface Read<T> {
        T of(ResultSet found) throws SQLException;
    }

    private <T> T organisation(String org, Read<T> read) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(SQL.get("organisation"))) {
            statement.setString(1, org);
            try (var found = statement.executeQuery()) {
                if (!found.next()) {
                    throw new IllegalArgumentException("organisation not found: " + org);
                }
                return read.of(found);
            }
        }
    }

    Plan plan(int org, String workflow, int version) throws SQLException {
        return plans.get(org, workflow, version, () -> {
            definitions.check();
            try (var statement = connection.prepareStatement(SQL.get("definition"))) {
                statement.setInt(1, org);
                statement.setString(2, workflow);
                statement.setInt(3, version);
                try (var found = statement.executeQuery()) {
                    String text = found.next() ? found.getString(1) : null;
                    definitions.read(text == null ? "" : text);
                    return text;
                }
            }
        });
    }

    /** Returns those ids of new runs that are already taken. */
    Set<RowWrites.RunId> takenIds(PostgresPreparedWrites draft) {
        return fenced("looking for runs of shard " + shard, () -> draft.rows().takenIds(connection));
    }

    @Override
    public void close() {
        rollBack();
        PostgresJournal.close(connection);
    }
}
