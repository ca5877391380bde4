package dev.weir.core.run;

import dev.weir.core.state.Move;
import java.util.ArrayList;
import java.util.List;

/** Collects the moves of the current decision. */
final class MoveCollector {
    private final DecisionBudget budget;
    private List<Move> moves = new ArrayList<>();

    MoveCollector(DecisionBudget budget) {
        this.budget = budget;
    }

    void add(Move move) {
        budget.spend(DecisionBudget.MOVE_COST);
        moves.add(move);
    }

    List<Move> take() {
        List<Move> taken = moves;
        moves = new ArrayList<>();
        return taken;
    }
}
