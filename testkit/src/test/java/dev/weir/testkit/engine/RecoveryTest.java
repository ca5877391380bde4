package dev.weir.testkit.engine;

import static dev.weir.testkit.engine.SteppedShard.ACME;
import static dev.weir.testkit.engine.SteppedShard.SECOND;
import static dev.weir.testkit.engine.SteppedShard.answered;
import static dev.weir.testkit.engine.SteppedShard.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.core.command.RegisterWorkflow;
import dev.weir.core.command.UpdateStep;
import dev.weir.core.definition.Action;
import dev.weir.core.definition.Workflow;
import dev.weir.core.expression.Template;
import dev.weir.core.run.Organisation;
import dev.weir.engine.journal.JournalFailure;
import dev.weir.engine.request.StartOutcome;
import dev.weir.engine.request.StateQuery;
import dev.weir.engine.request.Unavailable;
import dev.weir.engine.shard.CommitExecutor;
import dev.weir.engine.shard.CommitListener;
import dev.weir.engine.shard.CounterName;
import dev.weir.engine.shard.LoadExecutor;
import dev.weir.engine.shard.LoadMemory;
import dev.weir.engine.shard.RunWaiters;
import dev.weir.engine.shard.Shard;
import dev.weir.engine.shard.ShardContext;
import dev.weir.testkit.journal.JournalFaults.CommitFate;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the answers to callers, and the state in memory, after a commit that failed or whose outcome is unknown. */
@Tag("S6")
@Tag("S7")
class RecoveryTest {
    private final SteppedShard world = new SteppedShard();

