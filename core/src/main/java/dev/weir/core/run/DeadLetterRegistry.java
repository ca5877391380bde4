package dev.weir.core.run;

import dev.weir.core.command.DeadLetterControl;
import dev.weir.core.state.AttentionRows;
import dev.weir.core.state.DeadLetter;
import dev.weir.core.state.Move;

/** Numbers the dead letters of an organisation. They themselves are not in memory, because there can be any number. */
final class DeadLetterRegistry implements DeadLetterControl {
    private final MoveCollector moves;
    private long last;

    DeadLetterRegistry(MoveCollector moves) {
        this.moves = moves;
    }

    void restore(AttentionRows rows) {
        last = rows.lastDeadLetter();
    }

    AttentionRows rows() {
        return new AttentionRows(last);
    }

    @Override
    public DeadLetter add(DeadLetter.Content content, long now) {
        last++;
        var letter = new DeadLetter(last, content, now);
        moves.add(new Move.DeadLettered(letter, now));
        return letter;
    }
}
