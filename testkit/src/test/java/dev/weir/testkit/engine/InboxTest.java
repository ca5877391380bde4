package dev.weir.testkit.engine;

import static dev.weir.testkit.engine.SteppedShard.ACME;
import static dev.weir.testkit.engine.SteppedShard.SECOND;
import static dev.weir.testkit.engine.SteppedShard.answered;
import static dev.weir.testkit.engine.SteppedShard.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.state.DeadLetter;
import dev.weir.core.state.Move;
import dev.weir.core.state.RunRow;
import dev.weir.engine.journal.InboxStart;
import dev.weir.engine.records.PageRequest;
import dev.weir.engine.records.RefusedStart;
import dev.weir.engine.request.StartOutcome;
import dev.weir.engine.request.StartRequest;
import dev.weir.engine.shard.CounterName;
import dev.weir.testkit.journal.JournalFaults;
import dev.weir.testkit.journal.MemoryJournal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Tests starts that programs have left in the inbox in their own transactions. Nobody waits for an answer, so the
 * engine keeps the refusals.
 */
@Tag("L6")
class InboxTest {
    private final SteppedShard world = new SteppedShard();

    private List<RefusedStart> refused(String org) {
        return world.journal
                .records()
                .refusedStarts(org, new PageRequest("", 200))
                .entries();
    }

    private List<String> runs(String org) {
        return world.journal.rows(org, world.now).runs().stream()
                .map(RunRow::id)
                .toList();
    }

    /** Steps the loop, which looks into the inbox at intervals. */
    private void advance(int seconds) {
        for (int i = 0; i < 10 * seconds; i++) {
            if (!world.journal.inbox().isEmpty()) {
                world.shard.notifyInbox();
            }
            world.advance(SECOND / 10);
        }
    }

    private static StartRequest unknown(String run) {
        return StartRequest.of(run, "great", JsonNodeFactory.instance.objectNode());
    }

    @Test
    void a_start_is_gone_with_the_commit_that_accepts_it() {
        world.register(ACME);
        world.journal.addToInbox(ACME, request("r"));
        world.fates.add(JournalFaults.CommitFate.UNWRITTEN_UNTOLD);
        world.shard.notifyInbox();
        world.runUntilIdle();
        assertThat(world.journal.inbox()).hasSize(1);
        world.advance(SECOND);
        assertThat(world.journal.inbox()).isEmpty();
        assertThat(runs(ACME)).containsExactly("r");
        assertThat(refused(ACME)).isEmpty();
    }

    @Test
    void starts_from_a_slow_inbox_read_are_decided_once_at_the_time_after_the_read() {
        world.register(ACME);
        world.journal.addToInbox(ACME, request("r"));
        world.onInbox = () -> world.now += 3 * SECOND;
        world.shard.notifyInbox();
        world.runUntilIdle();
        assertThat(world.count(CounterName.DECIDED_ANEW)).isZero();
        assertThat(world.journal.rows(ACME, world.now).runs())
                .extracting(RunRow::acceptedAt)
                .containsExactly(world.now);
    }

    @Test
    void nobody_waits_for_all_that_another_organisation_has_left() {
        String neighbour = world.neighbour("beta");
        world.register(ACME);
        world.register(neighbour);
        for (int i = 0; i < 2_000; i++) {
            world.journal.addToInbox(ACME, request("r" + i));
        }
        world.journal.addToInbox(neighbour, request("s"));
        world.shard.notifyInbox();
        world.shard.runOnce();
        assertThat(runs(neighbour)).containsExactly("s");
        assertThat(runs(ACME)).hasSize(499).startsWith("r0", "r1");
        advance(1);
        assertThat(runs(ACME)).hasSize(2_000);
    }

