package dev.weir.postgres.records;

import dev.weir.core.state.UnitId;
import dev.weir.engine.log.LogChunk;
import dev.weir.engine.log.LogStore;
import dev.weir.engine.log.LogTail;
import dev.weir.engine.request.Unavailable;
import dev.weir.postgres.sql.ConnectionPool;
import dev.weir.postgres.sql.SqlStatements;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Stores the logs of attempts. Each chunk is a small transaction of its own and only few run at once, so that no
 * decision waits for them.
 */
final class PostgresLogStore implements LogStore {
    /** The most chunks written at once. */
    private static final int WRITERS_MAX = 4;

    private static final Duration WAIT_MAX = Duration.ofSeconds(2);
    private static final SqlStatements SQL = SqlStatements.of(PostgresLogStore.class);

    private final ConnectionPool pool;
    private final BiFunction<String, UnitId, Optional<Position>> locator;
    private final Semaphore writers = new Semaphore(WRITERS_MAX);

    /** The position of a step or item in the database. */
    record Position(int org, long run, int step, int item) {
        int bind(PreparedStatement statement) throws SQLException {
            statement.setInt(1, org);
            statement.setLong(2, run);
            statement.setInt(3, step);
            statement.setInt(4, item);
            return 5;
        }
    }

    PostgresLogStore(ConnectionPool pool, BiFunction<String, UnitId, Optional<Position>> locator) {
        this.pool = pool;
        this.locator = locator;
    }

    @Override
    public AppendResult append(String org, LogChunk chunk) {
        Optional<Position> row = locator.apply(org, chunk.unit());
        if (row.isEmpty()) {
            return AppendResult.CLAIM_LOST;
        }
        try {
            if (!writers.tryAcquire(WAIT_MAX.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new Unavailable("too many log writes at once; send the chunk again", WAIT_MAX);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Unavailable("interrupted while waiting to write the log", WAIT_MAX);
        }
        try {
            return pool.runAsEngine(
                    "appending to the log of " + chunk.unit(), connection -> append(connection, row.get(), chunk));
        } finally {
            writers.release();
        }
    }

    private static AppendResult append(Connection connection, Position row, LogChunk chunk) throws SQLException {
        try (var lock = connection.prepareStatement(SQL.get("take_turn"))) {
            lock.setInt(1, row.org);
            lock.setInt(2, row.hashCode());
            lock.execute();
        }
        try (var statement = connection.prepareStatement(SQL.get("log_end"))) {
            statement.setLong(row.bind(statement), chunk.fence());
            try (var found = statement.executeQuery()) {
                if (!found.next()) {
                    return AppendResult.CLAIM_LOST;
                }
                Optional<LogChunk> rest = chunk.after(found.getLong("end_byte"));
                if (rest.isEmpty()) {
                    return AppendResult.REPLAYED;
                }
                var end = new LogEnd(found.getInt("attempts"), found.getInt("chunk"));
                append(connection, row, end, rest.get());
                return AppendResult.KEPT;
            }
        }
    }

    /** The log of a claim so far: its attempt and the number of its chunks. */
    private record LogEnd(int attempt, int chunks) {}

    private static void append(Connection connection, Position row, LogEnd end, LogChunk chunk) throws SQLException {
        int number = end.chunks + 1;
        try (var statement = connection.prepareStatement(SQL.get("append"))) {
            int index = row.bind(statement);
            statement.setLong(index++, chunk.fence());
            statement.setInt(index++, end.attempt);
            statement.setInt(index++, number);
            statement.setLong(index++, chunk.until());
            statement.setString(index, chunk.text());
            statement.executeUpdate();
        }
        if (chunk.until() > BYTES_MAX || number > CHUNKS_MAX) {
            trim(connection, row, chunk, number);
        }
    }

    private static void trim(Connection connection, Position row, LogChunk newest, int number) throws SQLException {
        try (var statement = connection.prepareStatement(SQL.get("trim"))) {
            int index = row.bind(statement);
            statement.setLong(index++, newest.fence());
            statement.setLong(index++, newest.until() - BYTES_MAX);
            statement.setInt(index, number - CHUNKS_MAX);
            statement.executeUpdate();
        }
    }

    @Override
    public LogTail read(String org, UnitId unit, @Nullable Integer attempt, String after) {
        LogTail.Cursor cursor = LogTail.Cursor.of(after);
        Optional<Position> located = locator.apply(org, unit);
        if (located.isEmpty()) {
            return LogTail.of(attempt == null ? 0 : attempt, List.of(), cursor);
        }
        Position row = located.get();
        return pool.runAsRequest("reading the log of " + unit, row.org, connection -> {
            Selection selection = select(connection, row, attempt, cursor);
            return LogTail.of(selection.attempt, readChunks(connection, row, unit, selection, cursor), cursor);
        });
    }

    /** The attempt to read, and the last of its claims. */
    private record Selection(int attempt, long lastFence) {}

    private static Selection select(
            Connection connection, Position row, @Nullable Integer attempt, LogTail.Cursor after) throws SQLException {
        if (attempt != null) {
            return new Selection(attempt, Long.MAX_VALUE);
        }
        if (!after.equals(LogTail.Cursor.BEGINNING)) {
            try (var statement = connection.prepareStatement(SQL.get("next_claim"))) {
                int index = row.bind(statement);
                statement.setLong(index++, after.fence());
                statement.setLong(index, after.until());
                try (var found = statement.executeQuery()) {
                    if (found.next()) {
                        return new Selection(found.getInt("attempt"), found.getLong("fence"));
                    }
                }
            }
        }
        try (var statement = connection.prepareStatement(SQL.get("newest_attempt"))) {
            row.bind(statement);
            try (var found = statement.executeQuery()) {
                return new Selection(found.next() ? found.getInt("attempt") : 0, Long.MAX_VALUE);
            }
        }
    }

    private static List<LogChunk> readChunks(
            Connection connection, Position row, UnitId unit, Selection selection, LogTail.Cursor after)
            throws SQLException {
        List<LogChunk> chunks = new ArrayList<>();
        try (var statement = connection.prepareStatement(SQL.get("chunks"))) {
            int index = row.bind(statement);
            statement.setInt(index++, selection.attempt);
            statement.setLong(index++, after.fence());
            statement.setLong(index++, after.until());
            statement.setLong(index, selection.lastFence);
            try (var found = statement.executeQuery()) {
                while (found.next()) {
                    String text = found.getString("text");
                    long from = found.getLong("end_byte") - text.getBytes(StandardCharsets.UTF_8).length;
                    chunks.add(new LogChunk(unit, found.getLong("fence"), from, text));
                }
            }
        }
        return chunks;
    }
}
