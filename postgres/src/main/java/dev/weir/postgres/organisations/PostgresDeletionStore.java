package dev.weir.postgres.organisations;

import dev.weir.core.limit.Moment;
import dev.weir.core.state.Attribution;
import dev.weir.core.state.AuditEntry;
import dev.weir.engine.organisations.DeletionStore;
import dev.weir.postgres.sql.ConnectionPool;
import dev.weir.postgres.sql.SqlStatements;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Deletions in PostgreSQL. Each part is a transaction of its own, so that a kill loses at most one part. */
public final class PostgresDeletionStore implements DeletionStore {
    /** The most rows that one part deletes. */
    static final int PART_ROWS_MAX = 5_000;

    private static final SqlStatements SQL = SqlStatements.of(PostgresDeletionStore.class);

    private final ConnectionPool pool;
    private final OrganisationDirectory directory;
    private final Runnable onRunDeleted;

    /** @param onRunDeleted is told when a run was deleted, so that memory forgets ended runs */
    public PostgresDeletionStore(ConnectionPool pool, OrganisationDirectory directory, Runnable onRunDeleted) {
        this.pool = pool;
        this.directory = directory;
        this.onRunDeleted = onRunDeleted;
    }

    /** The next part. */
    private record Part(
            String id,
            int org,
            @Nullable String run,
            @Nullable Long number) {}

    @Override
    public BeginOutcome begin(String org, Attribution by) {
        BeginOutcome outcome = pool.runAsEngine("deleting organisation " + org, connection -> {
            if (!PostgresOrganisationStore.endOwnership(connection, org)) {
                return BeginOutcome.NOT_FOUND;
            }
            if (update(connection, "mark", org) == 0) {
                return BeginOutcome.NOT_SUSPENDED;
            }
            update(connection, "begin", org);
            var change = new AuditEntry.Change("delete_organisation", "organisation:" + org, "{}", null);
            AdministrationAudit.append(connection, by, change);
            return BeginOutcome.BEGUN;
        });
        directory.forget(org);
        return outcome;
    }

    @Override
    public List<Deletion> ofOrganisations() {
        return pool.runAsEngine("listing deletions of organisations", connection -> {
            try (var statement = connection.prepareStatement(SQL.get("organisation_deletions"))) {
                statement.setInt(1, LIST_MAX);
                return read(statement);
            }
        });
    }

    @Override
    public List<Deletion> ofRuns(String org) {
        return pool.runAsEngine("listing deletions of runs of " + org, connection -> {
            try (var statement = connection.prepareStatement(SQL.get("run_deletions"))) {
                statement.setString(1, org);
                statement.setInt(2, LIST_MAX);
                return read(statement);
            }
        });
    }

    private static List<Deletion> read(PreparedStatement statement) throws SQLException {
        List<Deletion> deletions = new ArrayList<>();
        try (var found = statement.executeQuery()) {
            while (found.next()) {
                long endedAt = found.getLong("ended_at");
                boolean unfinished = found.wasNull();
                deletions.add(new Deletion(
                        found.getString("id"),
                        found.getString("org_name"),
                        found.getString("run"),
                        found.getLong("rows"),
                        Moment.toInstant(found.getLong("began_at")),
                        unfinished ? null : Moment.toInstant(endedAt)));
            }
        }
        return deletions;
    }

    @Override
    public boolean continueOne() {
        Optional<Part> part = pool.runAsEngine("deleting data", connection -> {
            Optional<Part> next = next(connection);
            if (next.isPresent()) {
                carryOut(connection, next.get());
            }
            return next;
        });
        if (part.isPresent() && part.get().run != null) {
            onRunDeleted.run();
        }
        return part.isPresent();
    }

    private static Optional<Part> next(Connection connection) throws SQLException {
        try (var statement = connection.prepareStatement(SQL.get("next"));
                ResultSet found = statement.executeQuery()) {
            if (!found.next()) {
                return Optional.empty();
            }
            long number = found.getLong("number");
            boolean unknown = found.wasNull();
            return Optional.of(new Part(
                    found.getString("id"),
                    found.getInt("org"),
                    found.getString("run"),
                    unknown ? null : (Long) number));
        }
    }

    private static void carryOut(Connection connection, Part part) throws SQLException {
        boolean ofRun = part.run != null;
        long deleted = ofRun && (part.number == null || isLive(connection, part)) ? 0 : deletePart(connection, part);
        if (deleted > 0) {
            try (var statement = connection.prepareStatement(SQL.get("progress"))) {
                statement.setLong(1, deleted);
                statement.setString(2, part.id);
                statement.executeUpdate();
            }
            return;
        }
        update(connection, "end", part.id);
        if (!ofRun) {
            for (String sql : List.of("forget_runs", "end_organisation")) {
                try (var statement = connection.prepareStatement(SQL.get(sql))) {
                    statement.setInt(1, part.org);
                    statement.executeUpdate();
                }
            }
        }
    }

    private static boolean isLive(Connection connection, Part part) throws SQLException {
        try (var statement = connection.prepareStatement(SQL.get("is_live"))) {
            statement.setInt(1, part.org);
            statement.setObject(2, part.number);
            try (var found = statement.executeQuery()) {
                return found.next() && found.getBoolean("live");
            }
        }
    }

    private static long deletePart(Connection connection, Part part) throws SQLException {
        try (var statement = connection.prepareStatement(SQL.get("delete_part"))) {
            statement.setInt(1, part.org);
            statement.setString(2, part.run);
            statement.setObject(3, part.number, java.sql.Types.BIGINT);
            statement.setInt(4, PART_ROWS_MAX);
            try (var found = statement.executeQuery()) {
                found.next();
                return found.getLong("rows");
            }
        }
    }

    private static int update(Connection connection, String sql, String parameter) throws SQLException {
        try (var statement = connection.prepareStatement(SQL.get(sql))) {
            statement.setString(1, parameter);
            return statement.executeUpdate();
        }
    }
}
