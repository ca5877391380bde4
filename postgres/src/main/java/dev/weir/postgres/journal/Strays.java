package dev.weir.postgres.journal;

import dev.weir.postgres.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rows that were found where nothing is that they belong to, because somebody has deleted that by hand. They would be in
 * the way of everything else of their organisation, and so are left out and deleted.
 */
final class Strays {
    private static final Logger LOG = LoggerFactory.getLogger(Strays.class);
    private static final Sql SQL = Sql.of(Strays.class);
    private static final List<String> WITHOUT_RUN =
            List.of("claims_without_run", "steps_without_run", "signals_without_run");

    private boolean anyWithoutRun;
    private final List<UnitKey> claims = new ArrayList<>();

    /** A step, a claim or a signal of no run that lives. */
    void withoutRun() {
        anyWithoutRun = true;
    }

    /** A claim of no step that is open. */
    void withoutStep(UnitKey claim) {
        claims.add(claim);
    }

    /** Deletes them, in the transaction that has found them. */
    void delete(Connection connection, int org) throws SQLException {
        int deleted = 0;
        for (String statement : anyWithoutRun ? WITHOUT_RUN : List.<String>of()) {
            deleted += delete(connection, statement, org);
        }
        for (UnitKey claim : claims) {
            deleted += delete(connection, "claims_without_step", org, claim.run(), claim.step(), claim.item());
        }
        if (deleted > 0) {
            LOG.warn("organisation {} had {} rows that belonged to nothing; they were deleted", org, deleted);
        }
    }

    private static int delete(Connection connection, String name, Object... parameters) throws SQLException {
        try (var statement = connection.prepareStatement(SQL.get(name))) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setObject(i + 1, parameters[i]);
            }
            return statement.executeUpdate();
        }
    }
}
