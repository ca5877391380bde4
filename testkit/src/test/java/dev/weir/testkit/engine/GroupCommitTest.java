package dev.weir.testkit.engine;

import static dev.weir.testkit.engine.SteppedShard.ACME;
import static dev.weir.testkit.engine.SteppedShard.SECOND;
import static dev.weir.testkit.engine.SteppedShard.answered;
import static dev.weir.testkit.engine.SteppedShard.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.command.CancelRun;
import dev.weir.core.command.RegisterWorkflow;
import dev.weir.core.definition.Workflow;
import dev.weir.core.definition.WorkflowLimits;
import dev.weir.core.state.RunState;
import dev.weir.engine.request.StartOutcome;
import dev.weir.engine.shard.CounterName;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests that a shard commits many commands in one transaction, and answers after the commit. */
@Tag("S7")
class GroupCommitTest {
    private final SteppedShard world = new SteppedShard();

    private List<CompletableFuture<StartOutcome>> starts(String org, String prefix, int count) {
        List<CompletableFuture<StartOutcome>> answers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            answers.add(world.shard.start(org, request(prefix + i)));
        }
        return answers;
    }

    @Test
    void four_thousand_commands_cost_two_commits() {
        world.register(ACME);
        long before = world.count(CounterName.COMMITS);
        var answers = starts(ACME, "r", 4_000);
        world.runUntilIdle();
        assertThat(answers).allMatch(CompletableFuture::isDone);
        assertThat(world.count(CounterName.COMMITS) - before).isEqualTo(2);
    }

    @Test
    void callers_are_answered_only_after_the_commit() {
        world.register(ACME);
        var answer = world.shard.start(ACME, request("r"));
        List<Boolean> doneBefore = new ArrayList<>();
        world.onCommit = () -> doneBefore.add(answer.isDone());
        world.runUntilIdle();
        assertThat(doneBefore).containsOnly(false);
        assertThat(answered(answer)).isEqualTo(new StartOutcome.Started("r", RunState.RUNNING, 1));
    }

    @Test
    void organisations_take_turns_within_a_batch() {
        String other = world.neighbour("other");
        world.register(ACME);
        world.register(other);
        var unused = starts(ACME, "r", 5_000);
        var late = world.shard.start(other, request("r"));
        assertThat(world.shard.runOnce()).as("decides the first batch").isZero();
        assertThat(world.shard.runOnce()).as("writes it").isZero();
        assertThat(late).isDone();
    }

    @Test
    void a_workflow_can_be_registered_and_started_in_one_batch() {
        world.runUntilIdle();
        var registered = world.shard.send(ACME, new RegisterWorkflow(SteppedShard.workflow("greet")));
        var started = world.shard.start(ACME, request("r"));
        world.runUntilIdle();
        assertThat(answered(registered).version()).isEqualTo(1);
        assertThat(answered(started)).isEqualTo(new StartOutcome.Started("r", RunState.RUNNING, 1));
    }

    @Test
    void a_pass_that_changes_nothing_commits_nothing() {
        world.register(ACME);
        long before = world.count(CounterName.COMMITS);
        assertThat(world.send(new CancelRun("nobody", null, "test"))).isEqualTo(new CancelRun.Answer.NotFound());
        assertThat(world.count(CounterName.COMMITS)).isEqualTo(before);
    }

    @Test
    void a_decision_that_has_become_too_old_for_a_rate_is_made_again_once() {
        world.send(new RegisterWorkflow(Workflow.named("greet")
                .limits(new WorkflowLimits(null, 10, null, 10))
                .step("say")
                .uses("hello")
                .build()));
        world.onBegin = () -> {
            world.onBegin = () -> {};
            world.now += SECOND;
        };
        var answer = world.shard.start(ACME, request("r"));
        world.runUntilIdle();
        assertThat(answered(answer)).isInstanceOf(StartOutcome.Started.class);
        assertThat(world.count(CounterName.DECIDED_ANEW)).isEqualTo(1);
        assertThat(world.journal.rows(ACME, world.now).runs().getFirst().acceptedAt())
                .isEqualTo(world.now);
    }

    @Test
    void time_does_not_go_back_with_the_store() {
        world.register(ACME);
        world.start("r1");
        long first = world.journal.rows(ACME, world.now).runs().getFirst().acceptedAt();
        world.now -= 5 * SECOND;
        world.start("r2");
        assertThat(world.journal.rows(ACME, world.now).runs().getLast().acceptedAt())
                .isGreaterThanOrEqualTo(first);
    }

    @Test
    void a_query_sees_what_was_committed_with_it() {
        world.register(ACME);
        var unused = world.shard.start(ACME, request("r"));
        var seen = world.shard.query(ACME, (org, now) -> org.findRun("r").isPresent());
        world.runUntilIdle();
        assertThat(answered(seen)).isTrue();
    }
}
