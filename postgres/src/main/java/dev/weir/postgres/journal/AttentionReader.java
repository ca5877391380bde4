package dev.weir.postgres.journal;

import dev.weir.core.state.AttentionRows;
import dev.weir.core.state.Notice;
import dev.weir.postgres.access.NoticeRows;
import dev.weir.postgres.sql.SqlStatements;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Reads what of dead letters and notices must be in memory: their last numbers, a count, and the open notices. */
final class AttentionReader {
    private static final SqlStatements SQL = SqlStatements.of(AttentionReader.class);

    private final Connection connection;
    private final int org;

    AttentionReader(Connection connection, int org) {
        this.connection = connection;
        this.org = org;
    }

    /** Reads the rows of the organisation whose own row is given. */
    AttentionRows read(ResultSet organisation) throws SQLException {
        return new AttentionRows(
                organisation.getLong("last_dead_letter"),
                openDeadLetters(),
                organisation.getLong("last_notice"),
                openNotices());
    }

    private long openDeadLetters() throws SQLException {
        try (var statement = connection.prepareStatement(SQL.get("open_dead_letters"))) {
            statement.setInt(1, org);
            statement.setInt(2, AttentionRows.OPEN_COUNTED_MAX);
            try (var found = statement.executeQuery()) {
                found.next();
                return found.getLong(1);
            }
        }
    }

    private List<Notice> openNotices() throws SQLException {
        List<Notice> notices = new ArrayList<>();
        try (var statement = connection.prepareStatement(SQL.get("open_notices"))) {
            statement.setInt(1, org);
            try (var found = statement.executeQuery()) {
                while (found.next()) {
                    notices.add(NoticeRows.read(found));
                }
            }
        }
        return notices;
    }
}
