package dev.weir.postgres.records;

import dev.weir.core.life.UnitId;
import dev.weir.engine.Unavailable;
import dev.weir.engine.log.Logs;
import dev.weir.engine.log.Piece;
import dev.weir.engine.log.Said;
import dev.weir.postgres.sql.Pool;
import dev.weir.postgres.sql.Sql;
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

/** Keeps what tries say, in small transactions of their own, few at once: nothing that is decided waits for them. */
final class PostgresLogs implements Logs {
    /** Pieces that are written at once. */
    private static final int WRITERS_MAX = 4;

    private static final Duration WAIT_MAX = Duration.ofSeconds(2);
    private static final Sql SQL = Sql.of(PostgresLogs.class);

    private final Pool pool;
    private final BiFunction<String, UnitId, Optional<Row>> locate;
    private final Semaphore writers = new Semaphore(WRITERS_MAX);

    /** Where a step or item is found in rows. */
    record Row(int org, long run, int step, int item) {
        int set(PreparedStatement statement) throws SQLException {
            statement.setInt(1, org);
            statement.setLong(2, run);
            statement.setInt(3, step);
            statement.setInt(4, item);
            return 5;
        }
    }

    PostgresLogs(Pool pool, BiFunction<String, UnitId, Optional<Row>> locate) {
        this.pool = pool;
        this.locate = locate;
    }

    @Override
    public Kept append(String org, Piece piece) {
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

    private static Kept append(Connection connection, Row row, Piece piece) throws SQLException {
        try (var turn = connection.prepareStatement(SQL.get("take_turn"))) {
            turn.setInt(1, row.org);
            turn.setInt(2, row.hashCode());
            turn.execute();
        }
        try (var statement = connection.prepareStatement(SQL.get("said_before"))) {
            statement.setLong(row.set(statement), piece.fence());
            try (var found = statement.executeQuery()) {
                if (!found.next()) {
                    return Kept.CLAIM_LOST;
                }
                Optional<Piece> rest = piece.after(found.getLong("until_byte"));
                if (rest.isEmpty()) {
                    return Kept.REPLAYED;
                }
                var before = new Before(found.getInt("attempts"), found.getInt("piece"));
                append(connection, row, before, rest.get());
                return Kept.KEPT;
            }
        }
    }

    /** What a claim has said so far: in which try, and in how many pieces. */
    private record Before(int attempt, int pieces) {}

    private static void append(Connection connection, Row row, Before before, Piece piece) throws SQLException {
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

    private static void trim(Connection connection, Row row, Piece newest, int number) throws SQLException {
        try (var statement = connection.prepareStatement(SQL.get("trim"))) {
            int at = row.set(statement);
            statement.setLong(at++, newest.fence());
            statement.setLong(at++, newest.until() - BYTES_MAX);
            statement.setInt(at, number - PIECES_MAX);
            statement.executeUpdate();
        }
    }

    @Override
    public Said read(String org, UnitId unit, @Nullable Integer attempt, String after) {
        Said.Cursor cursor = Said.Cursor.of(after);
        Optional<Row> located = locate.apply(org, unit);
        if (located.isEmpty()) {
            return Said.of(attempt == null ? 0 : attempt, List.of(), cursor);
        }
        Row row = located.get();
        return pool.asRequest("reading what " + unit + " has said", row.org, connection -> {
            int chosen = attempt == null ? newestAttempt(connection, row) : attempt;
            return Said.of(chosen, pieces(connection, row, unit, chosen, cursor), cursor);
        });
    }

    private static int newestAttempt(Connection connection, Row row) throws SQLException {
        try (var statement = connection.prepareStatement(SQL.get("newest_attempt"))) {
            row.set(statement);
            try (var found = statement.executeQuery()) {
                found.next();
                return found.getInt(1);
            }
        }
    }

    private static List<Piece> pieces(Connection connection, Row row, UnitId unit, int attempt, Said.Cursor after)
            throws SQLException {
        List<Piece> pieces = new ArrayList<>();
        try (var statement = connection.prepareStatement(SQL.get("pieces"))) {
            int at = row.set(statement);
            statement.setInt(at++, attempt);
            statement.setLong(at++, after.fence());
            statement.setLong(at, after.until());
            try (var found = statement.executeQuery()) {
                while (found.next()) {
                    String text = found.getString("text");
                    long from = found.getLong("until_byte") - text.getBytes(StandardCharsets.UTF_8).length;
                    pieces.add(new Piece(unit, found.getLong("fence"), from, text));
                }
            }
        }
        return pieces;
    }
}
