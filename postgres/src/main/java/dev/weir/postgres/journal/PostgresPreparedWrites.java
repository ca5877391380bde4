package dev.weir.postgres.journal;

import dev.weir.core.state.Move;
import dev.weir.engine.journal.PreparedWrites;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The moves of a batch and the rows they become. The rows are made before the transaction if that needs no query, and
 * within the transaction otherwise.
 */
final class PostgresPreparedWrites implements PreparedWrites {
    private final Map<String, List<Move>> moves;
    private final PostgresShardOwnership ownership;
    private final Map<Integer, String> names = new HashMap<>();
    private @Nullable RowWrites rows;

    PostgresPreparedWrites(Map<String, List<Move>> moves, PostgresShardOwnership ownership) {
        this.moves = moves;
        this.ownership = ownership;
    }

    @Override
    public Map<String, List<Move>> moves() {
        return moves;
    }

    /** Returns the name of the organisation with that number, which must be part of these writes. */
    String organisationName(int org) {
        return String.valueOf(names.get(org));
    }

    /** Makes the rows now if no query is needed; otherwise leaves that to the transaction. */
    void prepare() {
        try {
            if (ownership.knowsNumbersOf(moves.keySet())) {
                rows = makeRows();
            }
        } catch (SQLException | RuntimeException | StackOverflowError e) {
            // The transaction makes the rows again when it writes them, and reports the error.
            rows = null;
        }
        if (rows == null) {
            // These rows may be made after the rows of a later decision, which must not rely on them.
            moves.values().forEach(all -> all.forEach(PostgresPreparedWrites::assumeAnyPlacement));
        }
    }

    private static void assumeAnyPlacement(Move move) {
        if (move instanceof Move.OfRun runMove) {
            runMove.ref().markStepRows();
            runMove.ref().markClaimRows();
            runMove.ref().markEmbeddedClaims();
        }
    }

    boolean isPrepared() {
        return rows != null;
    }

    /** Returns the rows. Must be called within the transaction that writes them, because it may query. */
    RowWrites rows() throws SQLException {
        if (rows == null) {
            rows = makeRows();
        }
        return rows;
    }

    /** Records that the writes are committed. */
    void markCommitted() {
        if (rows != null) {
            rows.markCommitted();
        }
    }

    private RowWrites makeRows() throws SQLException {
        var writes = new RowWrites(ownership.canCopy, ownership::pages);
        for (var each : moves.entrySet()) {
            int org = ownership.number(each.getKey());
            names.put(org, each.getKey());
            var changes = new RowChanges(org);
            each.getValue().forEach(changes::apply);
            changes.addTo(writes);
        }
        return writes;
    }
}
