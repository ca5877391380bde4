package dev.weir.core.life;

import java.util.ArrayList;
import java.util.List;

/** The moves of the decision under way. */
final class Moves {
    private List<Move> moves = new ArrayList<>();

    void add(Move move) {
        moves.add(move);
    }

    List<Move> take() {
        List<Move> taken = moves;
        moves = new ArrayList<>();
        return taken;
    }
}
