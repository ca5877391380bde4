package dev.weir.postgres.organisations;

import dev.weir.core.json.CanonicalJson;
import dev.weir.core.state.Attribution;
import dev.weir.core.state.AuditEntry;
import dev.weir.core.state.Rights;
import dev.weir.engine.journal.Journal;
import dev.weir.engine.organisations.Caller;
import dev.weir.engine.organisations.OrganisationRecord;
import dev.weir.engine.organisations.OrganisationStore;
import dev.weir.engine.organisations.TokenSecret;
import dev.weir.engine.records.PageRequest;
import dev.weir.engine.records.RecordPage;
import dev.weir.postgres.sql.ConnectionPool;
import dev.weir.postgres.sql.SqlStatements;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Organisations and their tokens in PostgreSQL. */
public final class PostgresOrganisationStore implements OrganisationStore {
    private static final SqlStatements SQL = SqlStatements.of(PostgresOrganisationStore.class);

    private static final String NO_RIGHT = "42501";

    private final ConnectionPool pool;
    private final OrganisationDirectory directory;

    public PostgresOrganisationStore(ConnectionPool pool, OrganisationDirectory directory) {
        this.pool = pool;
        this.directory = directory;
    }

    @Override
    public OrganisationRecord createOrganisation(String name) {
        return createOrganisation(name, Attribution.WEIR)
                .or(() -> findOrganisation(name))
                .orElseThrow(() -> new IllegalArgumentException("another organisation had the name " + name));
    }

    @Override
    public Optional<OrganisationRecord> createOrganisation(String name, Attribution by) {
        checkName("an organisation", name);
        return pool.runAsEngine("creating organisation " + name, connection -> {
            try (var statement = connection.prepareStatement(SQL.get("create"))) {
                statement.setString(1, name);
                statement.setInt(2, chooseShard(name));
                if (statement.executeUpdate() == 0) {
                    return Optional.empty();
                }
            }
            AdministrationAudit.append(
                    connection, by, new AuditEntry.Change("create_organisation", "organisation:" + name, null, "{}"));
            return find(connection, name);
        });
    }

    @Override
    public RenameOutcome rename(String name, String newName, Attribution by) {
        checkName("an organisation", newName);
        RenameOutcome outcome = pool.runAsEngine("renaming organisation " + name, connection -> {
            if (!endOwnership(connection, name)) {
                return RenameOutcome.NOT_FOUND;
            }
            AdministrationAudit.lock(connection);
            if (!isFree(connection, newName)) {
                return RenameOutcome.NAME_TAKEN;
            }
            update(connection, "rename", newName, name);
            var change = new AuditEntry.Change(
                    "rename_organisation", "organisation:" + name, nameState(name), nameState(newName));
            AdministrationAudit.append(connection, by, change);
            return RenameOutcome.RENAMED;
        });
        directory.forget(name);
        return outcome;
    }

    /** Ends every ownership of the organisation's shard. Returns false if there is no such organisation. */
    static boolean endOwnership(Connection connection, String name) throws SQLException {
        return update(connection, "end_ownership", name) == 1;
    }

    @Override
    public StarterLogin createStarter(String org, Attribution by) {
        String password = TokenSecret.create().value();
        return pool.runAsEngine("creating a login for " + org, connection -> {
            int number = findNumber(connection, org);
            String login = "weir_starter_" + number;
            try (var statement = connection.prepareStatement(SQL.get("bind_starter"))) {
                statement.setInt(1, number);
                statement.setString(2, login);
                statement.executeUpdate();
            }
            String after =
                    CanonicalJson.text(JsonNodeFactory.instance.objectNode().put("login", login));
            var change = new AuditEntry.Change("create_starter", "organisation:" + org, null, after);
            AdministrationAudit.append(connection, by, change);
            createLogin(connection, login, password);
            return new StarterLogin(login, password);
        });
    }

    private static void createLogin(Connection connection, String login, String password) throws SQLException {
        try (var setting = connection.createStatement();
                var statement = connection.prepareStatement(SQL.get("create_starter"))) {
            setting.execute("set local role none");
            statement.setString(1, login);
            statement.setString(2, password);
            statement.execute();
        } catch (SQLException e) {
            if (NO_RIGHT.equals(e.getSQLState())) {
                throw new IllegalStateException(
                        "the database account of the node may not create logins; grant it"
                                + " CREATEROLE and weir_starter with admin option",
                        e);
            }
            throw e;
        }
    }

    private static String nameState(String name) {
        return CanonicalJson.text(JsonNodeFactory.instance.objectNode().put("name", name));
    }

    private static int update(Connection connection, String sql, String... parameters) throws SQLException {
        try (var statement = connection.prepareStatement(SQL.get(sql))) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setString(i + 1, parameters[i]);
            }
            return statement.executeUpdate();
        }
    }

    private static boolean isFree(Connection connection, String name) throws SQLException {
        try (var statement = connection.prepareStatement(SQL.get("is_free"))) {
            statement.setString(1, name);
            try (var found = statement.executeQuery()) {
                return found.next() && found.getBoolean("free");
            }
        }
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
        TokenSecret token = TokenSecret.create();
        pool.runAsEngine("creating a token of " + org, connection -> {
            int number = findNumber(connection, org);
            String free = name;
            for (int i = 2; !insertToken(connection, number, token, free); i++) {
                free = name + " " + i;
            }
            var change = new AuditEntry.Change(
                    "create_token", "token:" + org + "/" + free, null, CanonicalJson.text(describe(Rights.ALL)));
            AdministrationAudit.append(connection, Attribution.WEIR, change);
            return free;
        });
        return token.value();
    }

    private static ObjectNode describe(Rights rights) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("role", rights.role().word())
                .put("administrator", rights.administrator());
    }

    static int findNumber(Connection connection, String org) throws SQLException {
        try (var statement = connection.prepareStatement(SQL.get("organisation_number"))) {
            statement.setString(1, org);
            try (var found = statement.executeQuery()) {
                if (!found.next()) {
                    throw new IllegalArgumentException("organisation not found: " + org);
                }
                return found.getInt("number");
            }
        }
    }

    private static boolean insertToken(Connection connection, int org, TokenSecret token, String name)
            throws SQLException {
        try (var statement = connection.prepareStatement(SQL.get("create_token"))) {
            statement.setInt(1, org);
            statement.setString(2, token.hash());
            statement.setString(3, name);
            return statement.executeUpdate() == 1;
        }
    }

    @Override
    public Optional<Caller> findByToken(String token) {
        return directory.findByToken(TokenHash.of(token));
    }

    @Override
    public void recordUses(Collection<String> tokensAndSessions) {
        String[] hashes = tokensAndSessions.stream()
                .map(secret -> TokenHash.of(secret).hex())
                .toArray(String[]::new);
        pool.runAsEngine("recording the use of tokens", connection -> {
            try (var statement = connection.prepareStatement(SQL.get("record_uses"))) {
                statement.setArray(1, connection.createArrayOf("text", hashes));
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
