package dev.weir.testkit.engine;

import static dev.weir.testkit.engine.SteppedShard.ACME;
import static dev.weir.testkit.engine.SteppedShard.LEASE;
import static dev.weir.testkit.engine.SteppedShard.SECOND;
import static dev.weir.testkit.engine.SteppedShard.answered;
import static dev.weir.testkit.engine.SteppedShard.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.command.CancelRun;
import dev.weir.core.command.Heartbeat;
import dev.weir.core.command.RegisterWorkflow;
import dev.weir.core.command.UpdateStep;
import dev.weir.core.definition.Workflow;
import dev.weir.core.state.RunState;
import dev.weir.core.state.Update;
import dev.weir.engine.request.StartOutcome;
import dev.weir.engine.request.StartRequest;
import dev.weir.engine.shard.CounterName;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Tests that memory follows the rows: it is compared with them, unloaded and loaded again. Questions about runs that it
 * no longer holds are answered from the history.
 */
class MemoryTest {
    private static final int FORGOTTEN_AFTER = 10_000;

    private final SteppedShard world = new SteppedShard();

    @Test
    @Tag("R0.7")
    void a_claim_whose_row_was_removed_is_noticed_and_its_step_given_to_somebody_else() {
        world.register(ACME);
        world.start("r");
        var lost = world.claim("q1");
        assertThat(world.journal.remove(ACME, lost.claim())).isTrue();
        var waiting = world.poll("q2");
        world.advance(3 * SECOND);
        assertThat(answered(waiting).getFirst().claim().fence()).isEqualTo(2);
        assertThat(world.count(CounterName.DIFFERENCES)).isEqualTo(1);
        assertThat(world.counters.values().lastDifference()).contains("r/say");
        assertThat(world.send(SteppedShard.noOpReport(lost))).isEqualTo(UpdateStep.Answer.CLAIM_SUPERSEDED);
    }

    @Test
    @Tag("S8")
    void the_fence_of_a_claim_whose_row_was_removed_is_not_given_again_although_its_node_dies_before_the_sweep() {
        world.register(ACME);
        world.start("r");
        var lost = world.claim("q1");
        assertThat(world.journal.remove(ACME, lost.claim())).isTrue();
        world.shard = world.open("rival");
        world.runUntilIdle();
        var again = world.claim("q2");
        assertThat(again.claim().unit()).isEqualTo(lost.claim().unit());
        assertThat(again.claim().fence()).isGreaterThan(lost.claim().fence());
        assertThat(world.send(SteppedShard.noOpReport(lost))).isEqualTo(UpdateStep.Answer.CLAIM_SUPERSEDED);
        assertThat(world.send(SteppedShard.noOpReport(again))).isEqualTo(UpdateStep.Answer.APPLIED);
    }

    @Test
    @Tag("S6")
    void a_heartbeat_for_a_claim_whose_row_was_removed_is_answered_with_claim_lost() {
        world.register(ACME);
        world.start("r");
        var lost = world.claim("q1");
        assertThat(world.journal.remove(ACME, lost.claim())).isTrue();
        var beat = world.send(new Heartbeat(lost.claim().unit(), lost.claim().fence()));
        assertThat(beat).isInstanceOf(Heartbeat.Answer.ClaimLost.class);
        assertThat(world.count(CounterName.COMMANDS_FAILED)).isZero();
        assertThat(world.claim("q2").claim().unit()).isEqualTo(lost.claim().unit());
    }

    @Test
    void a_sweep_of_consistent_rows_changes_nothing() {
        world.register(ACME);
        world.start("r");
        world.claim("q1");
        world.advance(10 * SECOND);
        assertThat(world.count(CounterName.SWEEPS)).isGreaterThan(3);
        assertThat(world.count(CounterName.DIFFERENCES)).isZero();
    }

