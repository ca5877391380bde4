package dev.weir.postgres.access;

import dev.weir.core.state.Attribution;
import dev.weir.core.state.AuditEntry;
import dev.weir.core.state.ChangeOrigin;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Converts entries of the audit to rows and back. */
public final class AuditRows {
    /** The number that stands for the administration of the node instead of an organisation. */
    public static final int ADMINISTRATION = 0;

    private AuditRows() {}

    /** Returns the columns of a row, in the order of the statement that inserts it. */
    public static @Nullable Object[] columns(int org, AuditEntry entry) {
        Attribution by = entry.by();
        AuditEntry.Change change = entry.change();
        return new @Nullable Object[] {
            org,
            entry.number(),
            entry.at(),
            by.actor(),
            by.origin().word(),
            by.requestId(),
            by.reason(),
            change.action(),
            change.target(),
            change.before(),
            change.after(),
            entry.previousHash(),
            entry.hash()
        };
    }

    /** Reads a row as it is. An origin that Weir never writes makes the entry differ from its hash. */
    public static AuditEntry read(ResultSet row) throws SQLException {
        ChangeOrigin origin = ChangeOrigin.find(row.getString("origin")).orElse(ChangeOrigin.WEIR);
        boolean isKnown = origin.word().equals(row.getString("origin"));
        return new AuditEntry(
                row.getLong("number"),
                row.getLong("at"),
                new Attribution(row.getString("actor"), origin, row.getString("request_id"), row.getString("reason")),
                new AuditEntry.Change(
                        row.getString("action"),
                        row.getString("target"),
                        row.getString("before"),
                        row.getString("after")),
                row.getString("previous_hash"),
                isKnown ? row.getString("hash") : "");
    }
}
