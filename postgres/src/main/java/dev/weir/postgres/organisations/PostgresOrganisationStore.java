package dev.weir.postgres.organisations;

import dev.weir.engine.journal.Journal;
import dev.weir.engine.organisations.ApiToken;
import dev.weir.engine.organisations.OrganisationRecord;
import dev.weir.engine.organisations.OrganisationStore;
import dev.weir.engine.records.PageRequest;
import dev.weir.engine.records.RecordPage;
import dev.weir.postgres.sql.ConnectionPool;
import dev.weir.postgres.sql.SqlStatements;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/** Organisations and their tokens in PostgreSQL. */
public final class PostgresOrganisationStore implements OrganisationStore {
    private static final SqlStatements SQL = SqlStatements.of(PostgresOrganisationStore.class);
    private static final String TOKEN_PREFIX = "weir_";
    private static final int TOKEN_BYTES = 32;

    private final ConnectionPool pool;
    private final OrganisationDirectory directory;
    private final SecureRandom random = new SecureRandom();

    public PostgresOrganisationStore(ConnectionPool pool, OrganisationDirectory directory) {
        this.pool = pool;
        this.directory = directory;
    }

    @Override
    public OrganisationRecord createOrganisation(String name) {
        checkName("an organisation", name);
        return pool.runAsEngine("creating organisation " + name, connection -> {
            try (var statement = connection.prepareStatement(SQL.get("create"))) {
                statement.setString(1, name);
                statement.setInt(2, chooseShard(name));
                statement.executeUpdate();
            }
            return find(connection, name).orElseThrow();
        });
    }

    /** Returns the shard of a new organisation. The hash of the name spreads organisations over the shards. */
    private static int chooseShard(String name) {
        return TokenHash.sha256(name)[0] & (Journal.SHARDS - 1);
    }

    @Override
    public Optional<OrganisationRecord> findOrganisation(String name) {
        return pool.runAsEngine("looking for organisation " + name, connection -> find(connection, name));
    }

    private static Optional<OrganisationRecord> find(Connection connection, String name) throws SQLException {
        try (var statement = connection.prepareStatement(SQL.get("find"))) {
            statement.setString(1, name);
            return first(statement);
        }
    }

    @Override
    public RecordPage<OrganisationRecord> list(PageRequest page) {
        return pool.runAsEngine("listing organisations", connection -> {
            List<OrganisationRecord> organisations = new ArrayList<>();
            try (var statement = connection.prepareStatement(SQL.get("list"))) {
                statement.setString(1, page.cursor());
                statement.setInt(2, page.limit() + 1);
                try (var found = statement.executeQuery()) {
                    while (found.next()) {
                        organisations.add(OrganisationDirectory.readOrganisation(found));
                    }
                }
            }
            boolean hasMore = organisations.size() > page.limit();
            List<OrganisationRecord> entries = hasMore ? organisations.subList(0, page.limit()) : organisations;
            return new RecordPage<>(entries, hasMore ? entries.getLast().name() : "");
        });
    }

    @Override
    public String createToken(String org, String name) {
        checkName("a token", name);
        byte[] secret = new byte[TOKEN_BYTES];
        random.nextBytes(secret);
        String token = TOKEN_PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(secret);
        int created = pool.runAsEngine("creating a token of " + org, connection -> {
            try (var statement = connection.prepareStatement(SQL.get("create_token"))) {
                statement.setBytes(1, TokenHash.of(token).bytes());
                statement.setString(2, name);
                statement.setString(3, org);
                return statement.executeUpdate();
            }
        });
        if (created == 0) {
            throw new IllegalArgumentException("organisation not found: " + org);
        }
        return token;
    }

    @Override
    public Optional<OrganisationRecord> findByToken(String token) {
        return directory.findByToken(TokenHash.of(token));
    }

    @Override
    public List<ApiToken> tokens(String org) {
        return pool.runAsEngine("listing the tokens of " + org, connection -> {
            List<ApiToken> tokens = new ArrayList<>();
            try (var statement = connection.prepareStatement(SQL.get("tokens"))) {
                statement.setString(1, org);
                try (var found = statement.executeQuery()) {
                    while (found.next()) {
                        Timestamp revoked = found.getTimestamp("revoked_at");
                        tokens.add(new ApiToken(
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
        return pool.runAsEngine("revoking tokens of " + org, connection -> {
            try (var statement = connection.prepareStatement(SQL.get("revoke_tokens"))) {
                statement.setString(1, org);
                statement.setString(2, name);
                return statement.executeUpdate();
            }
        });
    }

    private static Optional<OrganisationRecord> first(PreparedStatement statement) throws SQLException {
        try (var found = statement.executeQuery()) {
            return found.next() ? Optional.of(OrganisationDirectory.readOrganisation(found)) : Optional.empty();
        }
    }

    private static void checkName(String what, String name) {
        if (name.isBlank() || name.length() > NAME_CHARS_MAX || name.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("expected a name of " + what + " with 1 to " + NAME_CHARS_MAX
                    + " characters, found " + name.length());
        }
    }
}
