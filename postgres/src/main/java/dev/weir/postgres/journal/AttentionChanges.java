package dev.weir.postgres.journal;

import dev.weir.core.state.DeadLetter;
import dev.weir.core.state.Move;
import dev.weir.engine.records.Records;
import dev.weir.postgres.access.DeadLetterRows;
import java.util.ArrayList;
import java.util.List;

/** The row changes of one transaction about what needs a person's attention. */
final class AttentionChanges {
    private final List<DeadLetter> letters = new ArrayList<>();
    private final List<Move.DeadLetterClosed> closed = new ArrayList<>();

    void apply(Move.OfAttention move) {
        switch (move) {
            case Move.DeadLettered dead -> letters.add(dead.letter());
            case Move.DeadLetterClosed end -> closed.add(end);
        }
    }

    void addTo(RowWrites writes, int org) {
        letters.forEach(letter -> writes.add("insert_dead_letters", DeadLetterRows.columns(org, letter)));
        if (!letters.isEmpty()) {
            writes.add("update_last_dead_letters", org, letters.getLast().number());
        }
        if (letters.stream().anyMatch(letter -> letter.content().kind() == DeadLetter.Kind.REFUSED_START)) {
            writes.add("trim_refused_starts", org, Records.REFUSED_STARTS_MAX);
        }
        for (Move.DeadLetterClosed end : closed) {
            writes.add(
                    "close_dead_letters",
                    org,
                    end.number(),
                    DeadLetterRows.letter(end.state()),
                    end.at(),
                    end.redrivenAs());
        }
    }
}
