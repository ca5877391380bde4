package dev.weir.testkit.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.json.CanonicalJson;
import dev.weir.core.limit.Moment;
import dev.weir.core.state.AttentionRows;
import dev.weir.core.state.CausalChain;
import dev.weir.core.state.DeadLetter;
import dev.weir.core.state.EventRow;
import dev.weir.core.state.Move;
import dev.weir.core.state.Notice;
import dev.weir.core.state.RunLineage;
import dev.weir.core.state.TriggerId;
import dev.weir.core.state.TriggerSubmission;
import dev.weir.engine.journal.Journal;
import dev.weir.engine.journal.ShardOwnership;
import dev.weir.engine.journal.Transaction;
import dev.weir.engine.records.DeadLetterFilter;
import dev.weir.engine.records.DeadLetterRecord;
import dev.weir.engine.records.NoticeFilter;
import dev.weir.engine.records.NoticeRecord;
import dev.weir.engine.records.NoticeStore;
import dev.weir.engine.records.PageRequest;
import dev.weir.engine.records.Records;
import dev.weir.engine.records.RefusedStart;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;

/** The promises of every journal about dead letters, whatever store it uses. */
public abstract class DeadLetterContract {
    /** The journal under test. */
    protected abstract Journal journal();

    /** The records of the same store. */
    protected abstract Records records();

    /** Creates a new organisation and returns its name. */
    protected abstract String newOrganisation();

    @Test
    void refused_starts_are_listed_newest_first_in_pages_and_only_the_newest_are_kept() {
        String org = newOrganisation();
        String other = newOrganisation();
        int refusedCount = Records.REFUSED_STARTS_MAX + 3;
        try (ShardOwnership ownership = takeShard(org)) {
            for (int from = 1; from <= refusedCount; from += 100) {
                List<Move> moves = new ArrayList<>();
                for (int i = from; i < from + 100 && i <= refusedCount; i++) {
                    moves.add(refusal("r" + i, i));
                }
                commit(ownership, org, moves);
            }
            try (Transaction transaction = ownership.begin()) {
                transaction.write(org, List.of(refusal("never", refusedCount + 1)));
            }
        }
        List<String> records = new ArrayList<>();
        String cursor = "";
        do {
            var page = records().refusedStarts(org, new PageRequest(cursor, Records.PAGE_MAX));
            page.entries().forEach(start -> records.add(start.run()));
            cursor = page.next();
        } while (!cursor.isEmpty());
        assertThat(records)
                .hasSize(Records.REFUSED_STARTS_MAX)
                .startsWith("r" + refusedCount)
                .endsWith("r4");
        assertThat(records().refusedStarts(other, new PageRequest("", 1)).entries())
                .isEmpty();
        var newest =
                records().refusedStarts(org, new PageRequest("", 1)).entries().getFirst();
        assertThat(newest)
                .isEqualTo(new RefusedStart(
                        refusedCount,
                        "r" + refusedCount,
                        "w",
                        reasonFor(refusedCount),
                        "no\uFFFD",
                        "ann",
                        Moment.toInstant(refusedCount)));
    }

    private static Move refusal(String run, int number) {
        var content = new DeadLetter.Content(
                DeadLetter.Kind.REFUSED_START, run, "w", List.of(), reasonFor(number), "no\0", List.of(), "ann", null);
        return new Move.DeadLettered(new DeadLetter(number, content, number), number);
    }

    /** Returns every reason in turn. */
    private static DeadLetter.Reason reasonFor(int number) {
        return pick(List.of(DeadLetter.Reason.values()), number);
    }

    @Test
    void a_dead_letter_is_closed_once_and_stays_in_the_lists() {
        String org = newOrganisation();
        try (ShardOwnership ownership = takeShard(org)) {
            commit(ownership, org, deadLetters(1, 3));
            commit(
                    ownership,
                    org,
                    List.of(
                            new Move.DeadLetterClosed(1, DeadLetter.State.REDRIVEN, "r1.retry-1", 50),
                            new Move.DeadLetterClosed(2, DeadLetter.State.DISCARDED, null, 51)));
            var redriven = ownership.findDeadLetter(org, 1).orElseThrow();
            assertThat(redriven.state().redrivenAs()).isEqualTo("r1.retry-1");
            assertThat(ownership.findDeadLetter(org, 4)).isEmpty();
        }
        assertThat(readAll(org, DeadLetterFilter.ALL))
                .extracting(DeadLetterRecord::state)
                .containsExactly(DeadLetter.State.OPEN, DeadLetter.State.DISCARDED, DeadLetter.State.REDRIVEN);
        assertThat(readAll(org, new DeadLetterFilter(DeadLetter.State.DISCARDED, null, null, null, null)))
                .singleElement()
                .satisfies(found -> assertThat(found.closedAt()).isEqualTo(Moment.toInstant(51)));
    }

