package dev.weir.testkit.engine;

import static dev.weir.testkit.engine.SteppedShard.ACME;
import static dev.weir.testkit.engine.SteppedShard.LEASE;
import static dev.weir.testkit.engine.SteppedShard.SECOND;
import static dev.weir.testkit.engine.SteppedShard.answered;
import static dev.weir.testkit.engine.SteppedShard.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.core.command.Assignment;
import dev.weir.core.command.Heartbeat;
import dev.weir.core.command.UpdateStep;
import dev.weir.engine.request.StartOutcome;
import dev.weir.engine.request.Unavailable;
import dev.weir.engine.shard.CounterName;
import dev.weir.testkit.journal.JournalFaults.CommitFate;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests that a shard serves its other organisations while it loads a large one. */
@Tag("L5")
class ConcurrentLoadTest {
    private final SteppedShard world = new SteppedShard();
    private final String other = world.neighbour("other");

    /** Restarts the node. From now on the load of the large organisation lasts until the test ends it. */
    private void restartWithLargeOrganisation() {
        world.shard.close("done");
        world.shard = world.open("node");
        world.unfinishedLoads = 1;
        world.holdsLargeLoads = true;
    }

    private <A> void assertRefusedForNow(CompletableFuture<A> answer) {
        assertThatThrownBy(answer::join)
                .hasCauseInstanceOf(Unavailable.class)
                .hasMessageContaining("is being read into memory");
    }

    @Test
    void a_neighbour_starts_claims_and_reports_before_the_load_of_a_large_organisation_ends() {
        world.register(ACME);
        world.register(other);
        restartWithLargeOrganisation();
        var large = world.shard.start(ACME, request("r"));
        world.runUntilIdle();
        assertThat(world.heldLoads).hasSize(1);

        var small = world.shard.start(other, request("q"));
        var poll = world.poll(other, "p");
        world.runUntilIdle();
        assertThat(answered(small)).isInstanceOf(StartOutcome.Started.class);
        Assignment work = answered(poll).getFirst();
        assertThat(world.send(other, SteppedShard.noOpReport(work))).isEqualTo(UpdateStep.Answer.APPLIED);
        assertThat(world.journal.rows(other, world.now).runs()).isEmpty();
        assertThat(large).isNotDone();

        world.releaseLoads();
        assertThat(answered(large)).isInstanceOf(StartOutcome.Started.class);
        assertThat(world.unfinishedLoads).isZero();
    }

    @Test
    void the_loop_rests_while_a_load_is_under_way() {
        world.register(ACME);
        restartWithLargeOrganisation();
        var waits = world.shard.start(ACME, request("r"));
        world.runUntilIdle();
        long passes = world.count(CounterName.EMPTY_PASSES) + world.count(CounterName.COMMITS);
        assertThat(world.shard.runOnce()).isPositive();
        assertThat(world.count(CounterName.EMPTY_PASSES) + world.count(CounterName.COMMITS))
                .isEqualTo(passes);
        assertThat(waits).isNotDone();
    }

    @Test
    void callers_that_wait_too_long_for_a_load_are_asked_to_retry_and_nothing_of_theirs_is_written() {
        world.register(ACME);
        restartWithLargeOrganisation();
        var start = world.shard.start(ACME, request("r"));
        var poll = world.poll("p");
        world.advance(12 * SECOND);
        assertRefusedForNow(start);
        assertRefusedForNow(poll);

        world.releaseLoads();
        assertThat(world.journal.rows(ACME, world.now).runs()).isEmpty();
        assertThat(world.start("r")).isInstanceOf(StartOutcome.Started.class);
    }

    @Test
    void an_open_poll_of_an_organisation_that_must_be_loaded_again_ends_in_time() {
        world.register(ACME);
        var poll = world.poll("p");
        world.runUntilIdle();
        world.fates.add(CommitFate.REFUSED);
        world.unfinishedLoads = 1;
        world.holdsLargeLoads = true;
        var start = world.shard.start(ACME, request("r"));
        world.advance(25 * SECOND);
        assertRefusedForNow(poll);
        assertRefusedForNow(start);
        world.releaseLoads();
        assertThat(world.start("r")).isInstanceOf(StartOutcome.Started.class);
    }

    @Test
    @Tag("L2")
    void workers_get_time_to_renew_their_claims_after_a_long_load() {
        world.register(ACME);
        world.start("r");
        Assignment work = world.claim("p");
        restartWithLargeOrganisation();
        world.advance(LEASE + 5 * SECOND);
        world.releaseLoads();
        assertThat(world.send(new Heartbeat(work.claim().unit(), work.claim().fence())))
                .isInstanceOf(Heartbeat.Answer.Extended.class);
        world.advance(15 * SECOND);
        assertThat(world.send(SteppedShard.noOpReport(work))).isEqualTo(UpdateStep.Answer.APPLIED);
    }

    @Test
    void starts_in_the_inbox_wait_for_the_load_and_those_of_others_do_not() {
        world.register(ACME);
        world.register(other);
        restartWithLargeOrganisation();
        world.journal.addToInbox(ACME, request("r"));
        world.journal.addToInbox(other, request("q"));
        world.shard.notifyInbox();
        world.runUntilIdle();
        assertThat(world.journal.rows(other, world.now).runs()).hasSize(1);
        assertThat(world.journal.inbox()).hasSize(1);

        world.releaseLoads();
        assertThat(world.journal.rows(ACME, world.now).runs()).hasSize(1);
        assertThat(world.journal.inbox()).isEmpty();
    }

    @Test
    @Tag("S8")
    void a_load_of_an_earlier_ownership_is_not_used() {
        world.register(ACME);
        world.register(other);
        restartWithLargeOrganisation();
        var start = world.shard.start(ACME, request("r"));
        world.runUntilIdle();
        world.fates.add(CommitFate.UNWRITTEN_UNTOLD);
        var lost = world.shard.start(other, request("q"));
        world.advance(SECOND);
        assertThat(answered(lost)).isInstanceOf(StartOutcome.Started.class);
        assertThat(world.heldLoads).hasSizeGreaterThan(1);
        long loads = world.count(CounterName.LOADS);
        world.releaseLoads();
        assertThat(world.count(CounterName.LOADS)).isEqualTo(loads + 1);
        assertThat(answered(start)).isInstanceOf(StartOutcome.Started.class);
    }

    @Test
    void a_large_organisation_under_suspicion_does_not_hold_up_others_while_it_is_loaded() {
        world.register(ACME);
        world.register(other);
        world.refusedCommits = moves -> moves.size() > 1;
        var large = world.shard.start(ACME, request("r"));
        var small = world.shard.start(other, request("q"));
        world.unfinishedLoads = 1;
        world.holdsLargeLoads = true;
        world.runUntilIdle();
        assertThat(answered(small)).isInstanceOf(StartOutcome.Started.class);
        var second = world.shard.start(other, request("q2"));
        world.runUntilIdle();
        assertThat(answered(second)).isInstanceOf(StartOutcome.Started.class);
        assertThat(large).isNotDone();
        world.releaseLoads();
        assertThat(answered(large)).isInstanceOf(StartOutcome.Started.class);
    }
}
