package dev.weir.testkit.engine;

import static dev.weir.testkit.engine.SteppedShard.ACME;
import static dev.weir.testkit.engine.SteppedShard.SECOND;
import static dev.weir.testkit.engine.SteppedShard.answered;
import static dev.weir.testkit.engine.SteppedShard.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.core.command.PinKey;
import dev.weir.core.limit.LimitId;
import dev.weir.core.state.Move;
import dev.weir.engine.request.CommandFailed;
import dev.weir.engine.request.StartOutcome;
import dev.weir.engine.request.Unavailable;
import dev.weir.engine.shard.CounterName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests one command, or one organisation, that fails among healthy ones. */
@Tag("L6")
@Tag("S9")
class FailureIsolationTest {
    private final SteppedShard world = new SteppedShard();

    /** Returns a command whose rule throws an exception. */
    @SuppressWarnings("NullAway") // a value that no rule expects is the point
    private static PinKey poison() {
        PinKey.Values nothing = null;
        return new PinKey(new LimitId.Key("k"), nothing);
    }

    private static boolean accepts(Map<String, List<Move>> moves, String run) {
        return moves.values().stream()
                .flatMap(List::stream)
                .anyMatch(move -> move instanceof Move.RunAccepted accepted
                        && accepted.row().id().equals(run));
    }

    @Test
    void a_command_whose_rule_fails_fails_alone() {
        String other = world.neighbour("other");
        world.register(ACME);
        world.register(other);
        var before = world.shard.start(ACME, request("r1"));
        var failing = world.shard.send(ACME, poison());
        var after = world.shard.start(ACME, request("r2"));
        var elsewhere = world.shard.start(other, request("r3"));
        world.runUntilIdle();
        assertThatThrownBy(failing::join).hasCauseInstanceOf(CommandFailed.class);
        assertThat(List.of(answered(before), answered(after), answered(elsewhere)))
                .allMatch(answer -> answer instanceof StartOutcome.Started);
        assertThat(world.journal.rows(ACME, world.now).operators().pins()).isEmpty();
    }

    @Test
    void an_organisation_that_cannot_be_read_in_time_is_left_alone_and_others_go_on() {
        String other = world.neighbour("other");
        world.register(ACME);
        world.register(other);
        world.shard.close("done");
        world.shard = world.open("node");
        world.slowOrganisations.add(ACME);
        var waits = world.shard.start(ACME, request("r1"));
        var goesOn = world.shard.start(other, request("r2"));
        world.runUntilIdle();

        assertThatThrownBy(waits::join)
                .hasCauseInstanceOf(Unavailable.class)
                .hasMessageContaining("does not serve it for a while");
        assertThat(answered(goesOn)).isInstanceOf(StartOutcome.Started.class);
        assertThat(world.count(CounterName.LOST)).isZero();
        assertThat(world.count(CounterName.QUARANTINES)).isEqualTo(1);

        world.slowOrganisations.clear();
        world.advance(2 * SECOND);
        assertThat(world.start("r1")).isInstanceOf(StartOutcome.Started.class);
    }

    @Test
    void an_organisation_of_the_inbox_that_cannot_be_read_in_time_keeps_its_starts_and_holds_up_nobody() {
        String other = world.neighbour("other");
        world.register(ACME);
        world.register(other);
        world.shard.close("done");
        world.shard = world.open("node");
        world.runUntilIdle();
        world.slowOrganisations.add(ACME);
        world.journal.addToInbox(ACME, request("r1"));
        world.journal.addToInbox(other, request("r2"));
        world.shard.notifyInbox();
        world.runUntilIdle();

        assertThat(world.count(CounterName.LOST)).isZero();
        assertThat(world.journal.rows(other, world.now).runs()).hasSize(1);
        assertThat(world.journal.inbox()).hasSize(1);

        world.slowOrganisations.clear();
        world.advance(2 * SECOND);
        world.shard.notifyInbox();
        world.runUntilIdle();
        assertThat(world.journal.rows(ACME, world.now).runs()).hasSize(1);
    }