    @Test
    void an_idle_organisation_is_unloaded_and_loaded_again_when_it_is_due() {
        world.send(new RegisterWorkflow(
                Workflow.named("sleepy").step("nap").sleep(Duration.ofHours(1)).build()));
        var unused = world.shard.start(ACME, StartRequest.of("r", "sleepy", JsonNodeFactory.instance.objectNode()));
        world.advance(6 * 60 * SECOND);
        assertThat(world.shard.find(ACME)).isEmpty();
        world.advance(60 * 60 * SECOND);
        assertThat(world.journal.records().findRun(ACME, "r").orElseThrow().state())
                .isEqualTo(RunState.COMPLETED);
    }

    @Test
    @Tag("L2")
    void after_a_gap_in_the_loop_healthy_workers_can_renew_first() {
        world.register(ACME);
        world.start("r");
        var work = world.claim("q");
        world.now += 2 * LEASE;
        world.runUntilIdle();
        assertThat(world.count(CounterName.STALLS)).isEqualTo(1);
        var beat = world.send(new Heartbeat(work.claim().unit(), work.claim().fence()));
        assertThat(beat).isInstanceOf(Heartbeat.Answer.Extended.class);
    }

    @Test
    @Tag("L2")
    void a_heartbeat_that_came_in_time_is_applied_before_the_expiries_of_its_batch() {
        world.register(ACME);
        world.start("r");
        var work = world.claim("q");
        world.advance(LEASE - SECOND);
        world.now += SECOND;
        var beat = world.shard.send(
                ACME, new Heartbeat(work.claim().unit(), work.claim().fence()));
        world.runUntilIdle();
        assertThat(answered(beat)).isInstanceOf(Heartbeat.Answer.Extended.class);
    }

    @Test
    @Tag("L2")
    void a_silent_workers_step_is_given_away_two_seconds_after_its_lease_at_the_latest() {
        world.register(ACME);
        world.start("r");
        world.advance(15 * SECOND);
        world.claim("q1");
        world.advance(LEASE);
        var next = world.poll("q2");
        world.advance(2 * SECOND);
        assertThat(answered(next)).hasSize(1);
    }

    @Test
    @Tag("S6")
    void commands_about_runs_that_ended_long_ago_are_answered_from_history() {
        world.register(ACME);
        world.start("old");
        var done = SteppedShard.noOpReport(world.claim("q"));
        world.send(done);
        world.send(new RegisterWorkflow(Workflow.named("greet").build()));
        for (int i = 0; i < FORGOTTEN_AFTER; i++) {
            var unused = world.shard.start(ACME, request("new" + i));
        }
        world.runUntilIdle();
        assertThat(world.shard.find(ACME).orElseThrow().findEnded("old")).isEmpty();

        var other = new UpdateStep(done.unit(), done.fence(), new Update.Failed("late", false));
        assertThat(world.send(other)).isEqualTo(UpdateStep.Answer.RUN_TERMINAL);
        assertThat(world.send(done)).isEqualTo(UpdateStep.Answer.REPLAYED);
        assertThat(world.send(new CancelRun("old", null, "test")))
                .isEqualTo(new CancelRun.Answer.AlreadyEnded(RunState.COMPLETED));
        assertThat(world.send(new CancelRun("nobody", null, "test"))).isEqualTo(new CancelRun.Answer.NotFound());
    }

    @Test
    @Tag("R0.14")
    void a_run_whose_id_was_used_long_ago_is_not_started_again() {
        world.send(new RegisterWorkflow(Workflow.named("greet").build()));
        for (int i = 0; i <= FORGOTTEN_AFTER; i++) {
            var unused = world.shard.start(ACME, request("r" + i));
            if (i == FORGOTTEN_AFTER / 2) {
                world.runUntilIdle();
            }
        }
        world.runUntilIdle();
        assertThat(world.shard.find(ACME).orElseThrow().findEnded("r0")).isEmpty();
        var answer = world.shard.start(ACME, StartRequest.of("r0", "greet", JsonNodeFactory.instance.numberNode(1)));
        world.runUntilIdle();
        assertThat(answered(answer)).isEqualTo(new StartOutcome.OtherBody("r0"));
        assertThat(world.start("r0")).isEqualTo(new StartOutcome.Existing("r0", RunState.COMPLETED));
    }
}
