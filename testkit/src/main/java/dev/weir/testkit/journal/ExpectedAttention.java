package dev.weir.testkit.journal;

import dev.weir.core.state.AttentionRows;
import dev.weir.core.state.Move;
import dev.weir.core.state.Notice;
import java.util.List;
import java.util.stream.Stream;

/** The rows about dead letters and notices that a journal must contain after these moves. */
final class ExpectedAttention {
    private ExpectedAttention() {}

    static AttentionRows of(List<Move> moves) {
        long letters = count(moves, Move.DeadLettered.class);
        long open = letters - count(moves, Move.DeadLetterClosed.class);
        List<Notice> closed = find(moves, Move.NoticeClosed.class)
                .map(Move.NoticeClosed::notice)
                .toList();
        List<Notice> notices = find(moves, Move.NoticeOpened.class)
                .map(Move.NoticeOpened::notice)
                .filter(notice -> !closed.contains(notice))
                .toList();
        return new AttentionRows(letters, open, count(moves, Move.NoticeOpened.class), notices);
    }

    private static long count(List<Move> moves, Class<? extends Move> type) {
        return find(moves, type).count();
    }

    private static <T extends Move> Stream<T> find(List<Move> moves, Class<T> type) {
        return moves.stream().filter(type::isInstance).map(type::cast);
    }
}
