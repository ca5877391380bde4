package dev.weir.postgres.access;

import dev.weir.core.state.Notice;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Locale;

/** Converts rows of notices. */
public final class NoticeRows {
    private NoticeRows() {}

    public static Notice read(ResultSet row) throws SQLException {
        return new Notice(
                row.getLong("number"),
                new Notice.Subject(
                        Notice.Kind.valueOf(row.getString("kind").toUpperCase(Locale.ROOT)), row.getString("subject")),
                Notice.Severity.valueOf(row.getString("severity").toUpperCase(Locale.ROOT)),
                row.getLong("used"),
                row.getLong("max"),
                row.getLong("opened_at"));
    }
}
