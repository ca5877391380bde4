package dev.weir.postgres.tenants;

import dev.weir.engine.journal.Journal;
import dev.weir.engine.records.Page;
import dev.weir.engine.records.PageRequest;
import dev.weir.engine.tenants.Tenant;
import dev.weir.engine.tenants.Tenants;
import dev.weir.engine.tenants.Token;
import dev.weir.postgres.sql.Pool;
import dev.weir.postgres.sql.Sql;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/** Organisations and their tokens in PostgreSQL. */
public final class PostgresTenants implements Tenants {
    private static final Sql SQL = Sql.of(PostgresTenants.class);
    private static final String TOKEN_PREFIX = "weir_";
    private static final int TOKEN_BYTES = 32;

    private final Pool pool;
    private final SecureRandom random = new SecureRandom();

    public PostgresTenants(Pool pool) {
        this.pool = pool;
    }

    @Override
    public Tenant createOrganisation(String name) {
        check("an organisation", name);
        return pool.asEngine("creating organisation " + name, connection -> {
            try (var statement = connection.prepareStatement(SQL.get("create"))) {
                statement.setString(1, name);
                statement.setInt(2, shard(name));
                statement.executeUpdate();
            }
            return find(connection, name).orElseThrow();
        });
    }

    /** Spreads organisations over the shards; the same name always begins in the same one. */
    private static int shard(String name) {
        return sha256(name)[0] & (Journal.SHARDS - 1);
    }

    @Override
    public Optional<Tenant> findOrganisation(String name) {
        return pool.asEngine("looking for organisation " + name, connection -> find(connection, name));
    }

    private static Optional<Tenant> find(Connection connection, String name) throws SQLException {
        try (var statement = connection.prepareStatement(SQL.get("find"))) {
            statement.setString(1, name);
            return first(statement);
        }
    }

    @Override
    public Page<Tenant> list(PageRequest page) {
        return pool.asEngine("listing organisations", connection -> {
            List<Tenant> tenants = new ArrayList<>();
            try (var statement = connection.prepareStatement(SQL.get("list"))) {
                statement.setString(1, page.cursor());
                statement.setInt(2, page.limit() + 1);
                try (var found = statement.executeQuery()) {
                    while (found.next()) {
                        tenants.add(tenant(found));
                    }
                }
            }
            boolean more = tenants.size() > page.limit();
            List<Tenant> entries = more ? tenants.subList(0, page.limit()) : tenants;
            return new Page<>(entries, more ? entries.getLast().name() : "");
        });
    }

    @Override
    public String createToken(String org, String name) {
        check("a token", name);
        byte[] secret = new byte[TOKEN_BYTES];
        random.nextBytes(secret);
        String token = TOKEN_PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(secret);
        int created = pool.asEngine("creating a token of " + org, connection -> {
            try (var statement = connection.prepareStatement(SQL.get("create_token"))) {
                statement.setBytes(1, sha256(token));
                statement.setString(2, name);
                statement.setString(3, org);
                return statement.executeUpdate();
            }
        });
        if (created == 0) {
            throw new IllegalArgumentException("expected an organisation that exists, found none called " + org);
        }
        return token;
    }

    @Override
    public Optional<Tenant> findByToken(String token) {
        return pool.asEngine("looking for a token", connection -> {
            try (var statement = connection.prepareStatement(SQL.get("find_by_token"))) {
                statement.setBytes(1, sha256(token));
                return first(statement);
            }
        });
    }

    @Override
    public List<Token> tokens(String org) {
        return pool.asEngine("listing the tokens of " + org, connection -> {
            List<Token> tokens = new ArrayList<>();
            try (var statement = connection.prepareStatement(SQL.get("tokens"))) {
                statement.setString(1, org);
                try (var found = statement.executeQuery()) {
                    while (found.next()) {
                        Timestamp revoked = found.getTimestamp("revoked_at");
                        tokens.add(new Token(
                                found.getString("org"),
                                found.getString("name"),
                                found.getTimestamp("created_at").toInstant(),
                                revoked == null ? null : revoked.toInstant()));
                    }
                }
            }
            return tokens;
        });
    }

    @Override
    public int revokeTokens(String org, String name) {
        return pool.asEngine("revoking tokens of " + org, connection -> {
            try (var statement = connection.prepareStatement(SQL.get("revoke_tokens"))) {
                statement.setString(1, org);
                statement.setString(2, name);
                return statement.executeUpdate();
            }
        });
    }

    private static Optional<Tenant> first(PreparedStatement statement) throws SQLException {
        try (var found = statement.executeQuery()) {
            return found.next() ? Optional.of(tenant(found)) : Optional.empty();
        }
    }

    private static Tenant tenant(ResultSet found) throws SQLException {
        return new Tenant(
                found.getString("name"),
                found.getInt("shard"),
                found.getTimestamp("created_at").toInstant());
    }

    private static void check(String what, String name) {
        if (name.isBlank() || name.length() > NAME_CHARS_MAX || name.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("expected a name of " + what + " of 1 to " + NAME_CHARS_MAX
                    + " characters, found " + name.length());
        }
    }

    private static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
