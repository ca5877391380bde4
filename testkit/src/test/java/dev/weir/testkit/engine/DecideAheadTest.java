package dev.weir.testkit.engine;

import static dev.weir.testkit.engine.SteppedShard.ACME;
import static dev.weir.testkit.engine.SteppedShard.LEASE;
import static dev.weir.testkit.engine.SteppedShard.SECOND;
import static dev.weir.testkit.engine.SteppedShard.answered;
import static dev.weir.testkit.engine.SteppedShard.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.command.ClaimWork;
import dev.weir.core.command.RegisterWorkflow;
import dev.weir.core.definition.Workflow;
import dev.weir.core.definition.WorkflowLimits;
import dev.weir.core.state.RunState;
import dev.weir.engine.request.StartOutcome;
import dev.weir.engine.shard.CounterName;
import dev.weir.testkit.journal.JournalFaults.CommitFate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that a shard decides the next batch while a batch is written, and answers nobody before the commit. */
class DecideAheadTest {
    private static final int BATCH = 2_000;

    private final SteppedShard world = new SteppedShard();

    private List<CompletableFuture<StartOutcome>> starts(int count) {
        List<CompletableFuture<StartOutcome>> answers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            answers.add(world.shard.start(ACME, request("r" + i)));
        }
        return answers;
    }

    private static long answeredCount(List<CompletableFuture<StartOutcome>> answers) {
        return answers.stream().filter(CompletableFuture::isDone).count();
    }

    private int storedRuns() {
        return world.journal.rows(ACME, world.now).runs().size();
    }

    @Test
    void a_batch_is_decided_while_the_one_before_is_written() {
        world.register(ACME);
        var answers = starts(2 * BATCH + 500);
        List<Long> answeredBefore = new ArrayList<>();
        world.onCommit = () -> answeredBefore.add(answeredCount(answers));
        assertThat(world.shard.runOnce()).isZero();
        assertThat(storedRuns()).as("decided, and not yet written").isZero();
        assertThat(world.shard.runOnce()).isZero();
        assertThat(storedRuns()).isEqualTo(BATCH);
        assertThat(answeredCount(answers)).isEqualTo(BATCH);
        world.runUntilIdle();
        assertThat(answeredBefore).containsExactly(0L, (long) BATCH, 2L * BATCH);
        assertThat(storedRuns()).isEqualTo(answers.size());
        assertThat(answers).allMatch(answer -> answered(answer) instanceof StartOutcome.Started);
    }

    @ParameterizedTest
    @EnumSource(CommitFate.class)
    void commands_decided_after_a_failed_batch_are_decided_again_in_the_same_order(CommitFate fate) {
        world.register(ACME);
        var answers = starts(2 * BATCH + 500);
        if (fate == CommitFate.REFUSED) {
            boolean[] once = new boolean[1];
            world.refusedCommits = moves -> !once[0] && (once[0] = true);
        } else {
            world.fates.add(fate);
        }
        world.runUntilIdle();
        world.advance(5 * SECOND);
        assertThat(answers).allMatch(CompletableFuture::isDone);
        List<String> order = new ArrayList<>();
        world.journal.rows(ACME, world.now).runs().forEach(run -> order.add(run.id()));
        List<String> asked = new ArrayList<>();
        for (int i = 0; i < answers.size(); i++) {
            asked.add("r" + i);
        }
        assertThat(order).isEqualTo(asked);
    }

    @Test
    void a_query_sees_what_was_written_and_nothing_that_was_decided_after() {
        world.register(ACME);
        var unused = starts(BATCH - 1);
        var seen = world.shard.query(
                ACME, (org, now) -> org.runsBetween(0, Long.MAX_VALUE).size());
        var after = world.shard.start(ACME, request("after"));
        world.runUntilIdle();
        assertThat(answered(seen)).isEqualTo(BATCH - 1);
        assertThat(answered(after)).isEqualTo(new StartOutcome.Started("after", RunState.RUNNING, 1));
    }

    @Test
    void a_poll_that_was_served_in_an_unwritten_batch_does_not_time_out() {
        world.register(ACME);
        var work = new ClaimWork("poll", "worker", List.of(new ClaimWork.ServedModule("hello")), 10, LEASE);
        var claim = world.shard.claim(ACME, work, SECOND / 5);
        world.runUntilIdle();
        var unused = starts(BATCH + 100);
        assertThat(world.shard.runOnce()).isZero();
        assertThat(claim).as("decided, and not yet written").isNotDone();
        world.now += SECOND / 4;
        world.runUntilIdle();
        assertThat(answered(claim)).hasSize(10);
        assertThat(world.count(CounterName.DECIDED_ANEW)).isZero();
    }

    private void onNextCommit(Runnable action) {
        world.onCommit = () -> {
            world.onCommit = () -> {};
            action.run();
        };
    }

    @Test
    void a_batch_that_waited_too_long_is_decided_again_if_it_counts_against_a_rate() {
        world.send(new RegisterWorkflow(Workflow.named("greet")
                .limits(new WorkflowLimits(null, 1_000_000, null, 10))
                .step("say")
                .uses("hello")
                .build()));
        var answers = starts(2 * BATCH);
        onNextCommit(() -> world.now += SECOND);
        world.runUntilIdle();
        assertThat(answers).allMatch(CompletableFuture::isDone);
        assertThat(world.count(CounterName.DECIDED_ANEW)).isEqualTo(1);
        assertThat(world.journal.rows(ACME, world.now).runs().getLast().acceptedAt())
                .isEqualTo(world.now);
    }

    @Test
    void a_batch_that_waited_too_long_is_written_late_if_nothing_in_it_depends_on_time() {
        world.register(ACME);
        world.start("warm");
        var waiting = world.poll("q");
        world.runUntilIdle();
        long loads = world.count(CounterName.LOADS);
        var answers = starts(3 * BATCH);
        onNextCommit(() -> world.now += SECOND);
        world.runUntilIdle();
        assertThat(answers).allMatch(answer -> answered(answer) instanceof StartOutcome.Started);
        assertThat(answered(waiting)).hasSize(1);
        assertThat(world.count(CounterName.DECIDED_ANEW)).isZero();
        assertThat(world.count(CounterName.LOADS) - loads).isZero();
        assertThat(storedRuns()).isEqualTo(3 * BATCH + 1);
    }

    @Test
    void a_batch_that_is_very_old_when_it_is_written_is_always_decided_again() {
        world.register(ACME);
        var answers = starts(2 * BATCH);
        onNextCommit(() -> world.sleep(60 * SECOND));
        world.runUntilIdle();
        assertThat(answers).allMatch(CompletableFuture::isDone);
        assertThat(world.count(CounterName.DECIDED_ANEW)).isEqualTo(1);
        assertThat(world.journal.rows(ACME, world.now).runs().getLast().acceptedAt())
                .isEqualTo(world.now);
    }

    @Test
    void a_slow_commit_does_not_age_the_batches_after_it() {
        world.register(ACME);
        world.start("warm");
        world.onCommit = () -> world.now += SECOND;
        var slow = world.shard.start(ACME, request("slow"));
        world.runUntilIdle();
        world.onCommit = () -> {};
        var next = world.shard.start(ACME, request("next"));
        world.runUntilIdle();
        assertThat(List.of(slow, next)).allMatch(answer -> answered(answer) instanceof StartOutcome.Started);
        assertThat(world.count(CounterName.DECIDED_ANEW)).isZero();
    }
}
