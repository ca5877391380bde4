package dev.weir.postgres.organisations;

import dev.weir.core.state.Suspension;
import dev.weir.engine.organisations.Caller;
import dev.weir.engine.organisations.OrganisationRecord;
import dev.weir.engine.request.Unavailable;
import dev.weir.postgres.access.TokenRows;
import dev.weir.postgres.sql.BatchedLookup;
import dev.weir.postgres.sql.ConnectionPool;
import dev.weir.postgres.sql.SqlStatements;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Finds organisations by name and by token. Every request of an organisation that the node does not know yet needs this
 * first, so callers share queries, and the directory remembers the number and shard of an organisation.
 */
public final class OrganisationDirectory {
    private static final SqlStatements SQL = SqlStatements.of(OrganisationDirectory.class);

    private final ConnectionPool pool;
    private final Map<String, Entry> cache = new ConcurrentHashMap<>();
    private final BatchedLookup<String, Entry> byName =
            new BatchedLookup<>("organisations", ConnectionPool.WAIT_MAX, this::readByName);
    private final BatchedLookup<TokenHash, Caller> byToken =
            new BatchedLookup<>("API tokens", ConnectionPool.WAIT_MAX, this::readByToken);

    /**
     * An organisation of the store.
     *
     * @param number the key of its rows
     */
    public record Entry(int number, OrganisationRecord organisation) {}

    public OrganisationDirectory(ConnectionPool pool) {
        this.pool = pool;
    }

    /** Returns the organisation of that name. @throws Unavailable if the store does not answer in time */
    public Optional<Entry> findByName(String name) {
        Entry cached = cache.get(name);
        if (cached != null) {
            return Optional.of(cached);
        }
        Optional<Entry> found = byName.find(name);
        found.ifPresent(entry -> cache.put(name, entry));
        return found;
    }

    /**
     * Returns the holder of a token unless the token is unknown, revoked or expired. It queries the store at each call.
     *
     * @throws Unavailable if the store does not answer in time
     */
    Optional<Caller> findByToken(TokenHash token) {
        return byToken.find(token);
    }

    /** Forgets an organisation that has another name now, or none. */
    void forget(String name) {
        cache.remove(name);
    }

    private Map<String, Entry> readByName(Collection<String> names) {
        return pool.runAsEngine("looking for organisations", connection -> {
            Map<String, Entry> found = new HashMap<>();
            try (var statement = connection.prepareStatement(SQL.get("by_name"))) {
                statement.setArray(1, connection.createArrayOf("text", names.toArray()));
                try (var rows = statement.executeQuery()) {
                    while (rows.next()) {
                        OrganisationRecord organisation = readOrganisation(rows);
                        found.put(organisation.name(), new Entry(rows.getInt("number"), organisation));
                    }
                }
            }
            return found;
        });
    }

    private Map<TokenHash, Caller> readByToken(Collection<TokenHash> tokens) {
        return pool.runAsEngine("looking for tokens", connection -> readByToken(connection, tokens));
    }

    private static Map<TokenHash, Caller> readByToken(Connection connection, Collection<TokenHash> tokens)
            throws SQLException {
        Map<TokenHash, Caller> found = new HashMap<>();
        try (var statement = connection.prepareStatement(SQL.get("by_token"))) {
            byte[][] hashes = tokens.stream().map(TokenHash::bytes).toArray(byte[][]::new);
            statement.setArray(1, connection.createArrayOf("bytea", hashes));
            try (var rows = statement.executeQuery()) {
                while (rows.next()) {
                    found.put(
                            new TokenHash(rows.getBytes("hash")),
                            new Caller(rows.getString("org"), rows.getString("name"), TokenRows.rights(rows)));
                }
            }
        }
        return found;
    }

    static OrganisationRecord readOrganisation(ResultSet row) throws SQLException {
        long suspendedAt = row.getLong("suspended_at");
        Suspension suspension = row.wasNull()
                ? null
                : new Suspension(suspendedAt, Objects.requireNonNullElse(row.getString("suspension_reason"), ""));
        return new OrganisationRecord(
                row.getString("name"),
                row.getInt("shard"),
                row.getTimestamp("created_at").toInstant(),
                suspension);
    }
}
