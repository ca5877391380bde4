package dev.weir.postgres.journal;

import dev.weir.core.life.ClaimedUnit;
import dev.weir.core.life.EndedRun;
import dev.weir.core.life.Move;
import dev.weir.core.life.Plan;
import dev.weir.core.life.Rows;
import dev.weir.engine.journal.ClaimMark;
import dev.weir.engine.journal.Draft;
import dev.weir.engine.journal.Entry;
import dev.weir.engine.journal.JournalFailure;
import dev.weir.engine.journal.PastRun;
import dev.weir.engine.journal.Slice;
import dev.weir.engine.journal.Tenure;
import dev.weir.postgres.sql.Failures;
import dev.weir.postgres.sql.Sql;
import dev.weir.postgres.sql.Trips;
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

/** One owner's time with one shard, on one connection. Once that is lost, so is the tenure. */
final class PostgresTenure implements Tenure {
    static final Sql SQL = Sql.of(PostgresTenure.class);

    final Connection connection;
    private final int shard;
    private final long epoch;
    private final Plans plans;
    /** Whether new rows may be copied in. */
    final boolean mayCopy;
    /** Whether the server is sure to look for each of a list in the index. */
    final boolean mayList;

    /** Numbers of organisations; rows are made by the loop while others are written. */
    private final Map<String, Integer> numbers = new ConcurrentHashMap<>();

    private final IntFunction<Sheets> sheets;
    private final StoreClock time = new StoreClock(() -> System.nanoTime() / 1_000);
    private @Nullable PostgresEntry entry;

    /**
     * What the session and its server are able to do.
     *
     * @param sheets of organisations by their numbers, as known from tenures before
     */
    record Means(boolean mayCopy, boolean mayList, IntFunction<Sheets> sheets) {}

    PostgresTenure(Connection connection, int shard, long epoch, Plans plans, Means means) {
        this.connection = connection;
        this.shard = shard;
        this.epoch = epoch;
        this.plans = plans;
        this.mayCopy = means.mayCopy;
        this.mayList = means.mayList;
        this.sheets = means.sheets;
    }

    /** Something that is done with the connection within one fenced transaction. */
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
    public Rows load(String org) {
        return ofOne("loading organisation " + org, () -> {
            Session.readMuch(connection);
            connection.setNetworkTimeout(Runnable::run, (int) Session.LOAD_ANSWER_MAX.toMillis());
            try {
                var loading = new Loading(this, number(org), time.newest());
                Rows rows = loading.rows(nextRun(org));
                atLeast(loading.newest());
                return rows;
            } finally {
                connection.setNetworkTimeout(Runnable::run, (int) Session.ANSWER_MAX.toMillis());
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
                () -> new EndedRuns(this, number(org)).byId(runs.toArray(String[]::new)));
    }

    @Override
    public Optional<PastRun> past(String org, String run) {
        return ofOne("reading run " + run + " of " + org, () -> new PastRuns(this, number(org)).find(run));
    }

    @Override
    public Draft draft(Map<String, List<Move>> moves) {
        var draft = new PostgresDraft(moves, this);
        draft.makeAhead();
        return draft;
    }

    @Override
    public void write(Draft draft, long by, LongConsumer clock) {
        if (draft instanceof PostgresDraft made && made.isMade()) {
            var fence = new Trips.Opening(SQL.get("fence_by"), List.of(shard, epoch, by, Draft.AGE_MAX), now -> {
                clock.accept(time.tells(now));
            });
            commit(made, new Trips(connection, fence));
        } else {
            Tenure.super.write(draft, by, clock);
        }
    }

    void commit(PostgresDraft draft, Trips trips) {
        new Commit(this, draft).run(trips);
    }

    @Override
    public Entry begin() {
        try {
            entry = new PostgresEntry(this, time.tells(fence()));
            return entry;
        } catch (SQLException e) {
            throw failed("beginning a transaction of shard " + shard, e);
        }
    }

    @Override
    public List<ClaimMark> claims(String org, long firstRun, List<ClaimedUnit> claimed) {
        return ofOne("reading the claims of " + org, () -> new Marks(this, number(org)).claims(firstRun, claimed));
    }

    @Override
    public Slice slice(String org, long afterRun, int runs, int units) {
        return ofOne("reading a slice of " + org, () -> new Marks(this, number(org)).slice(afterRun, runs, units));
    }

    /** The first statement of every transaction; the store's clock. */
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

    /** Reads something of one organisation. If that takes too long, it is that one which cannot be read, not the shard. */
    private <T> T ofOne(String during, Work<T> work) {
        return fenced(during, () -> {
            try {
                return work.run();
            } catch (SQLException e) {
                if (Failures.CANCELLED.equals(e.getSQLState())) {
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
        return new JournalFailure.TooSlow(during + ": it was given up: " + cause.getMessage(), cause);
    }

    private <T> T fenced(String during, Work<T> work) {
        return entry != null && entry.open() ? within(during, work) : alone(during, work);
    }

    /** Reads within the transaction that is open: it has passed the fence, and is not to be ended here. */
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

    /** Rolls back what was under way, or gives the connection up if it cannot be known what became of it. */
    JournalFailure failed(String during, SQLException cause) {
        JournalFailure failure = Failures.of(during, cause);
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

    /** Something that was read or written is of that time. */
    void atLeast(long when) {
        time.atLeast(when);
    }

    int shard() {
        return shard;
    }

    /** Whether the numbers of these organisations are known without asking. */
    boolean knows(Set<String> orgs) {
        return numbers.keySet().containsAll(orgs);
    }

    /** The number of an organisation of this shard. */
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

    /** Where the claims of an organisation lie that share rows. */
    Sheets sheets(int org) {
        return sheets.apply(org);
    }

    private long nextRun(String org) throws SQLException {
        return organisation(org, found -> found.getLong("next_run"));
    }

    /** Reads something of a row. */
    @FunctionalInterface
    private interface Read<T> {
        T of(ResultSet found) throws SQLException;
    }

    private <T> T organisation(String org, Read<T> read) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(SQL.get("organisation"))) {
            statement.setString(1, org);
            try (var found = statement.executeQuery()) {
                if (!found.next()) {
                    throw new IllegalArgumentException(
                            "expected an organisation that exists, found none called " + org);
                }
                return read.of(found);
            }
        }
    }

    Plan plan(int org, String workflow, int version) throws SQLException {
        return plans.get(org, workflow, version, () -> {
            try (var statement = connection.prepareStatement(SQL.get("definition"))) {
                statement.setInt(1, org);
                statement.setString(2, workflow);
                statement.setInt(3, version);
                try (var found = statement.executeQuery()) {
                    return found.next() ? found.getString(1) : null;
                }
            }
        });
    }

    /** Which of the ids of new runs are taken. */
    Set<Writes.RunId> takenIds(PostgresDraft draft) {
        return fenced("looking for runs of shard " + shard, () -> draft.rows().takenIds(connection));
    }

    @Override
    public void close() {
        rollBack();
        PostgresJournal.close(connection);
    }
}
