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
    private final PostgresShardOwnership tenure;
    private final Map<Integer, String> names = new HashMap<>();
    private @Nullable RowWrites made;

    PostgresPreparedWrites(Map<String, List<Move>> moves, PostgresShardOwnership tenure) {
        this.moves = moves;
        this.tenure = tenure;
    }

    @Override
    public Map<String, List<Move>> moves() {
        return moves;
    }

    /** Returns the name of the organisation with that number, which must be part of these writes. */
    String name(int org) {
        return String.valueOf(names.get(org));
    }

    /** Makes the rows now if no query is needed; otherwise leaves that to the transaction. */
    void makeAhead() {
        try {
            if (tenure.knows(moves.keySet())) {
                made = make();
            }
        } catch (SQLException | RuntimeException | StackOverflowError e) {
            // The transaction makes the rows again when it writes them, and reports the error.
            made = null;
        }
        if (made == null) {
            // These rows may be made after the rows of a later decision, which must not rely on them.
            moves.values().forEach(all -> all.forEach(PostgresPreparedWrites::relyOnNothing));
        }
    }

    private static void relyOnNothing(Move move) {
        if (move instanceof Move.OfRun of) {
            of.ref().hasStepsApart();
            of.ref().hasClaimsApart();
            of.ref().hasClaimsWithin();
        }
    }

    boolean isMade() {
        return made != null;
    }

    /** Returns the rows. Must be called within the transaction that writes them, because it may query. */
    RowWrites rows() throws SQLException {
        if (made == null) {
            made = make();
        }
        return made;
    }

    /** Records that the writes are committed. */
    void committed() {
        if (made != null) {
            made.committed();
        }
    }

    private RowWrites make() throws SQLException {
        var writes = new RowWrites(tenure.mayCopy, tenure::pages);
        for (var each : moves.entrySet()) {
            int org = tenure.number(each.getKey());
            names.put(org, each.getKey());
            var images = new RowChanges(org);
            each.getValue().forEach(images::apply);
            images.addTo(writes);
        }
        return writes;
    }
}
