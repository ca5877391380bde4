package dev.weir.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.command.CancelRun;
import dev.weir.core.command.RegisterWorkflow;
import dev.weir.core.command.UpdateStep;
import dev.weir.core.reading.WorkflowReader;
import dev.weir.core.state.Attribution;
import dev.weir.core.state.Move;
import dev.weir.core.state.RunState;
import dev.weir.core.state.Update;
import dev.weir.engine.request.RetryOutcome;
import dev.weir.engine.request.StartRequest;
import dev.weir.testkit.journal.JournalFaults.CommitFate;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;

/** Tests the work that a node does by itself: it invokes runs, emits events, and retries ended runs. */
class NestingTest {
    private final SteppedShard world = new SteppedShard();

    @BeforeEach
    void register() {
        world.register(SteppedShard.ACME);
        register("""
                workflow: shop
                steps:
                  - { id: bill, invoke: { workflow: greet, input: {} } }
                  - { id: tell, needs: [bill], emit: { event: closed, data: { by: "${{ run.id }}" } } }
                """);
    }

    private void register(String definition) {
        world.send(new RegisterWorkflow(WorkflowReader.read(definition).orThrow()));
    }

    private void start(String workflow, String run) {
        var answer = world.shard.start(
                SteppedShard.ACME, StartRequest.of(run, workflow, JsonNodeFactory.instance.objectNode()));
        world.runUntilIdle();
        SteppedShard.answered(answer);
    }

    private List<Move.EventReceived> emitted() {
        return world.sentMoves.stream()
                .filter(Move.EventReceived.class::isInstance)
                .map(Move.EventReceived.class::cast)
                .toList();
    }

    @Test
    @Tag("S7")
    void a_run_invoked_by_one_node_reports_its_end_to_the_next_node() {
        start("shop", "r");
        var work = world.claim("q");
        assertThat(work.claim().unit()).hasToString("r.bill.1/say");
        world.shard.close("it is stopped");
        world.shard = world.open("next");
        world.send(SteppedShard.noOpReport(work));
        assertThat(state("r")).isEqualTo(RunState.COMPLETED);
        assertThat(emitted()).extracting(received -> received.event().name()).containsExactly("closed");
    }

    @Test
    @Tag("S6")
    void a_commit_of_unknown_outcome_neither_invokes_nor_emits_twice() {
        world.fates.add(CommitFate.WRITTEN_UNTOLD);
        var answer = world.shard.start(
                SteppedShard.ACME, StartRequest.of("r", "shop", JsonNodeFactory.instance.objectNode()));
        world.advance(SteppedShard.SECOND);
        SteppedShard.answered(answer);
        var work = world.claim("q");
        world.fates.add(CommitFate.WRITTEN_UNTOLD);
        CompletableFuture<UpdateStep.Answer> told = world.shard.send(SteppedShard.ACME, SteppedShard.noOpReport(work));
        world.advance(SteppedShard.SECOND);
        assertThat(SteppedShard.answered(told)).isEqualTo(UpdateStep.Answer.REPLAYED);
        assertThat(emitted()).hasSize(1);
        assertThat(world.sentMoves.stream().filter(Move.RunAccepted.class::isInstance))
                .hasSize(2);
    }

    @Test
    void a_version_that_was_registered_in_the_same_pass_can_be_invoked() {
        register("workflow: late\nsteps: [ { id: x, invoke: { workflow: later, input: {} } } ]");
        var registered = world.shard.send(
                SteppedShard.ACME,
                new RegisterWorkflow(WorkflowReader.read("workflow: later\nsteps: [ { id: say, uses: hello } ]")
                        .orThrow()));
        var started = world.shard.start(
                SteppedShard.ACME, StartRequest.of("r", "late", JsonNodeFactory.instance.objectNode()));
        world.runUntilIdle();
        SteppedShard.answered(registered);
        SteppedShard.answered(started);
        assertThat(world.claim("q").claim().unit()).hasToString("r.x.1/say");
    }

    @Test
    @Tag("S5")
    @Tag("S7")
    void a_failed_run_is_retried_once_whatever_the_outcome_of_the_commit() {
        start("greet", "r");
        var work = world.claim("q");
        world.send(new UpdateStep(work.claim().unit(), work.claim().fence(), new Update.Failed("no", true)));
        world.fates.add(CommitFate.WRITTEN_UNTOLD);
        var first = world.shard.retry(SteppedShard.ACME, "r", "r.retry-1", Attribution.PROGRAM);
        world.advance(SteppedShard.SECOND);
        assertThat(SteppedShard.answered(first))
                .isEqualTo(new RetryOutcome.Existing("r.retry-1", RunState.RUNNING, "greet", 1));
        assertThat(retry("r", "r.retry-1")).isInstanceOf(RetryOutcome.Existing.class);
        assertThat(world.claim("again").claim().unit()).hasToString("r.retry-1/say");
    }

    @Test
    void a_refused_retry_names_its_cause() {
        start("greet", "r");
        assertThat(retry("r", "r2")).isEqualTo(new RetryOutcome.NotEnded(RunState.RUNNING));
        assertThat(retry("nobody", "n2")).isEqualTo(new RetryOutcome.NotFound());
        world.send(SteppedShard.noOpReport(world.claim("q")));
        assertThat(retry("r", "r2")).isEqualTo(new RetryOutcome.Completed());
        start("greet", "s");
        world.send(new CancelRun("s", null, "enough"));
        start("greet", "taken");
        assertThat(retry("s", "taken")).isEqualTo(new RetryOutcome.OtherBody("taken"));
        assertThat(retry("s", "x".repeat(300))).isInstanceOf(RetryOutcome.Refused.class);
        assertThat(retry("s", "s2")).isEqualTo(new RetryOutcome.Started("s2", RunState.RUNNING, "greet", 1));
    }

    @Test
    void a_run_that_ends_in_the_same_pass_can_be_tried_again() {
        start("greet", "r");
        var cancelled = world.shard.send(SteppedShard.ACME, new CancelRun("r", null, "enough"));
        var retried = world.shard.retry(SteppedShard.ACME, "r", "r2", Attribution.PROGRAM);
        world.runUntilIdle();
        SteppedShard.answered(cancelled);
        assertThat(SteppedShard.answered(retried)).isInstanceOf(RetryOutcome.Started.class);
    }

    private RetryOutcome retry(String run, String as) {
        var answer = world.shard.retry(SteppedShard.ACME, run, as, Attribution.PROGRAM);
        world.runUntilIdle();
        return SteppedShard.answered(answer);
    }

    private RunState state(String run) {
        return world.journal
                .records()
                .findRun(SteppedShard.ACME, run)
                .orElseThrow()
                .state();
    }
}
