package dev.weir.postgres.journal;

import dev.weir.core.state.SecretRow;
import dev.weir.core.state.StopRows;
import dev.weir.core.state.Suspension;
import dev.weir.core.state.WorkflowAvailability;
import dev.weir.postgres.sql.SqlStatements;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/** Reads what of an organisation must not start, and the names of its secrets. */
final class StoredStops {
    private static final SqlStatements SQL = SqlStatements.of(StoredStops.class);

    private StoredStops() {}

    static SortedMap<String, SecretRow> readSecrets(Connection connection, int org) throws SQLException {
        SortedMap<String, SecretRow> secrets = new TreeMap<>();
        try (var statement = connection.prepareStatement(SQL.get("secrets"))) {
            statement.setInt(1, org);
            try (var found = statement.executeQuery()) {
                while (found.next()) {
                    var secret = new SecretRow(
                            found.getString("name"),
                            found.getInt("version"),
                            found.getString("key_id"),
                            found.getLong("changed_at"));
                    secrets.put(secret.name(), secret);
                }
            }
        }
        return secrets;
    }

    /**
     * Reads the rows.
     *
     * @param organisation the organisation's own row
     */
    static StopRows read(Connection connection, int org, ResultSet organisation) throws SQLException {
        long suspendedAt = organisation.getLong("suspended_at");
        Suspension suspension = organisation.wasNull()
                ? null
                : new Suspension(
                        suspendedAt, Objects.requireNonNullElse(organisation.getString("suspension_reason"), ""));
        SortedMap<String, WorkflowAvailability> workflows = new TreeMap<>();
        try (var statement = connection.prepareStatement(SQL.get("workflow_availability"))) {
            statement.setInt(1, org);
            try (var found = statement.executeQuery()) {
                while (found.next()) {
                    workflows.put(found.getString("workflow"), WorkflowAvailability.of(found.getString("state")));
                }
            }
        }
        return new StopRows(suspension, workflows);
    }
}
