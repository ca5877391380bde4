package dev.weir.postgres;

import dev.weir.engine.request.StartRequest;
import dev.weir.postgres.json.StartJson;
import dev.weir.postgres.sql.SqlStatements;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * Starts runs from within a program's own transaction on the same database: the run starts only if that transaction
 * commits. The program's user must be a member of {@code weir_starter}, and may then leave starts for every
 * organisation.
 */
public final class Inbox {
    private static final SqlStatements SQL = SqlStatements.of(Inbox.class);

    private Inbox() {}

    /** Leaves a start in the inbox. This method neither commits nor validates it. */
    public static void startIn(Connection connection, String org, StartRequest request) throws SQLException {
        try (var statement = connection.prepareStatement(SQL.get("start"))) {
            statement.setString(1, StartJson.text(request));
            statement.setString(2, org);
            if (statement.executeUpdate() == 0) {
                throw new IllegalArgumentException("organisation not found: " + org);
            }
        }
    }
}