    @Test
    void the_work_of_a_trigger_is_read_as_it_was_submitted() {
        String org = newOrganisation();
        var link = new CausalChain.Link(CausalChain.Link.Kind.RUN, "r\"1", "w");
        var lineage = new RunLineage(null, null, "r\"1", 3, "ann", new CausalChain("c-1", List.of(link)));
        var data = JsonNodeFactory.instance.objectNode().put("\u20ac", 7.5);
        var event = new TriggerSubmission.OfEvent(
                new TriggerId("w", "t"), new EventRow(0, "e1", "paid", null, data, null, lineage, 1_234_567));
        var time = new TriggerSubmission.OfTime(new TriggerId("w", "nightly"), 60_000_000);
        var eventLink = new DeadLetter.ChainLink(DeadLetter.ChainLink.Type.EVENT, "e1", "paid");
        var runLink = new DeadLetter.ChainLink(DeadLetter.ChainLink.Type.RUN, "r\"1", "w");
        try (ShardOwnership ownership = takeShard(org)) {
            commit(
                    ownership,
                    org,
                    List.of(
                            letter(1, DeadLetter.Kind.CASCADE, List.of(runLink, eventLink), event),
                            letter(2, DeadLetter.Kind.EVENT, List.of(), time)));
            assertThat(ownership.findDeadLetter(org, 1).orElseThrow().triggered())
                    .isEqualTo(event);
            assertThat(ownership.findDeadLetter(org, 2).orElseThrow().triggered())
                    .isEqualTo(time);
        }
    }

    private static Move letter(
            int number, DeadLetter.Kind kind, List<DeadLetter.ChainLink> chain, TriggerSubmission submission) {
        var reason = DeadLetter.Reason.TRIGGER_FAILED;
        String text = CanonicalJson.text(submission.toJson());
        var content = new DeadLetter.Content(kind, "e1", "w", List.of(), reason, "no", chain, "ann", text);
        return new Move.DeadLettered(new DeadLetter(number, content, number), number);
    }

    @Test
    void dead_letters_are_listed_newest_first_by_what_they_are_and_their_numbers_go_on() {
        String org = newOrganisation();
        String other = newOrganisation();
        try (ShardOwnership ownership = takeShard(org)) {
            commit(ownership, org, deadLetters(1, 30));
            try (Transaction transaction = ownership.begin()) {
                transaction.write(org, deadLetters(31, 31));
            }
            assertThat(ownership.load(org).attention()).isEqualTo(new AttentionRows(30, 30, 0, List.of()));
            commit(ownership, org, deadLetters(31, 40));
            assertThat(ownership.load(org).attention()).isEqualTo(new AttentionRows(40, 40, 0, List.of()));
        }
        for (DeadLetterFilter filter : List.of(
                DeadLetterFilter.ALL,
                new DeadLetterFilter(DeadLetter.State.OPEN, null, null, "w1", null),
                new DeadLetterFilter(null, DeadLetter.Kind.CASCADE, null, null, null),
                new DeadLetterFilter(null, null, DeadLetter.Reason.CONFLICT, null, "k1"),
                new DeadLetterFilter(DeadLetter.State.DISCARDED, null, null, null, null))) {
            assertThat(readAll(org, filter))
                    .as(filter.toString())
                    .isEqualTo(deadLetters(1, 40).reversed().stream()
                            .map(move -> new DeadLetterRecord(
                                            ((Move.DeadLettered) move).letter(), DeadLetter.State.OPEN, null, null)
                                    .withoutSubmission())
                            .filter(filter::matches)
                            .toList());
            assertThat(readAll(other, filter)).isEmpty();
        }
        assertThat(records().deadLetters().findDeadLetter(org, 41)).isEmpty();
        assertThat(records().deadLetters().findDeadLetter(other, 1)).isEmpty();
        assertThat(records().deadLetters().findDeadLetter(org, 2).orElseThrow().letter())
                .isEqualTo(((Move.DeadLettered) deadLetters(2, 2).getFirst()).letter());
    }

