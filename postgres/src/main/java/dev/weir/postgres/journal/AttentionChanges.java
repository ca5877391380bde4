package dev.weir.postgres.journal;

import dev.weir.core.state.DeadLetter;
import dev.weir.core.state.Move;
import dev.weir.core.state.Notice;
import dev.weir.engine.records.NoticeStore;
import dev.weir.engine.records.Records;
import dev.weir.postgres.access.DeadLetterRows;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The row changes of one transaction about what needs a person's attention. */
final class AttentionChanges {
    private final List<DeadLetter> letters = new ArrayList<>();
    private final List<Move.DeadLetterClosed> closed = new ArrayList<>();
    /** New notices, and the times at which they were closed again. */
    private final Map<Notice, @Nullable Long> opened = new LinkedHashMap<>();

    private final List<Move.NoticeClosed> closedNotices = new ArrayList<>();

    void apply(Move.OfAttention move) {
        switch (move) {
            case Move.DeadLettered dead -> letters.add(dead.letter());
            case Move.DeadLetterClosed end -> closed.add(end);
            case Move.NoticeOpened issued -> opened.put(issued.notice(), null);
            case Move.NoticeClosed end -> {
                if (opened.containsKey(end.notice())) {
                    opened.put(end.notice(), end.at());
                } else {
                    closedNotices.add(end);
                }
            }
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
        addNotices(writes, org);
    }

    private void addNotices(RowWrites writes, int org) {
        closedNotices.forEach(
                end -> writes.add("close_notices", org, end.notice().number(), end.at()));
        long last = 0;
        for (Map.Entry<Notice, @Nullable Long> entry : opened.entrySet()) {
            Notice notice = entry.getKey();
            last = notice.number();
            writes.add(
                    "insert_notices",
                    org,
                    notice.number(),
                    notice.at(),
                    entry.getValue(),
                    notice.subject().kind().word(),
                    notice.severity().word(),
                    notice.subject().name(),
                    notice.used(),
                    notice.max());
        }
        if (last > 0) {
            writes.add("update_last_notices", org, last);
        }
        if (!closedNotices.isEmpty()) {
            writes.add("trim_notices", org, NoticeStore.CLOSED_MAX);
        }
    }
}
