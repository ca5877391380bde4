package dev.weir.postgres.journal;

import dev.weir.core.plan.Plan;
import dev.weir.engine.journal.JournalFailure;
import dev.weir.engine.journal.LoadAllowance;
import dev.weir.engine.journal.LoadUnfinished;
import dev.weir.postgres.sql.SqlStatements;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Reads the rows of organisations with one connection. A quick reader gives up on a large organisation. */
final class OrganisationReader {
    private static final SqlStatements SQL = SqlStatements.of(OrganisationReader.class);

    /** The most rows that a quick load reads: some 0.4 s of work. */
    static final int QUICK_ROWS_MAX = 20_000;
    /** The most characters of definitions that a quick load reads, without the last definition: some 50 ms of CPU. */
    static final int QUICK_DEFINITION_CHARS_MAX = 256 * 1024;

    /** The most memory that a quick load takes. */
    static final long QUICK_BYTES_MAX = 64L * 1024 * 1024;
    /** The memory that is taken for a row without its data: the objects that stand for it while it is read. */
    private static final long ROW_BYTES = 1_024;
    /** The memory that is taken for each byte of data: its text, and the values that are read from it. */
    private static final long DATA_FACTOR = 4;
    /** The memory that is taken at once, so that a load seldom asks for it. */
    private static final long TAKEN_AT_ONCE = 1024 * 1024;

    final Connection connection;
    private final PlanCache plans;
    private final boolean isQuick;
    private final LoadAllowance memory;
    private int rows;
    private long bytes;
    private long untakenBytes;
    private long definitionChars;

    OrganisationReader(Connection connection, PlanCache plans, boolean isQuick, LoadAllowance memory) {
        this.connection = connection;
        this.plans = plans;
        this.isQuick = isQuick;
        this.memory = memory;
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

    /** Counts a row that was read, and takes memory for it. */
    void recordRow(ResultSet row) throws SQLException {
        rows++;
        long size = ROW_BYTES + DATA_FACTOR * dataBytes(row);
        bytes += size;
        untakenBytes += size;
        if (untakenBytes >= TAKEN_AT_ONCE) {
            memory.take(untakenBytes);
            untakenBytes = 0;
        }
        if (isQuick && bytes > QUICK_BYTES_MAX) {
            throw new LoadUnfinished("expected at most " + QUICK_BYTES_MAX + " bytes in a quick load, found more");
        }
        if (isQuick && rows > QUICK_ROWS_MAX) {
            throw new LoadUnfinished("expected at most " + QUICK_ROWS_MAX + " rows in a quick load, found more");
        }
    }

    /** Returns the size of a row's values as they were received. They are not copied. */
    private static long dataBytes(ResultSet row) throws SQLException {
        long size = 0;
        for (int column = row.getMetaData().getColumnCount(); column > 0; column--) {
            byte[] value = row.getBytes(column);
            size += value == null ? 0 : value.length;
        }
        return size;
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