    @Test
    void open_notices_are_loaded_and_only_the_newest_closed_ones_are_kept() {
        String org = newOrganisation();
        int count = NoticeStore.CLOSED_MAX + 20;
        try (ShardOwnership ownership = takeShard(org)) {
            List<Move> opened = new ArrayList<>();
            for (int i = 1; i <= count; i++) {
                opened.add(new Move.NoticeOpened(notice(i), i));
            }
            commit(ownership, org, opened);
            assertThat(ownership.load(org).attention().notices()).hasSize(count).startsWith(notice(1));
            List<Move> closed = new ArrayList<>();
            for (int i = 2; i <= count; i++) {
                closed.add(new Move.NoticeClosed(notice(i), count + i));
            }
            commit(ownership, org, closed);
            commit(
                    ownership,
                    org,
                    List.of(new Move.NoticeOpened(notice(count + 1), 1), new Move.NoticeClosed(notice(count + 1), 2)));
            assertThat(ownership.load(org).attention())
                    .isEqualTo(new AttentionRows(0, 0, count + 1, List.of(notice(1))));
        }
        var first = records().notices().notices(org, NoticeFilter.ALL, new PageRequest("", 3));
        assertThat(first.entries())
                .extracting(found -> found.notice().number())
                .containsExactly(count + 1L, (long) count, count - 1L);
        assertThat(records()
                        .notices()
                        .notices(org, NoticeFilter.ALL, new PageRequest(first.next(), 1))
                        .entries()
                        .getFirst()
                        .notice())
                .isEqualTo(notice(count - 2));
        assertThat(records()
                        .notices()
                        .notices(org, new NoticeFilter(true, null, null, "key:k1"), new PageRequest("", 2))
                        .entries())
                .containsExactly(new NoticeRecord(notice(1), null));
    }

    private static Notice notice(int number) {
        var kind = pick(List.of(Notice.Kind.values()), number);
        var severity = pick(List.of(Notice.Severity.values()), number);
        return new Notice(number, new Notice.Subject(kind, "key:k" + number), severity, number, 100, number);
    }

    private List<DeadLetterRecord> readAll(String org, DeadLetterFilter filter) {
        List<DeadLetterRecord> all = new ArrayList<>();
        String cursor = "";
        do {
            var page = records().deadLetters().deadLetters(org, filter, new PageRequest(cursor, 7));
            all.addAll(page.entries());
            cursor = page.next();
        } while (!cursor.isEmpty());
        return all;
    }

    /** Returns dead letters of every kind and reason, with and without the optional fields. */
    private static List<Move> deadLetters(int from, int to) {
        List<Move> moves = new ArrayList<>();
        for (int i = from; i <= to; i++) {
            var kind = pick(List.of(DeadLetter.Kind.values()), i);
            var reason = pick(List.of(DeadLetter.Reason.values()), i);
            boolean isCascade = kind == DeadLetter.Kind.CASCADE;
            var link = new DeadLetter.ChainLink(DeadLetter.ChainLink.Type.EVENT, "e\"" + i, "order.created");
            var content = new DeadLetter.Content(
                    kind,
                    "r" + i,
                    i % 3 == 0 ? null : "w" + i % 3,
                    i % 2 == 0 ? List.of() : List.of("k" + i % 4, "\u20ac?\"{}"),
                    reason,
                    "no\0",
                    isCascade ? List.of(link) : List.of(),
                    "ann",
                    isCascade ? "{\"a\":\"\\u0000\"}" : null);
            moves.add(new Move.DeadLettered(new DeadLetter(i, content, i), i));
        }
        return moves;
    }

    private static <T> T pick(List<T> all, int number) {
        return all.get(number % all.size());
    }

    private ShardOwnership takeShard(String org) {
        return journal().take(journal().shardOf(org), "contract");
    }

    private static void commit(ShardOwnership ownership, String org, List<Move> moves) {
        try (Transaction transaction = ownership.begin()) {
            transaction.write(org, moves);
            transaction.commit();
        }
    }
}
