package dev.weir.postgres.organisations;

import dev.weir.core.state.Attribution;
import dev.weir.core.state.AuditEntry;
import dev.weir.core.state.AuditHead;
import dev.weir.postgres.access.AuditRows;
import dev.weir.postgres.sql.SqlStatements;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Appends to the audit of the node's administration, in the transaction that makes the change. */
final class AdministrationAudit {
    private static final SqlStatements SQL = SqlStatements.of(AdministrationAudit.class);

    private AdministrationAudit() {}

    /** Waits for every other writer of the chain. */
    static void lock(Connection connection) throws SQLException {
        try (var lock = connection.prepareStatement(SQL.get("lock_administration"))) {
            lock.execute();
        }
    }

    static void append(Connection connection, Attribution by, AuditEntry.Change change) throws SQLException {
        lock(connection);
        try (var head = connection.prepareStatement(SQL.get("administration_head"));
                var found = head.executeQuery();
                var insert = connection.prepareStatement(SQL.get("append"))) {
            found.next();
            String hash = found.getString("hash");
            var last = hash == null ? AuditHead.EMPTY : new AuditHead(found.getLong("number"), hash);
            AuditEntry entry = AuditEntry.after(last, by, change, found.getLong("now"));
            @Nullable Object[] columns = AuditRows.columns(AuditRows.ADMINISTRATION, entry);
            for (int i = 0; i < columns.length; i++) {
                insert.setObject(i + 1, columns[i]);
            }
            insert.executeUpdate();
        }
    }
}
