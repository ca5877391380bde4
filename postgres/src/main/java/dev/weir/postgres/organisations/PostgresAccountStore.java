package dev.weir.postgres.organisations;

import dev.weir.core.json.CanonicalJson;
import dev.weir.core.state.Attribution;
import dev.weir.core.state.AuditEntry;
import dev.weir.core.state.ExecutionCounts;
import dev.weir.engine.organisations.TokenSecret;
import dev.weir.engine.records.AccountStore;
import dev.weir.engine.records.QuotaChange;
import dev.weir.engine.records.QuotaRecord;
import dev.weir.engine.records.ReaderLogin;
import dev.weir.postgres.sql.ConnectionPool;
import dev.weir.postgres.sql.SqlStatements;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Totals, quotas and reading logins of organisations in PostgreSQL. */
public final class PostgresAccountStore implements AccountStore {
    private static final SqlStatements SQL = SqlStatements.of(PostgresAccountStore.class);
    private static final String NO_RIGHT = "42501";
    private static final String JDBC = "jdbc:postgresql://";

    private final ConnectionPool pool;
    private final OrganisationDirectory directory;

    public PostgresAccountStore(ConnectionPool pool, OrganisationDirectory directory) {
        this.pool = pool;
        this.directory = directory;
    }

    private int number(String org) {
        return directory
                .findByName(org)
                .orElseThrow(() -> new IllegalArgumentException("organisation not found: " + org))
                .number();
    }

    /** Reads one row. */
    @FunctionalInterface
    private interface RowReader<T> {
        T read(ResultSet found) throws SQLException;
    }

    private static <T> T readRow(Connection connection, String name, int org, RowReader<T> reader) throws SQLException {
        try (var statement = connection.prepareStatement(SQL.get(name))) {
            statement.setInt(1, org);
            try (ResultSet found = statement.executeQuery()) {
                found.next();
                return reader.read(found);
            }
        }
    }

    private static int execute(Connection connection, String name, @Nullable Object... parameters) throws SQLException {
        try (var statement = connection.prepareStatement(SQL.get(name))) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setObject(i + 1, parameters[i]);
            }
            return statement.execute() ? 0 : statement.getUpdateCount();
        }
    }

    @Override
    public ExecutionCounts counts(String org) {
        int number = number(org);
        return pool.runAsRequest(
                "reading the totals of " + org,
                number,
                connection -> readRow(
                        connection,
                        "counts",
                        number,
                        found -> new ExecutionCounts(
                                found.getLong("started"),
                                found.getLong("deferred"),
                                found.getLong("debounced"),
                                found.getLong("cascade_detected"))));
    }

    @Override
    public QuotaRecord quota(String org) {
        int number = number(org);
        return pool.runAsRequest("reading the quota of " + org, number, connection -> readQuota(connection, number));
    }

    private static QuotaRecord readQuota(Connection connection, int org) throws SQLException {
        return readRow(connection, "quota", org, PostgresAccountStore::quota);
    }

    private static QuotaRecord quota(ResultSet found) throws SQLException {
        Instant resetAt = found.getObject("reset_at", OffsetDateTime.class).toInstant();
        return new QuotaRecord(
                found.getObject("quota", Long.class), found.getLong("used"), found.getString("time_zone"), resetAt);
    }

    @Override
    public QuotaRecord changeQuota(String org, QuotaChange change, Attribution by) {
        return pool.runAsEngine("setting the quota of " + org, connection -> {
            int number = PostgresOrganisationStore.findNumber(connection, org);
            QuotaRecord before = readQuota(connection, number);
            execute(connection, "change_quota", number, change.limit(), change.timeZone());
            QuotaRecord after = readQuota(connection, number);
            String old = describe(before);
            if (!old.equals(describe(after))) {
                var entry = new AuditEntry.Change("change_quota", "organisation:" + org, old, describe(after));
                AdministrationAudit.append(connection, by, entry);
            }
            return after;
        });
    }

    private static String describe(QuotaRecord quota) {
        ObjectNode json = JsonNodeFactory.instance.objectNode().put("time_zone", quota.timeZone());
        return CanonicalJson.text(json.put("workflow_executions", quota.limit()));
    }

    @Override
    public ReaderLogin createReader(String org, Attribution by) {
        String password = TokenSecret.create().value();
        return pool.runAsEngine("creating a login for " + org, connection -> {
            int number = PostgresOrganisationStore.findNumber(connection, org);
            String login = "weir_reader_" + number;
            boolean isNew = execute(connection, "bind_reader", number, login) == 1;
            ObjectNode after =
                    JsonNodeFactory.instance.objectNode().put("login", login).put("at", now(connection));
            var entry = new AuditEntry.Change(
                    "create_reader", "organisation:" + org, isNew ? null : "{}", CanonicalJson.text(after));
            AdministrationAudit.append(connection, by, entry);
            try {
                createLogin(connection, login, password);
            } catch (SQLException e) {
                if (NO_RIGHT.equals(e.getSQLState())) {
                    throw new LoginRefused(missingRight(connection, e));
                }
                throw e;
            }
            return new ReaderLogin(login, password, database(connection));
        });
    }

    private static String now(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                ResultSet found = statement.executeQuery(SQL.get("now"))) {
            found.next();
            return found.getObject(1, OffsetDateTime.class).toInstant().toString();
        }
    }

    /** Creates the login with the rights of the node's own account. The server never sees the password in plain text. */
    private static void createLogin(Connection connection, String login, String password) throws SQLException {
        execute(connection, "act_as_account");
        execute(connection, "create_login", login);
        connection.unwrap(PGConnection.class).alterUserPassword(login, password.toCharArray(), "scram-sha-256");
    }

    private static String missingRight(Connection connection, SQLException e) throws SQLException {
        String account = connection.getMetaData().getUserName();
        return "expected a database account that may create logins, found " + account + " (" + e.getMessage()
                + "): run ALTER ROLE " + account + " CREATEROLE and GRANT weir_reader TO " + account
                + " WITH ADMIN OPTION as a superuser, and try again";
    }

    /** Returns host, port and name of the database, without parameters, which may contain a password. */
    private static String database(Connection connection) throws SQLException {
        String url = connection.getMetaData().getURL();
        int parameters = url.indexOf('?');
        String address = parameters < 0 ? url : url.substring(0, parameters);
        return address.startsWith(JDBC) ? address.substring(JDBC.length()) : address;
    }
}
