package dev.weir.testkit.engine;

import static dev.weir.testkit.engine.SteppedShard.ACME;
import static dev.weir.testkit.engine.SteppedShard.LEASE;
import static dev.weir.testkit.engine.SteppedShard.SECOND;
import static dev.weir.testkit.engine.SteppedShard.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.command.Assignment;
import dev.weir.core.command.Heartbeat;
import dev.weir.core.state.Move;
import dev.weir.engine.shard.CounterName;
import dev.weir.testkit.journal.JournalFaults.CommitFate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests that a worker which could not be heard gets time to renew its claim, and that no other worker does. */
@Tag("L2")
class ExpiryGraceTest {
    private final SteppedShard world = new SteppedShard();

    @BeforeEach
    void begin() {
        world.register(ACME);
        world.start("r");
        world.advance(15 * SECOND);
    }

    @Test
    void after_the_store_was_away_healthy_workers_can_renew_first() {
        Assignment work = world.claim("q");
        world.advance(3 * SECOND);
        world.unreachable = true;
        world.advance(40 * SECOND);
        world.unreachable = false;
        world.advance(8 * SECOND);
        assertThat(heartbeat(work)).isInstanceOf(Heartbeat.Answer.Extended.class);
    }

    @Test
    void after_commits_were_lost_for_long_healthy_workers_can_renew_first() {
        Assignment work = world.claim("q");
        world.onCommit = () -> world.fates.add(CommitFate.UNWRITTEN_UNTOLD);
        for (int i = 0; i < 10; i++) {
            var unused = world.shard.start(ACME, request("x" + i));
            world.advance(4 * SECOND);
        }
        world.onCommit = () -> {};
        world.fates.clear();
        world.advance(3 * SECOND);
        assertThat(heartbeat(work)).isInstanceOf(Heartbeat.Answer.Extended.class);
    }

    @Test
    void after_the_machine_slept_healthy_workers_can_renew_first() {
        Assignment work = world.claim("q");
        world.advance(3 * SECOND);
        world.sleep(60 * 60 * SECOND);
        world.advance(3 * SECOND);
        assertThat(heartbeat(work)).isInstanceOf(Heartbeat.Answer.Extended.class);
        assertThat(world.count(CounterName.STALLS)).isEqualTo(1);
    }

    @Test
    void after_a_take_over_healthy_workers_can_renew_first() {
        Assignment work = world.claim("q");
        world.now += 2 * LEASE;
        world.shard = world.open("rival");
        world.advance(9 * SECOND);
        assertThat(heartbeat(work)).isInstanceOf(Heartbeat.Answer.Extended.class);
    }

    @Test
    void after_a_take_over_during_which_the_store_went_away_healthy_workers_can_renew_first() {
        Assignment work = world.claim("q");
        world.now += 2 * LEASE;
        world.shard = world.open("rival");
        world.onCommit = () -> world.fates.add(CommitFate.UNWRITTEN_UNTOLD);
        var unused = world.shard.start(ACME, request("x"));
        world.advance(8 * SECOND);
        world.onCommit = () -> {};
        world.fates.clear();
        world.advance(6 * SECOND);
        assertThat(heartbeat(work)).isInstanceOf(Heartbeat.Answer.Extended.class);
    }

    @Test
    void a_transaction_that_begins_slowly_expires_no_claim_of_a_live_worker() {
        Assignment work = world.claim("q");
        world.advance(LEASE - SECOND);
        world.onBegin = () -> {
            world.onBegin = () -> {};
            world.now += 4 * SECOND;
        };
        world.advance(3 * SECOND);
        assertThat(heartbeat(work)).isInstanceOf(Heartbeat.Answer.Extended.class);
    }

    @Test
    void a_silent_worker_is_given_no_more_time_although_memory_is_read_again_now_and_then() {
        world.claim("q");
        for (int i = 0; i < 8; i++) {
            world.advance(4 * SECOND);
            world.fates.add(CommitFate.UNWRITTEN_UNTOLD);
            var unused = world.shard.start(ACME, request("x" + i));
            world.runUntilIdle();
        }
        assertThat(world.journal.rows(ACME, world.now).claims())
                .as("claims 32 s after the last heartbeat")
                .isEmpty();
        assertThat(world.count(CounterName.LOADS)).isEqualTo(8);
    }

    @Test
    void an_organisation_that_was_left_alone_for_a_while_is_given_time_and_no_more_when_it_is_read_again() {
        Assignment work = world.claim("q");
        world.advance(3 * SECOND);
        world.refusedCommits = moves -> true;
        for (int i = 0; i < 60; i++) {
            var unused = world.shard.start(ACME, request("x" + i));
            world.advance(SECOND);
        }
        assertThat(world.count(CounterName.QUARANTINES)).isPositive();
        world.refusedCommits = moves -> false;
        while (world.shard.find(ACME).isEmpty()) {
            world.advance(SECOND);
        }
        world.fates.add(CommitFate.UNWRITTEN_UNTOLD);
        var unused = world.shard.start(ACME, request("y"));
        world.advance(5 * SECOND);
        assertThat(heartbeat(work)).isInstanceOf(Heartbeat.Answer.Extended.class);
    }

    @Test
    void a_node_that_dies_every_seven_seconds_lets_the_claims_of_silent_workers_end() {
        world.claim("q", 5 * SECOND);
        int openings = dieUntilNoClaimIsLeft();
        assertThat(openings)
                .as("openings of 7 s in which the worker was silent")
                .isBetween(2, 3);
    }

    @Test
    void a_renewal_resets_the_silent_time_of_a_worker() {
        Assignment work = world.claim("q");
        world.now += 2 * LEASE;
        for (int i = 0; i < 3; i++) {
            world.shard = world.open("node-" + i);
            world.advance(4 * SECOND);
        }
        assertThat(heartbeat(work)).isInstanceOf(Heartbeat.Answer.Extended.class);
        world.now += 2 * LEASE;
        world.shard = world.open("rival");
        world.advance(9 * SECOND);
        assertThat(heartbeat(work)).isInstanceOf(Heartbeat.Answer.Extended.class);
    }

    @Test
    void listening_is_recorded_only_while_claims_wait_for_their_workers() {
        Assignment work = world.claim("q");
        world.shard = world.open("rival");
        world.advance(20 * SECOND);
        assertThat(listeningMoves()).as("nobody is late").isZero();
        assertThat(heartbeat(work)).isInstanceOf(Heartbeat.Answer.Extended.class);
        world.now += 2 * LEASE;
        world.shard = world.open("node");
        world.advance(60 * SECOND);
        assertThat(listeningMoves()).isBetween(1L, 12L);
    }

    private long listeningMoves() {
        return world.sentMoves.stream()
                .filter(Move.ListeningRecorded.class::isInstance)
                .count();
    }

    /** Restarts the node every seven seconds until no claim is left. Returns the number of nodes. */
    private int dieUntilNoClaimIsLeft() {
        int openings = 0;
        while (!world.journal.rows(ACME, world.now).claims().isEmpty()) {
            assertThat(openings).isLessThan(20);
            world.shard = world.open("node-" + openings++);
            world.advance(7 * SECOND);
        }
        return openings;
    }

    private Heartbeat.Answer heartbeat(Assignment work) {
        return world.send(new Heartbeat(work.claim().unit(), work.claim().fence()));
    }
}
