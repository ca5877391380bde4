package dev.weir.postgres.journal;

import dev.weir.core.life.Move;
import dev.weir.engine.journal.Draft;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What was decided, as the rows that say so. They are made beforehand where nothing has to be asked for that, and else
 * within the transaction.
 */
final class PostgresDraft implements Draft {
    private final Map<String, List<Move>> moves;
    private final PostgresTenure tenure;
    private final Map<Integer, String> names = new HashMap<>();
    private @Nullable Writes made;

    PostgresDraft(Map<String, List<Move>> moves, PostgresTenure tenure) {
        this.moves = moves;
        this.tenure = tenure;
    }

    @Override
    public Map<String, List<Move>> moves() {
        return moves;
    }

    /** The organisation with that number, of those that it is about. */
    String name(int org) {
        return String.valueOf(names.get(org));
    }

    /** Makes the rows with what is at hand, or leaves it. */
    void makeAhead() {
        try {
            if (tenure.knows(moves.keySet())) {
                made = make();
            }
        } catch (SQLException | RuntimeException | StackOverflowError e) {
            // It will be tried again when it is written, and what is wrong with it be told.
            made = null;
        }
        if (made == null) {
            // They may be made after those of what was decided later, which must not rely on them.
            moves.values().forEach(all -> all.forEach(PostgresDraft::relyOnNothing));
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

    /** The rows; within the transaction that writes them. */
    Writes rows() throws SQLException {
        if (made == null) {
            made = make();
        }
        return made;
    }

    /** What was written is committed. */
    void committed() {
        if (made != null) {
            made.committed();
        }
    }

    private Writes make() throws SQLException {
        var writes = new Writes(tenure.mayCopy, tenure::sheets);
        for (var each : moves.entrySet()) {
            int org = tenure.number(each.getKey());
            names.put(org, each.getKey());
            var images = new Images(org);
            each.getValue().forEach(images::apply);
            images.addTo(writes);
        }
        return writes;
    }
}
