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
    private final BiFunction<String, UnitId, Optional<Row>> locate;
    private final Semaphore writers = new Semaphore(WRITERS_MAX);

    /** The position of a step or item in the database. */
    record Row(int org, long run, int step, int item) {
        int set(PreparedStatement statement) throws SQLException {
            statement.setInt(1, org);
            statement.setLong(2, run);
            statement.setInt(3, step);
            statement.setInt(4, item);
            return 5;
        }
    }

    PostgresLogStore(ConnectionPool pool, BiFunction<String, UnitId, Optional<Row>> locate) {
        this.pool = pool;
        this.locate = locate;
    }

    @Override
    public Kept append(String org, LogChunk piece) {
        Optional<Row> row = locate.apply(org, piece.unit());
        if (row.isEmpty()) {
            return Kept.CLAIM_LOST;
        }
        try {
            if (!writers.tryAcquire(WAIT_MAX.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new Unavailable("very much is being logged; say it again later", WAIT_MAX);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Unavailable("interrupted while others log", WAIT_MAX);
        }
        try {
            return pool.asEngine(
                    "keeping what " + piece.unit() + " says", connection -> append(connection, row.get(), piece));
        } finally {
            writers.release();
        }
    }

    private static Kept append(Connection connection, Row row, LogChunk piece) throws SQLException {
        try (var turn = connection.prepareStatement(SQL.get("take_turn"))) {
            turn.setInt(1, row.org);
            turn.setInt(2, row.hashCode());
            turn.execute();
        }
        try (var statement = connection.prepareStatement(SQL.get("log_end"))) {
            statement.setLong(row.set(statement), piece.fence());
            try (var found = statement.executeQuery()) {
                if (!found.next()) {
                    return Kept.CLAIM_LOST;
                }
                Optional<LogChunk> rest = piece.after(found.getLong("end_byte"));
                if (rest.isEmpty()) {
                    return Kept.REPLAYED;
                }
                var before = new Before(found.getInt("attempts"), found.getInt("chunk"));
                append(connection, row, before, rest.get());
                return Kept.KEPT;
            }
        }
    }

    /** The log of a claim so far: its attempt and the number of its chunks. */
    private record Before(int attempt, int pieces) {}

    private static void append(Connection connection, Row row, Before before, LogChunk piece) throws SQLException {
        int number = before.pieces + 1;
        try (var statement = connection.prepareStatement(SQL.get("append"))) {
            int at = row.set(statement);
            statement.setLong(at++, piece.fence());
            statement.setInt(at++, before.attempt);
            statement.setInt(at++, number);
            statement.setLong(at++, piece.until());
            statement.setString(at, piece.text());
            statement.executeUpdate();
        }
        if (piece.until() > BYTES_MAX || number > PIECES_MAX) {
            trim(connection, row, piece, number);
        }
    }

    private static void trim(Connection connection, Row row, LogChunk newest, int number) throws SQLException {
        try (var statement = connection.prepareStatement(SQL.get("trim"))) {
            int at = row.set(statement);
            statement.setLong(at++, newest.fence());
            statement.setLong(at++, newest.until() - BYTES_MAX);
            statement.setInt(at, number - PIECES_MAX);
            statement.executeUpdate();
        }
    }

    @Override
    public LogTail read(String org, UnitId unit, @Nullable Integer attempt, String after) {
        LogTail.Cursor cursor = LogTail.Cursor.of(after);
        Optional<Row> located = locate.apply(org, unit);
        if (located.isEmpty()) {
            return LogTail.of(attempt == null ? 0 : attempt, List.of(), cursor);
        }
        Row row = located.get();
        return pool.asRequest("reading what " + unit + " has said", row.org, connection -> {
            Selection selection = select(connection, row, attempt, cursor);
            return LogTail.of(selection.attempt, pieces(connection, row, unit, selection, cursor), cursor);
        });
    }

    /** The attempt to read, and the last of its claims. */
    private record Selection(int attempt, long lastFence) {}

    private static Selection select(Connection connection, Row row, @Nullable Integer attempt, LogTail.Cursor after)
            throws SQLException {
        if (attempt != null) {
            return new Selection(attempt, Long.MAX_VALUE);
        }
        if (!after.equals(LogTail.Cursor.BEGINNING)) {
            try (var statement = connection.prepareStatement(SQL.get("next_claim"))) {
                int at = row.set(statement);
                statement.setLong(at++, after.fence());
                statement.setLong(at, after.until());
                try (var found = statement.executeQuery()) {
                    if (found.next()) {
                        return new Selection(found.getInt("attempt"), found.getLong("fence"));
                    }
                }
            }
        }
        try (var statement = connection.prepareStatement(SQL.get("newest_attempt"))) {
            row.set(statement);
            try (var found = statement.executeQuery()) {
                return new Selection(found.next() ? found.getInt("attempt") : 0, Long.MAX_VALUE);
            }
        }
    }

    private static List<LogChunk> pieces(
            Connection connection, Row row, UnitId unit, Selection selection, LogTail.Cursor after)
            throws SQLException {
        List<LogChunk> pieces = new ArrayList<>();
        try (var statement = connection.prepareStatement(SQL.get("chunks"))) {
            int at = row.set(statement);
            statement.setInt(at++, selection.attempt);
            statement.setLong(at++, after.fence());
            statement.setLong(at++, after.until());
            statement.setLong(at, selection.lastFence);
            try (var found = statement.executeQuery()) {
                while (found.next()) {
                    String text = found.getString("text");
                    long from = found.getLong("end_byte") - text.getBytes(StandardCharsets.UTF_8).length;
                    pieces.add(new LogChunk(unit, found.getLong("fence"), from, text));
                }
            }
        }
        return pieces;
    }
}