    @ParameterizedTest
    @EnumSource(names = {"WRITTEN_UNTOLD", "UNWRITTEN_UNTOLD", "WRITTEN_LATE"})
    void a_start_whose_commit_is_unknown_is_answered_once_it_is_known(CommitFate fate) {
        world.register(ACME);
        world.fates.add(fate);
        var answer = world.shard.start(ACME, request("r"));
        world.runUntilIdle();
        assertThat(answer).isNotDone();
        world.advance(SECOND);
        assertThat(answered(answer))
                .isInstanceOf(
                        fate == CommitFate.UNWRITTEN_UNTOLD ? StartOutcome.Started.class : StartOutcome.Existing.class);
        assertThat(world.journal.rows(ACME, world.now).runs()).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource(names = {"WRITTEN_UNTOLD", "UNWRITTEN_UNTOLD", "WRITTEN_LATE"})
    void a_report_whose_commit_is_unknown_is_applied_once(CommitFate fate) {
        world.register(ACME);
        world.start("r");
        var work = world.claim("q");
        world.fates.add(fate);
        var answer = world.shard.send(ACME, SteppedShard.noOpReport(work));
        world.runUntilIdle();
        world.advance(SECOND);
        assertThat(answered(answer))
                .isEqualTo(
                        fate == CommitFate.UNWRITTEN_UNTOLD ? UpdateStep.Answer.APPLIED : UpdateStep.Answer.REPLAYED);
        assertThat(world.journal.rows(ACME, world.now).runs()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = {"WRITTEN_UNTOLD", "UNWRITTEN_UNTOLD", "WRITTEN_LATE"})
    void a_worker_that_waits_gets_its_work_although_the_grant_was_not_known(CommitFate fate) {
        world.register(ACME);
        var waiting = world.poll("q");
        world.runUntilIdle();
        world.fates.add(fate);
        var unused = world.shard.start(ACME, request("r"));
        world.runUntilIdle();
        world.advance(SECOND);
        assertThat(answered(waiting)).hasSize(1);
        assertThat(world.journal.rows(ACME, world.now).claims()).hasSize(1);
    }

    @Test
    void only_the_organisations_of_a_lost_batch_are_read_again() {
        String other = world.neighbour("other");
        world.register(ACME);
        world.register(other);
        long before = world.count(CounterName.LOADS);
        world.fates.add(CommitFate.UNWRITTEN_UNTOLD);
        var answer = world.shard.start(ACME, request("r"));
        world.advance(SECOND);
        assertThat(answer).isDone();
        assertThat(world.count(CounterName.LOADS) - before).isEqualTo(1);
    }

    @Test
    void callers_are_asked_to_retry_after_five_seconds_while_the_store_is_unreachable() {
        world.register(ACME);
        world.unreachable = true;
        var answer = world.shard.start(ACME, request("r"));
        world.advance(4 * SECOND);
        assertThat(answer).isNotDone();
        world.advance(4 * SECOND);
        assertThatThrownBy(answer::join).hasCauseInstanceOf(Unavailable.class);

        world.unreachable = false;
        world.advance(3 * SECOND);
        assertThat(world.start("r")).isInstanceOf(StartOutcome.Started.class);
    }

    @Test
    void callers_get_the_error_of_the_store_and_the_shard_reports_an_outage() {
        world.register(ACME);
        world.onCommit = () -> {
            throw new JournalFailure.Lost("writing", "no space left", new IOException("no space left on device"));
        };
        var answer = world.shard.start(ACME, request("r"));
        world.advance(4 * SECOND);
        assertThat(world.shard.outage()).isEmpty();
        world.advance(8 * SECOND);
        assertThatThrownBy(answer::join)
                .hasCauseInstanceOf(Unavailable.class)
                .hasMessageContaining("the database fails (no space left)");
        assertThat(world.shard.outage())
                .hasValueSatisfying(words ->
                        assertThat(words).contains("has made no progress for").contains("no space left"));

        world.onCommit = () -> {};
        world.advance(3 * SECOND);
        world.start("r");
        assertThat(world.shard.outage()).isEmpty();
    }

    @Test
    void successful_reads_do_not_hide_failing_writes() {
        world.register(ACME);
        world.onCommit = () -> {
            throw new JournalFailure.Lost("writing", "no space left", new IOException("no space left on device"));
        };
        for (int i = 0; i < 8; i++) {
            var write = world.shard.start(ACME, request("r" + i));
            world.advance(8 * SECOND);
            assertThat(write).isCompletedExceptionally();
            var read = world.shard.query(ACME, (org, now) -> now);
            world.advance(SECOND);
            assertThat(read).isCompleted();
            world.advance(SECOND);
            assertThat(world.shard.outage()).as("trouble after %s tries", i + 1).isPresent();
        }

        world.advance(30 * SECOND);
        assertThat(world.shard.outage()).isEmpty();
    }

    @Test
    void a_shard_that_is_closed_by_repeated_errors_reports_an_outage_although_it_is_reopened() {
        world.register(ACME);
        var broken = new StateQuery<Long>() {
            @Override
            public Long evaluate(Organisation organisation, long now) {
                throw new OutOfMemoryError("planted");
            }
        };
        for (int i = 0; i < 4; i++) {
            var refused = world.shard.query(ACME, broken);
            world.shard.runOnce();
            assertThatThrownBy(refused::join).hasCauseInstanceOf(Unavailable.class);
            assertThat(world.shard.hasFailed()).isTrue();
            world.now += 2 * SECOND;
            world.shard = world.shard.createReplacement();
        }
        assertThat(world.shard.outage())
                .hasValueSatisfying(words -> assertThat(words).contains("planted"));

        world.start("r");
        assertThat(world.shard.outage()).isEmpty();
    }

    @Test
    void an_owner_that_was_deposed_writes_nothing_and_sends_its_callers_away() {
        world.register(ACME);
        var waiting = world.poll("q");
        world.runUntilIdle();
        var old = world.shard;
        world.shard = world.open("rival");
        world.start("r1");

        CompletableFuture<StartOutcome> refused = old.start(ACME, request("r2"));
        old.runOnce();

        assertThatThrownBy(refused::join).hasCauseInstanceOf(Unavailable.class);
        assertThatThrownBy(waiting::join).hasCauseInstanceOf(Unavailable.class);
        assertThat(old.isClosed()).isTrue();
        assertThat(world.journal.rows(ACME, world.now).runs()).hasSize(1);
        assertThatThrownBy(() -> old.start(ACME, request("r3")).join()).hasCauseInstanceOf(Unavailable.class);
    }

    @Test
    void an_owner_that_is_overtaken_while_it_decides_answers_nothing_from_its_old_memory() {
        world.register(ACME);
        var old = world.shard;
        var rival = world.open("rival");
        world.onBegin = () -> {
            world.onBegin = () -> {};
            var unused = rival.start(ACME, request("r"));
            rival.runOnce();
        };
        var seen = old.query(ACME, (org, now) -> org.findRun("r").isPresent());
        old.runOnce();
        assertThat(seen).isNotDone();
        world.advance(SECOND);
        assertThat(answered(seen)).isTrue();
    }

    @Test
    void callers_do_not_wait_for_a_store_that_has_been_unavailable_for_long() {
        world.register(ACME);
        world.unreachable = true;
        var unused = world.shard.start(ACME, request("r1"));
        world.advance(8 * SECOND);
        var answer = world.shard.start(ACME, request("r2"));
        world.advance(3 * SECOND);
        assertThat(answer).isCompletedExceptionally();
    }

    @Test
    @Tag("L3")
    void a_call_that_could_not_be_claimed_during_an_outage_is_offered_again_afterwards() {
        List<String> offered = new ArrayList<>();
        world.shard = new Shard(
                new ShardContext(
                        world.journal,
                        "node",
                        () -> world.now,
                        Runnable::run,
                        CommitExecutor.WHEN_AWAITED,
                        LoadExecutor.SAME_THREAD,
                        LoadMemory.ofHeap(),
                        world.counters,
                        offered::add,
                        new RunWaiters(),
                        CommitListener.NONE,
                        null),
                world.journal.shardOf(ACME));
        var call = new Action.Call(Action.Method.GET, Template.of("http://127.0.0.1/"), Template.emptyObject(), null);
        world.send(new RegisterWorkflow(
                Workflow.named("greet").step("tell").action(call).build()));
        world.start("r");
        assertThat(offered).isNotEmpty();
        world.unreachable = true;
        world.advance(20 * SECOND);
        offered.clear();

        world.unreachable = false;
        world.advance(5 * SECOND);

        assertThat(offered).contains(ACME);
    }
}
