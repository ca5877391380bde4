package dev.weir.postgres.journal;

import dev.weir.core.plan.Plan;
import dev.weir.engine.journal.JournalFailure;
import dev.weir.engine.journal.LoadUnfinished;
import dev.weir.postgres.sql.SqlStatements;
import java.sql.Connection;
import java.sql.SQLException;

/** Reads the rows of organisations with one connection. A quick reader gives up on a large organisation. */
final class OrganisationReader {
    private static final SqlStatements SQL = SqlStatements.of(OrganisationReader.class);

    /** The most rows that a quick load reads: some 0.4 s of work. */
    static final int QUICK_ROWS_MAX = 20_000;
    /** The most characters of definitions that a quick load reads, without the last definition: some 50 ms of CPU. */
    static final int QUICK_DEFINITION_CHARS_MAX = 256 * 1024;

    final Connection connection;
    private final PlanCache plans;
    private final boolean isQuick;
    private int rows;
    private long definitionChars;

    OrganisationReader(Connection connection, PlanCache plans, boolean isQuick) {
        this.connection = connection;
        this.plans = plans;
        this.isQuick = isQuick;
    }

    /** Checks the epoch, and returns the store's time. It must be the first statement of the transaction. */
    long begin(int shard, long epoch) throws SQLException {
        try (var statement = connection.prepareStatement(SQL.get("check_epoch"))) {
            statement.setInt(1, shard);
            statement.setLong(2, epoch);
            try (var found = statement.executeQuery()) {
                if (!found.next()) {
                    throw new JournalFailure.Fenced(
                            "expected shard " + shard + " under epoch " + epoch + ", found a later epoch");
                }
                return found.getLong(1);
            }
        }
    }

    /** Counts a row that was read. */
    void recordRow() {
        rows++;
        if (isQuick && rows > QUICK_ROWS_MAX) {
            throw new LoadUnfinished("expected at most " + QUICK_ROWS_MAX + " rows in a quick load, found more");
        }
    }

    Plan plan(int org, String workflow, int version) throws SQLException {
        return plans.get(org, workflow, version, () -> {
            if (isQuick && definitionChars >= QUICK_DEFINITION_CHARS_MAX) {
                throw new LoadUnfinished("expected definitions of at most " + QUICK_DEFINITION_CHARS_MAX
                        + " characters in a quick load, found more");
            }
            try (var statement = connection.prepareStatement(SQL.get("definition"))) {
                statement.setInt(1, org);
                statement.setString(2, workflow);
                statement.setInt(3, version);
                try (var found = statement.executeQuery()) {
                    String text = found.next() ? found.getString(1) : null;
                    definitionChars += text == null ? 0 : text.length();
                    return text;
                }
            }
        });
    }
}
