package dev.weir.testkit.engine;

import static dev.weir.testkit.engine.SteppedShard.ACME;
import static dev.weir.testkit.engine.SteppedShard.SECOND;
import static dev.weir.testkit.engine.SteppedShard.answered;
import static dev.weir.testkit.engine.SteppedShard.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.command.RegisterWorkflow;
import dev.weir.core.definition.Workflow;
import dev.weir.core.state.RunState;
import dev.weir.engine.request.StartOutcome;
import dev.weir.engine.shard.CounterName;
import dev.weir.testkit.journal.JournalFaults.CommitFate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests starts with the ids of runs that ended long ago: the old runs are found, and other organisations are not
 * delayed.
 */
@Tag("R0.14")
class ReusedIdsTest {
    private static final int FORGOTTEN_AFTER = 10_000;
    private static final int OLD = 50;

    private final SteppedShard world = new SteppedShard();
    private final String other = world.neighbour("other");

    @BeforeEach
    void let_old_runs_be_forgotten() {
        world.send(new RegisterWorkflow(Workflow.named("greet").build()));
        world.register(other);
        for (int i = 0; i < OLD; i++) {
            var unused = world.shard.start(ACME, request("old" + i));
        }
        world.runUntilIdle();
        for (int i = 0; i < FORGOTTEN_AFTER; i++) {
            var unused = world.shard.start(ACME, request("new" + i));
            if (i == FORGOTTEN_AFTER / 2) {
                world.runUntilIdle();
            }
        }
        world.runUntilIdle();
        assertThat(world.shard.find(ACME).orElseThrow().findEnded("old" + (OLD - 1)))
                .isEmpty();
    }

    private static StartOutcome existing(String run) {
        return new StartOutcome.Existing(run, RunState.COMPLETED);
    }

    @Test
    void only_the_organisation_of_an_id_that_is_taken_is_read_again() {
        long loads = world.count(CounterName.LOADS);
        var again = world.shard.start(ACME, request("old0"));
        var beside = world.shard.start(other, request("x"));
        world.runUntilIdle();
        assertThat(answered(again)).isEqualTo(existing("old0"));
        assertThat(answered(beside)).isInstanceOf(StartOutcome.Started.class);
        assertThat(world.journal.rows(other, world.now).runs()).hasSize(1);
        assertThat(world.count(CounterName.LOADS) - loads).isEqualTo(1);
    }

    @Test
    void an_organisation_that_reuses_many_ids_is_reloaded_once() {
        long loads = world.count(CounterName.LOADS);
        for (int i = 0; i < OLD; i++) {
            var again = world.shard.start(ACME, request("old" + i));
            var fresh = world.shard.start(ACME, request("fresh" + i));
            world.advance(SECOND);
            assertThat(answered(again)).isEqualTo(existing("old" + i));
            assertThat(answered(fresh)).isInstanceOf(StartOutcome.Started.class);
        }
        assertThat(world.count(CounterName.LOADS) - loads).isEqualTo(1);
    }

    @Test
    void commands_after_a_reused_id_keep_their_order_and_others_are_written_once() {
        long loads = world.count(CounterName.LOADS);
        List<CompletableFuture<StartOutcome>> answers = new ArrayList<>();
        answers.add(world.shard.start(ACME, request("old1")));
        for (int i = 0; i < 3_000; i++) {
            answers.add(world.shard.start(other, request("x" + i)));
            answers.add(world.shard.start(ACME, request("y" + i)));
        }
        world.runUntilIdle();
        assertThat(answered(answers.getFirst())).isEqualTo(existing("old1"));
        assertThat(answers.subList(1, answers.size()))
                .allMatch(answer -> answered(answer) instanceof StartOutcome.Started);
        List<String> order = new ArrayList<>();
        world.journal.rows(other, world.now).runs().forEach(run -> order.add(run.id()));
        assertThat(order).hasSize(3_000).startsWith("x0", "x1").endsWith("x2999");
        assertThat(world.count(CounterName.LOADS) - loads).isEqualTo(1);
    }

    @Test
    void nothing_is_lost_if_the_rest_cannot_be_written_either() {
        var again = world.shard.start(ACME, request("old2"));
        var beside = world.shard.start(other, request("x"));
        world.fates.add(CommitFate.WRITTEN);
        world.fates.add(CommitFate.UNWRITTEN_UNTOLD);
        world.runUntilIdle();
        world.advance(SECOND);
        assertThat(answered(again)).isEqualTo(existing("old2"));
        assertThat(answered(beside)).isInstanceOf(StartOutcome.Started.class);
        assertThat(world.journal.rows(other, world.now).runs()).hasSize(1);
    }

    @Test
    void unreadable_history_of_one_organisation_affects_that_organisation_only() {
        var again = world.shard.start(ACME, request("old3"));
        var beside = world.shard.start(other, request("x"));
        Runnable fails = () -> {
            world.onReading = () -> {};
            throw new IllegalArgumentException("planted");
        };
        world.onBegin = () -> {
            world.onBegin = () -> {};
            world.onReading = fails;
        };
        world.runUntilIdle();
        assertThat(again).isCompletedExceptionally();
        assertThat(answered(beside)).isInstanceOf(StartOutcome.Started.class);
        assertThat(world.journal.rows(other, world.now).runs()).hasSize(1);
        world.advance(5 * SECOND);
        var later = world.shard.start(ACME, request("old3"));
        world.runUntilIdle();
        assertThat(answered(later)).isEqualTo(existing("old3"));
    }
}
