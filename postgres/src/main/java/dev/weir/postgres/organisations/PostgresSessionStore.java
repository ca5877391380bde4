package dev.weir.postgres.organisations;

import dev.weir.core.limit.Moment;
import dev.weir.engine.organisations.Caller;
import dev.weir.engine.organisations.SessionStore;
import dev.weir.engine.organisations.TokenSecret;
import dev.weir.postgres.access.TokenRows;
import dev.weir.postgres.sql.ConnectionPool;
import dev.weir.postgres.sql.SqlStatements;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

/** Sessions of the console, and links that begin them, in PostgreSQL. */
public final class PostgresSessionStore implements SessionStore {
    private static final SqlStatements SQL = SqlStatements.of(PostgresSessionStore.class);
    private static final String SESSION_PREFIX = "weir_session_";
    private static final String LINK_PREFIX = "weir_link_";

    private final ConnectionPool pool;

    public PostgresSessionStore(ConnectionPool pool) {
        this.pool = pool;
    }

    /**
     * A valid token.
     *
     * @param now the time at which it was read
     * @param endsAt the time at which it expires, or was replaced
     */
    private record FoundToken(int org, TokenHash hash, Caller caller, long now, long endsAt) {
        /** Returns the time at which something of this age ends, which is never later than the token's own end. */
        long expiry(Duration age) {
            return Math.min(Moment.plus(now, Moment.micros(age)), endsAt);
        }
    }

    @Override
    public Optional<NewSession> begin(String token) {
        return pool.runAsEngine("beginning a session", connection -> insertSession(connection, TokenHash.of(token)));
    }

    @Override
    public Optional<NewSession> beginByLink(String code) {
        return pool.runAsEngine("beginning a session by a link", connection -> {
            Optional<TokenHash> token = useLink(connection, TokenHash.of(code));
            return token.isPresent() ? insertSession(connection, token.get()) : Optional.empty();
        });
    }

    /** Deletes a link, and returns the token with which it signs in. */
    private static Optional<TokenHash> useLink(Connection connection, TokenHash code) throws SQLException {
        try (var statement = connection.prepareStatement(SQL.get("use_link"))) {
            statement.setBytes(1, code.bytes());
            try (var link = statement.executeQuery()) {
                return link.next() ? Optional.of(new TokenHash(link.getBytes("token"))) : Optional.empty();
            }
        }
    }

    private static Optional<NewSession> insertSession(Connection connection, TokenHash hash) throws SQLException {
        FoundToken token = findToken(connection, hash).orElse(null);
        if (token == null) {
            return Optional.empty();
        }
        var secret = TokenSecret.create(SESSION_PREFIX);
        long expiresAt = token.expiry(SESSION_AGE_MAX);
        insert(connection, "begin_session", token, TokenHash.of(secret.value()), expiresAt);
        keepNewest(connection, "end_oldest_sessions", hash, SESSIONS_PER_TOKEN_MAX);
        var session = new Session(token.caller, Moment.toInstant(expiresAt));
        return Optional.of(new NewSession(secret.value(), session));
    }

    @Override
    public Optional<NewLink> createLink(String token) {
        return pool.runAsEngine("creating a link that signs in", connection -> {
            TokenHash hash = TokenHash.of(token);
            FoundToken found = findToken(connection, hash).orElse(null);
            if (found == null) {
                return Optional.empty();
            }
            var code = TokenSecret.create(LINK_PREFIX);
            long expiresAt = found.expiry(LINK_AGE_MAX);
            insert(connection, "create_link", found, TokenHash.of(code.value()), expiresAt);
            keepNewest(connection, "drop_oldest_links", hash, LINKS_PER_TOKEN_MAX);
            return Optional.of(new NewLink(code.value(), Moment.toInstant(expiresAt)));
        });
    }

    private static Optional<FoundToken> findToken(Connection connection, TokenHash hash) throws SQLException {
        try (var statement = connection.prepareStatement(SQL.get("token"))) {
            statement.setBytes(1, hash.bytes());
            try (var found = statement.executeQuery()) {
                return found.next()
                        ? Optional.of(new FoundToken(
                                found.getInt("number"), hash, caller(found), found.getLong("now"), endsAt(found)))
                        : Optional.empty();
            }
        }
    }

    private static void insert(Connection connection, String sql, FoundToken token, TokenHash secret, long expiresAt)
            throws SQLException {
        try (var statement = connection.prepareStatement(SQL.get(sql))) {
            statement.setLong(1, token.now);
            statement.setLong(2, expiresAt);
            statement.setInt(3, token.org);
            statement.setBytes(4, secret.bytes());
            statement.setBytes(5, token.hash.bytes());
            statement.executeUpdate();
        }
    }

    private static void keepNewest(Connection connection, String sql, TokenHash token, int most) throws SQLException {
        try (var statement = connection.prepareStatement(SQL.get(sql))) {
            statement.setBytes(1, token.bytes());
            statement.setInt(2, most);
            statement.executeUpdate();
        }
    }

    @Override
    public Optional<Session> find(String secret) {
        return pool.runAsEngine("looking for a session", connection -> {
            try (var statement = prepare(connection, "session", secret);
                    var found = statement.executeQuery()) {
                return found.next()
                        ? Optional.of(new Session(caller(found), Moment.toInstant(endsAt(found))))
                        : Optional.empty();
            }
        });
    }

    @Override
    public void end(String secret) {
        pool.runAsEngine("ending a session", connection -> {
            try (var statement = prepare(connection, "end_session", secret)) {
                return statement.executeUpdate();
            }
        });
    }

    private static PreparedStatement prepare(Connection connection, String sql, String secret) throws SQLException {
        var statement = connection.prepareStatement(SQL.get(sql));
        statement.setBytes(1, TokenHash.of(secret).bytes());
        return statement;
    }

    private static Caller caller(ResultSet row) throws SQLException {
        return new Caller(row.getString("org"), row.getString("name"), TokenRows.rights(row));
    }

    private static long endsAt(ResultSet row) throws SQLException {
        long endsAt = row.getLong("ends_at");
        return row.wasNull() ? Moment.NEVER : endsAt;
    }
}
