package dev.weir.testkit.journal;

import dev.weir.core.state.AttentionRows;
import dev.weir.core.state.Move;
import java.util.List;

/** The rows about dead letters that a journal must contain after these moves. */
final class ExpectedAttention {
    private ExpectedAttention() {}

    static AttentionRows of(List<Move> moves) {
        long letters =
                moves.stream().filter(move -> move instanceof Move.DeadLettered).count();
        return new AttentionRows(letters);
    }
}
