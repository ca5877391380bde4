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
import dev.weir.engine.journal.LoadAllowance;
import dev.weir.engine.journal.LoadedRows;
import dev.weir.engine.journal.PastRun;
import dev.weir.engine.journal.PreparedWrites;
import dev.weir.engine.journal.ShardOwnership;
import dev.weir.engine.journal.StoredDeadLetter;
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
import java.util.HashMap;
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
    final boolean canCopy;
    /** True if the server is certain to look up each value of a list in the index. */
    final boolean canDeleteByList;

    /** Numbers of organisations by name. The loop prepares rows while others are written, so the map is concurrent. */
    private final Map<String, Integer> numbers = new ConcurrentHashMap<>();

    private final IntFunction<ClaimPages> pages;
    private final ConcurrentLoads concurrentLoads;
    private final StoreClock storeClock = new StoreClock(() -> System.nanoTime() / 1_000);
    private @Nullable PostgresTransaction currentTransaction;

    /**
     * The abilities of the session and its server.
     *
     * @param pages the claim pages by organisation number, kept across shard ownerships
     * @param loadConnections connections for loads beside other work
     */
    record SessionCapabilities(
            boolean canCopy, boolean canDeleteByList, IntFunction<ClaimPages> pages, LoadConnections loadConnections) {}

    PostgresShardOwnership(
            Connection connection, int shard, long epoch, PlanCache plans, SessionCapabilities capabilities) {
        this.connection = connection;
        this.shard = shard;
        this.epoch = epoch;
        this.plans = plans;
        this.canCopy = capabilities.canCopy;
        this.canDeleteByList = capabilities.canDeleteByList;
        this.pages = capabilities.pages;
        this.concurrentLoads = new ConcurrentLoads(capabilities.loadConnections);
    }

    /** Work that uses the connection within one fenced transaction. */
    @FunctionalInterface
    private interface OwnedTask<T> {
        T run() throws SQLException;
    }

    @Override
    public long epoch() {
        return epoch;
    }

    @Override
    public List<String> organisations() {
        return runFenced("listing the organisations of shard " + shard, () -> {
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
        return readOfOrganisation("loading organisation " + org, () -> {
            WriterConnections.prepareForLoad(connection);
            connection.setNetworkTimeout(Runnable::run, (int) WriterConnections.LOAD_SOCKET_TIMEOUT.toMillis());
            try {
                OrganisationLoader.Loaded loaded = read(ownReader(), org, storeClock.newestTime());
                advanceClock(loaded.newestTime());
                return loaded.rows();
            } finally {
                connection.setNetworkTimeout(Runnable::run, (int) WriterConnections.SOCKET_TIMEOUT.toMillis());
            }
        });
    }

    private OrganisationLoader.Loaded read(OrganisationReader reader, String org, long now) throws SQLException {
        return readOrganisationRow(reader.connection, org, found -> {
            int number = rememberNumber(org, found);
            return new OrganisationLoader(reader, number, now).readAll(found, pages(number), epoch);
        });
    }

    @Override
    public LoadedRows loadConcurrently(String org, boolean isQuick, LoadAllowance memory) {
        String task = "loading organisation " + org;
        return concurrentLoads.run(task, read -> load(org, new OrganisationReader(read, plans, isQuick, memory)));
    }

    private LoadedRows load(String org, OrganisationReader reader) throws SQLException {
        long now = Math.max(reader.begin(shard, epoch), storeClock.newestTime());
        OrganisationLoader.Loaded loaded = read(reader, org, now);
        reader.connection.commit();
        advanceClock(Math.max(now, loaded.newestTime()));
        return new LoadedRows(loaded.rows(), Math.max(now, loaded.newestTime()));
    }

    @Override
    public Plan plan(String org, String workflow, int version) {
        return readOfOrganisation(
                "reading workflow " + workflow + " of " + org, () -> plan(number(org), workflow, version));
    }

    @Override
    public List<EndedRun> findEndedRuns(String org, Collection<String> runs) {
        return readOfOrganisation(
                "looking for ended runs of " + org,
                () -> new EndedRunReader(ownReader(), number(org)).readById(runs.toArray(String[]::new)));
    }

    @Override
    public Map<LimitId.Shared, List<LimitStart>> starts(String org, Collection<LimitId.Shared> limits) {
        return readOfOrganisation("reading starts of " + org, () -> StoredStarts.of(this, number(org), limits));
    }

    @Override
    public Optional<PastRun> findPastRun(String org, String run) {
        return readOfOrganisation(
                "reading run " + run + " of " + org, () -> new HistoryReader(this, number(org)).find(run));
    }

    @Override
    public Map<String, Integer> findEvents(String org, Collection<String> ids) {
        return readOfOrganisation("looking for events of " + org, () -> {
            Map<String, Integer> prints = new HashMap<>();
            try (var statement = connection.prepareStatement(SQL.get("event_prints"))) {
                statement.setArray(1, connection.createArrayOf("text", ids.toArray(String[]::new)));
                statement.setInt(2, number(org));
                try (var found = statement.executeQuery()) {
                    while (found.next()) {
                        prints.put(found.getString("id"), found.getInt("print"));
                    }
                }
            }
            return prints;
        });
    }

    @Override
    public Optional<StoredDeadLetter> findDeadLetter(String org, long number) {
        return readOfOrganisation(
                "reading dead letter " + number + " of " + org,
                () -> new DeadLetterReader(connection, number(org)).find(number));
    }

    @Override
    public PreparedWrites prepare(Map<String, List<Move>> moves) {
        var writes = new PostgresPreparedWrites(moves, this);
        writes.prepare();
        return writes;
    }

    @Override
    public void write(PreparedWrites writes, long decidedAt, LongConsumer clock) {
        if (writes instanceof PostgresPreparedWrites prepared && prepared.isPrepared()) {
            var fence = new PipelinedTransaction.OpeningQuery(
                    SQL.get("fence_by"), List.of(shard, epoch, decidedAt, PreparedWrites.AGE_MAX), now -> {
                        clock.accept(storeClock.observe(now));
                    });
            commit(prepared, new PipelinedTransaction(connection, fence));
        } else {
            ShardOwnership.super.write(writes, decidedAt, clock);
        }
    }

    void commit(PostgresPreparedWrites writes, PipelinedTransaction transaction) {
        new JournalCommit(this, writes).run(transaction);
    }

    @Override
    public Transaction begin() {
        try {
            currentTransaction = new PostgresTransaction(this, storeClock.observe(fence()));
            return currentTransaction;
        } catch (SQLException e) {
            throw abort("beginning a transaction of shard " + shard, e);
        }
    }

    @Override
    public List<ClaimSummary> claims(String org, long firstRun, List<ClaimedUnit> claimed) {
        return readOfOrganisation(
                "reading the claims of " + org, () -> new SweepReader(this, number(org)).claims(firstRun, claimed));
    }

    @Override
    public SweepSlice slice(String org, long afterRun, int runs, int units) {
        return readOfOrganisation(
                "reading a slice of " + org, () -> new SweepReader(this, number(org)).slice(afterRun, runs, units));
    }

    /** Runs the first statement of every transaction. It checks the epoch and returns the store's time. */
    private long fence() throws SQLException {
        try (var statement = connection.prepareStatement(SQL.get("fence"))) {
            statement.setInt(1, shard);
            statement.setLong(2, epoch);
            try (var result = statement.executeQuery()) {
                result.next();
                return result.getLong(1);
            }
        }
    }

    /** Reads data of one organisation. A read that takes too long fails for that organisation, not for the shard. */
    private <T> T readOfOrganisation(String operation, OwnedTask<T> work) {
        return runFenced(operation, () -> {
            try {
                return work.run();
            } catch (SQLException e) {
                if (SqlFailures.CANCELLED.equals(e.getSQLState())) {
                    throw abortTimedOut(operation, e);
                }
                throw e;
            }
        });
    }

    private JournalFailure abortTimedOut(String operation, SQLException cause) {
        rollBack();
        if (currentTransaction != null) {
            currentTransaction.close();
        }
        return new JournalFailure.TooSlow(operation + ": the statement timed out: " + cause.getMessage(), cause);
    }

    private <T> T runFenced(String operation, OwnedTask<T> work) {
        return hasOpenTransaction() ? runInOpenTransaction(operation, work) : runInOwnTransaction(operation, work);
    }

    /** True while a transaction is open. */
    private boolean hasOpenTransaction() {
        return currentTransaction != null && currentTransaction.isOpen();
    }

    /** Reads within the open transaction, which has already passed the fence. This method must not end it. */
    private <T> T runInOpenTransaction(String operation, OwnedTask<T> work) {
        try {
            return work.run();
        } catch (SQLException e) {
            throw abort(operation, e);
        }
    }

    private <T> T runInOwnTransaction(String operation, OwnedTask<T> work) {
        try {
            storeClock.observe(fence());
            T result = work.run();
            connection.commit();
            return result;
        } catch (SQLException e) {
            throw abort(operation, e);
        } catch (RuntimeException e) {
            rollBack();
            throw e;
        }
    }

    /** Rolls back the transaction, or closes the connection if its outcome is unknown. */
    JournalFailure abort(String operation, SQLException cause) {
        JournalFailure failure = SqlFailures.of(operation, cause);
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
    void advanceClock(long when) {
        storeClock.advanceTo(when);
    }

    int shard() {
        return shard;
    }

    /** True if the numbers of these organisations are known without a query. */
    boolean knowsNumbersOf(Set<String> orgs) {
        return numbers.keySet().containsAll(orgs);
    }

    /** Returns the number of an organisation of this shard. */
    int number(String org) throws SQLException {
        Integer cached = numbers.get(org);
        if (cached != null) {
            return cached;
        }
        return readOrganisationRow(connection, org, found -> rememberNumber(org, found));
    }

    private int rememberNumber(String org, ResultSet found) throws SQLException {
        if (found.getInt("shard") != shard) {
            throw new IllegalArgumentException("expected an organisation of shard " + shard + ", found " + org
                    + " which is in shard " + found.getInt("shard"));
        }
        int number = found.getInt("number");
        numbers.put(org, number);
        return number;
    }

    ClaimPages pages(int org) {
        return pages.apply(org);
    }

    @FunctionalInterface
    private interface OrganisationRowReader<T> {
        T read(ResultSet found) throws SQLException;
    }

    private static <T> T readOrganisationRow(Connection connection, String org, OrganisationRowReader<T> reader)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(SQL.get("organisation"))) {
            statement.setString(1, org);
            try (var found = statement.executeQuery()) {
                if (!found.next()) {
                    throw new IllegalArgumentException("organisation not found: " + org);
                }
                return reader.read(found);
            }
        }
    }

    Plan plan(int org, String workflow, int version) throws SQLException {
        return ownReader().plan(org, workflow, version);
    }

    private OrganisationReader ownReader() {
        return new OrganisationReader(connection, plans, false, LoadAllowance.UNLIMITED);
    }

    /** Returns those ids of new runs that are already taken. */
    Set<RowWrites.RunId> takenIds(PostgresPreparedWrites writes) {
        return runFenced(
                "looking for runs of shard " + shard, () -> writes.rows().takenIds(connection));
    }

    @Override
    public void close() {
        concurrentLoads.close();
        rollBack();
        PostgresJournal.close(connection);
    }
}