    @Test
    void a_command_that_the_store_refuses_is_found_among_hundreds_and_fails_alone() {
        String other = world.neighbour("other");
        world.register(ACME);
        world.register(other);
        world.refusedCommits = moves -> accepts(moves, "bad");
        List<CompletableFuture<StartOutcome>> good = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            good.add(world.shard.start(i % 2 == 0 ? ACME : other, request("r" + i)));
        }
        var bad = world.shard.start(ACME, request("bad"));
        world.runUntilIdle();
        world.advance(SECOND);
        assertThatThrownBy(bad::join).hasCauseInstanceOf(CommandFailed.class);
        assertThat(good).allMatch(answer -> answered(answer) instanceof StartOutcome.Started);
        assertThat(world.count(CounterName.COMMITS)).isLessThan(60);
    }

    @Test
    void an_organisation_that_fails_on_its_own_is_left_alone_and_others_go_on() {
        String other = world.neighbour("other");
        world.register(ACME);
        world.register(other);
        world.refusedCommits = moves -> moves.containsKey(ACME);
        var stuck = world.shard.start(ACME, request("r1"));
        world.runUntilIdle();
        world.advance(SECOND);
        var meanwhile = world.shard.start(other, request("r2"));
        world.runUntilIdle();
        assertThat(answered(meanwhile)).isInstanceOf(StartOutcome.Started.class);
        assertThatThrownBy(stuck::join).hasCauseInstanceOf(CommandFailed.class);

        world.refusedCommits = moves -> false;
        world.advance(SECOND);
        assertThat(world.start("r3")).isInstanceOf(StartOutcome.Started.class);
    }

    @Test
    void an_organisation_whose_commands_fail_again_and_again_is_quarantined_for_a_while_and_says_why() {
        world.register(ACME);
        for (int i = 0; i < 10; i++) {
            var unused = world.shard.send(ACME, poison());
            world.runUntilIdle();
        }
        assertThat(world.count(CounterName.QUARANTINES)).isEqualTo(1);
        var refused = world.shard.start(ACME, request("r1"));
        world.runUntilIdle();
        assertThatThrownBy(refused::join)
                .hasCauseInstanceOf(Unavailable.class)
                .hasMessageContaining("NullPointerException");

        world.advance(3 * SECOND);
        assertThat(world.start("r2")).isInstanceOf(StartOutcome.Started.class);
    }

    /**
     * Makes the store unreachable as soon as it has refused a commit, and lets another node own the shard for a while.
     */
    private void loseShardDuringSearch() {
        world.onCommit = () -> world.unreachable = true;
        world.runUntilIdle();
        world.onCommit = () -> {};
        world.advance(15 * SECOND);
        world.unreachable = false;
        world.open("rival").runOnce();
        world.advance(5 * SECOND);
    }

    @Test
    void the_search_for_a_failing_command_continues_after_the_shard_has_moved_and_returned() {
        world.register(ACME);
        world.refusedCommits = moves -> accepts(moves, "bad");
        var unused = world.shard.start(ACME, request("bad"));
        loseShardDuringSearch();
        var bad = world.shard.start(ACME, request("bad"));
        var good = world.shard.start(ACME, request("good"));
        world.runUntilIdle();
        assertThat(bad).isDone();
        assertThatThrownBy(bad::join).hasCauseInstanceOf(CommandFailed.class);
        assertThat(answered(good)).isInstanceOf(StartOutcome.Started.class);
    }

    @Test
    void an_idle_suspected_organisation_delays_nobody_after_the_shard_has_moved_and_returned() {
        String other = world.neighbour("other");
        world.register(ACME);
        world.register(other);
        world.refusedCommits = moves -> moves.size() > 1;
        var unused = world.shard.start(ACME, request("r1"));
        var unusedToo = world.shard.start(other, request("r2"));
        loseShardDuringSearch();
        var good = world.shard.start(other, request("r3"));
        world.runUntilIdle();
        assertThat(answered(good)).isInstanceOf(StartOutcome.Started.class);
    }
}
