package dev.weir.postgres.journal;

import dev.weir.postgres.sql.SqlStatements;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rows without the run or step they belong to, because somebody deleted it by hand. They would block the whole
 * organisation, so the loader skips them and deletes them.
 */
final class OrphanRows {
    private static final Logger LOG = LoggerFactory.getLogger(OrphanRows.class);
    private static final SqlStatements SQL = SqlStatements.of(OrphanRows.class);
    private static final List<String> WITHOUT_RUN =
            List.of("claims_without_run", "steps_without_run", "signals_without_run");

    private boolean hasRowsWithoutRun;
    private final List<UnitKey> claims = new ArrayList<>();

    /** Records that a step, claim or signal has no live run. */
    void recordRowWithoutRun() {
        hasRowsWithoutRun = true;
    }

    /** Records a claim that has no open step. */
    void addClaimWithoutStep(UnitKey claim) {
        claims.add(claim);
    }

    /** Deletes the orphan rows in the transaction that found them. */
    void delete(Connection connection, int org) throws SQLException {
        int deleted = 0;
        for (String statement : hasRowsWithoutRun ? WITHOUT_RUN : List.<String>of()) {
            deleted += delete(connection, statement, org);
        }
        for (UnitKey claim : claims) {
            deleted += delete(connection, "claims_without_step", org, claim.run(), claim.step(), claim.item());
        }
        if (deleted > 0) {
            LOG.warn("Organisation {} had {} orphan rows; Weir deleted them", org, deleted);
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
