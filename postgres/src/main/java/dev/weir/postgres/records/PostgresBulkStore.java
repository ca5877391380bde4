package dev.weir.postgres.records;

import dev.weir.core.limit.Moment;
import dev.weir.engine.records.BulkOperation;
import dev.weir.engine.records.BulkOperation.Action;
import dev.weir.engine.records.BulkOperation.Progress;
import dev.weir.engine.records.BulkStore;
import dev.weir.postgres.json.BulkJson;
import dev.weir.postgres.sql.ConnectionPool;
import dev.weir.postgres.sql.SqlStatements;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** Stores operations on many runs in PostgreSQL. Times of leases are those of the database. */
public final class PostgresBulkStore implements BulkStore {
    static final SqlStatements SQL = SqlStatements.of(PostgresBulkStore.class);

    private final ConnectionPool pool;
    private final ToIntFunction<String> organisationNumber;

    PostgresBulkStore(ConnectionPool pool, ToIntFunction<String> organisationNumber) {
        this.pool = pool;
        this.organisationNumber = organisationNumber;
    }

    private static int execute(Connection connection, String name, @Nullable Object... parameters) throws SQLException {
        try (var statement = prepare(connection, name, parameters)) {
            return statement.executeUpdate();
        }
    }

    private static PreparedStatement prepare(Connection connection, String name, @Nullable Object... parameters)
            throws SQLException {
        PreparedStatement statement = connection.prepareStatement(SQL.get(name));
        for (int i = 0; i < parameters.length; i++) {
            statement.setObject(i + 1, parameters[i]);
        }
        return statement;
    }

    private static @Nullable Long micros(@Nullable Instant at) {
        return at == null ? null : (Long) Moment.of(at);
    }

    @Override
    public Optional<BulkOperation> create(BulkOperation operation, String node) {
        int org = organisationNumber.applyAsInt(operation.org());
        return pool.runAsEngine("creating operation " + operation.id(), connection -> {
            int created = execute(
                    connection,
                    "create",
                    org,
                    operation.id(),
                    letter(operation.task().action()),
                    BulkJson.filter(operation.task()),
                    BulkJson.options(operation.task()),
                    operation.progress().numberBefore(),
                    operation.expected(),
                    micros(operation.createdAt()),
                    node,
                    LEASE_MICROS);
            if (created == 0) {
                return find(connection, org, operation.id());
            }
            execute(connection, "trim", org, org, OPERATIONS_MAX);
            return Optional.empty();
        });
    }

    @Override
    public Optional<BulkOperation> find(String org, String id) {
        int number = organisationNumber.applyAsInt(org);
        return pool.runAsRequest("reading operation " + id, number, connection -> find(connection, number, id));
    }

    private static Optional<BulkOperation> find(Connection connection, int org, String id) throws SQLException {
        try (var statement = prepare(connection, "find", org, id);
                ResultSet found = statement.executeQuery()) {
            return found.next() ? Optional.of(read(found)) : Optional.empty();
        }
    }

    @Override
    public int countUnfinished(String org) {
        int number = organisationNumber.applyAsInt(org);
        return pool.runAsRequest("counting operations", number, connection -> {
            try (var statement = prepare(connection, "count_unfinished", number);
                    ResultSet found = statement.executeQuery()) {
                found.next();
                return found.getInt(1);
            }
        });
    }

    @Override
    public boolean save(BulkOperation operation, String node) {
        int org = organisationNumber.applyAsInt(operation.org());
        Progress progress = operation.progress();
        return pool.runAsEngine(
                "storing operation " + operation.id(),
                connection -> execute(
                                connection,
                                "save",
                                progress.numberBefore(),
                                progress.listedBefore(),
                                progress.changed(),
                                progress.unchanged(),
                                progress.failed(),
                                BulkJson.failures(progress.failures()),
                                micros(operation.endedAt()),
                                LEASE_MICROS,
                                org,
                                operation.id(),
                                node)
                        == 1);
    }

    @Override
    public void release(BulkOperation operation, String node) {
        int org = organisationNumber.applyAsInt(operation.org());
        int unused = pool.runAsEngine(
                "releasing operation " + operation.id(),
                connection -> execute(connection, "release", org, operation.id(), node));
    }

    @Override
    public List<BulkOperation> takeAbandoned(String node, int max) {
        return pool.runAsEngine("looking for abandoned operations", connection -> {
            List<BulkOperation> taken = new ArrayList<>();
            if (!hasAbandoned(connection)) {
                return taken;
            }
            try (var statement = prepare(connection, "take_abandoned", node, LEASE_MICROS, max);
                    ResultSet found = statement.executeQuery()) {
                while (found.next()) {
                    taken.add(read(found));
                }
            }
            return taken;
        });
    }

    /** True if there may be something to take. Nodes ask every few seconds, so this must not write. */
    private static boolean hasAbandoned(Connection connection) throws SQLException {
        try (var statement = prepare(connection, "has_abandoned");
                ResultSet found = statement.executeQuery()) {
            return found.next() && found.getBoolean(1);
        }
    }

    private static String letter(Action action) {
        return switch (action) {
            case CANCEL -> "c";
            case RETRY -> "t";
            case REDRIVE -> "r";
            case DISCARD -> "d";
        };
    }

    private static Action action(String letter) {
        for (Action action : Action.values()) {
            if (letter(action).equals(letter)) {
                return action;
            }
        }
        throw new IllegalArgumentException("expected the letter of an action, found " + letter);
    }

    private static BulkOperation read(ResultSet found) throws SQLException {
        Action action = action(found.getString("action"));
        Long endedAt = found.getObject("ended_at", Long.class);
        return new BulkOperation(
                found.getString("organisation"),
                found.getString("id"),
                BulkJson.task(action, found.getString("filter"), found.getString("options")),
                found.getObject("expected", Long.class),
                new Progress(
                        found.getLong("number_before"),
                        found.getInt("listed_before"),
                        found.getLong("changed"),
                        found.getLong("unchanged"),
                        found.getLong("failed"),
                        BulkJson.readFailures(found.getString("failures"))),
                Moment.toInstant(found.getLong("created_at")),
                endedAt == null ? null : Moment.toInstant(endedAt));
    }
}