    @Test
    void a_start_that_cannot_be_carried_out_is_kept_with_its_reason_and_holds_up_nobody() {
        world.register(ACME);
        world.journal.addToInbox(ACME, unknown("r1"));
        world.journal.addToInbox(ACME, request("r2"));
        var body = JsonMapper.shared().readTree("{\"a\": 1}");
        world.journal.addToInbox(ACME, StartRequest.of("r2", "greet", body));
        world.journal.addToInbox(ACME, StartRequest.of("r3\0", "greet", body));
        world.journal.addToInbox(
                ACME, StartRequest.of("r4", "greet", JsonMapper.shared().readTree("[1e400]")));
        world.journal.addToInbox(
                ACME, new StartRequest("r5", "greet", body, Integer.MIN_VALUE, null, new TreeMap<>(Map.of())));
        world.journal.addToInbox(InboxStart.unreadable(ACME, "eve", "expected JSON"));
        world.shard.notifyInbox();
        world.runUntilIdle();
        assertThat(world.journal.inbox()).isEmpty();
        assertThat(runs(ACME)).containsExactly("r2");
        assertThat(refused(ACME).reversed())
                .extracting(start -> start.run() + "|" + start.workflow() + "|" + start.why() + "|" + start.by())
                .containsExactly(
                        "r1|great|UNKNOWN_WORKFLOW|" + MemoryJournal.PROGRAM,
                        "r2|greet|CONFLICT|" + MemoryJournal.PROGRAM,
                        "r3\uFFFD|greet|REFUSED|" + MemoryJournal.PROGRAM,
                        "r4|greet|REFUSED|" + MemoryJournal.PROGRAM,
                        "r5|greet|REFUSED|" + MemoryJournal.PROGRAM,
                        "||FAILED|eve");
        assertThat(refused(ACME).reversed())
                .extracting(RefusedStart::message)
                .satisfiesExactly(
                        words -> assertThat(words).isEqualTo("workflow not found: great; did you mean 'greet'?"),
                        words -> assertThat(words).contains("different body"),
                        words -> assertThat(words).contains("U+0000"),
                        words -> assertThat(words).contains("a number that is too large"),
                        words -> assertThat(words).contains("from -100 to 100, found -2147483648"),
                        words -> assertThat(words).contains("expected JSON"));
        assertThat(world.count(CounterName.INBOX_REFUSED)).isEqualTo(6);
        assertThat(world.counters.values().lastFailure()).contains("expected JSON");
    }

    @Test
    void a_refusal_is_kept_once_whatever_the_outcome_of_its_commit() {
        world.register(ACME);
        for (JournalFaults.CommitFate fate : JournalFaults.CommitFate.values()) {
            world.journal.addToInbox(ACME, unknown("r-" + fate));
            world.fates.add(fate);
            advance(5);
        }
        assertThat(world.journal.inbox()).isEmpty();
        assertThat(refused(ACME))
                .extracting(RefusedStart::run)
                .doesNotHaveDuplicates()
                .hasSize(JournalFaults.CommitFate.values().length);
    }

    @Test
    void a_start_that_the_store_refuses_is_found_among_many_and_kept_as_failed() {
        String other = world.neighbour("other");
        world.register(ACME);
        world.register(other);
        world.refusedCommits = moves -> accepts(moves, "bad");
        List<String> good = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            world.journal.addToInbox(ACME, i == 20 ? request("bad") : request("r" + i));
            world.journal.addToInbox(other, request("r" + i));
            good.add("r" + i);
        }
        var meanwhile = world.shard.start(other, request("asked"));
        advance(10);
        assertThat(answered(meanwhile)).isInstanceOf(StartOutcome.Started.class);
        assertThat(world.journal.inbox()).isEmpty();
        assertThat(runs(other)).containsAll(good);
        good.remove("r20");
        assertThat(runs(ACME)).containsExactlyElementsOf(good);
        assertThat(refused(other)).isEmpty();
        assertThat(refused(ACME)).singleElement().satisfies(start -> {
            assertThat(start.run()).isEqualTo("bad");
            assertThat(start.why()).isEqualTo(DeadLetter.Reason.FAILED);
            assertThat(start.message()).contains("told to refuse");
        });
    }

    @Test
    void a_start_whose_rule_fails_is_kept_as_failed_and_the_others_are_accepted() {
        String other = world.neighbour("other");
        world.register(ACME);
        world.register(other);
        world.journal.addToInbox(other, request("r1"));
        world.journal.addToInbox(ACME, request("r2"));
        world.journal.addToInbox(ACME, poison("bad"));
        world.journal.addToInbox(ACME, request("r3"));
        var meanwhile = world.shard.start(ACME, request("asked"));
        advance(3);
        assertThat(answered(meanwhile)).isInstanceOf(StartOutcome.Started.class);
        assertThat(world.journal.inbox()).isEmpty();
        assertThat(runs(other)).containsExactly("r1");
        assertThat(runs(ACME)).containsExactlyInAnyOrder("r2", "r3", "asked");
        assertThat(refused(ACME)).singleElement().satisfies(start -> {
            assertThat(start.run()).isEqualTo("bad");
            assertThat(start.why()).isEqualTo(DeadLetter.Reason.FAILED);
            assertThat(start.message()).contains("NullPointerException");
        });
    }

    /** Returns a start whose rule throws an exception half way. */
    @SuppressWarnings("NullAway") // a value that no rule expects is the point
    private static StartRequest poison(String run) {
        return new StartRequest(run, "greet", JsonNodeFactory.instance.objectNode(), null, null, new TreeMap<>(), null);
    }

    private static boolean accepts(Map<String, List<Move>> moves, String run) {
        return moves.values().stream()
                .flatMap(List::stream)
                .anyMatch(move -> move instanceof Move.RunAccepted accepted
                        && accepted.row().id().equals(run));
    }
}
