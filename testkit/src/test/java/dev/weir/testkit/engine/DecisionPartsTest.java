package dev.weir.testkit.engine;

import static dev.weir.testkit.engine.SteppedShard.ACME;
import static dev.weir.testkit.engine.SteppedShard.answered;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.command.Assignment;
import dev.weir.core.command.Heartbeat;
import dev.weir.core.command.RegisterWorkflow;
import dev.weir.core.command.UpdateStep;
import dev.weir.core.reading.WorkflowReader;
import dev.weir.core.state.Move;
import dev.weir.core.state.Update;
import dev.weir.engine.request.StartOutcome;
import dev.weir.engine.request.StartRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Tests that work which costs more than one decision may cost is committed in parts, and that other requests are served
 * in between.
 */
@Tag("L8")
class DecisionPartsTest {
    private static final String COSTLY = "${{ range(19000).all(i, i >= 0) }}";
    private static final int STEPS = 30;

    private final SteppedShard world = new SteppedShard();

    private static StartRequest start(String run) {
        return StartRequest.of(run, "costly", JsonNodeFactory.instance.objectNode());
    }

    private void registerCostlySteps() {
        var steps = new StringBuilder("workflow: costly\nsteps:\n");
        for (int i = 0; i < STEPS; i++) {
            steps.append("  - { id: s")
                    .append(i)
                    .append(", uses: m, with: { x: \"")
                    .append(COSTLY)
                    .append("\" } }\n");
        }
        register(steps.toString());
    }

    private void registerCostlyKey() {
        register("workflow: costly\nlimits: { run_key: \"" + COSTLY
                + "\", max_concurrent_runs_per_key: 1 }\nsteps: [ { id: a, uses: m } ]\n");
    }

    @Test
    void others_are_served_while_an_organisation_is_loaded_in_parts() {
        String other = world.neighbour("other");
        registerCostlySteps();
        world.register(other);
        world.shard.close("done");
        world.shard = world.open("node");
        world.unfinishedLoads = 3;

        var slow = world.shard.start(ACME, start("r"));
        var fast = world.shard.start(other, SteppedShard.request("q"));
        world.shard.runOnce();

        assertThat(answered(fast)).isInstanceOf(StartOutcome.Started.class);
        assertThat(slow).isNotDone();
        world.runUntilIdle();
        assertThat(answered(slow)).isInstanceOf(StartOutcome.Started.class);
        assertThat(world.unfinishedLoads).isZero();
    }

    private void register(String definition) {
        world.send(new RegisterWorkflow(WorkflowReader.read(definition).orThrow()));
    }

    @Test
    void a_start_of_many_costly_steps_is_answered_at_once_and_others_are_served_in_between() {
        registerCostlySteps();
        String other = world.neighbour("other");
        world.register(other);
        var started = world.shard.start(ACME, start("r"));
        world.shard.runOnce();
        assertThat(answered(started)).isInstanceOf(StartOutcome.Started.class);

        int parts = 0;
        for (; world.shard.runOnce() == 0; parts++) {
            var served = world.shard.start(other, SteppedShard.request("other-" + parts));
            world.shard.runOnce();
            assertThat(answered(served)).isInstanceOf(StartOutcome.Started.class);
        }

        assertThat(parts).isGreaterThan(STEPS / 5);
        var open = world.shard.query(
                ACME, (organisation, now) -> organisation.openSteps("r", 100).size());
        world.runUntilIdle();
        assertThat(answered(open)).isEqualTo(STEPS);
    }

    @Test
    void a_run_goes_on_where_its_node_died_between_two_parts() {
        registerCostlySteps();
        var started = world.shard.start(ACME, start("r"));
        world.shard.runOnce();
        assertThat(answered(started)).isInstanceOf(StartOutcome.Started.class);

        world.shard = world.open("another node");
        world.runUntilIdle();

        var open = world.shard.query(
                ACME, (organisation, now) -> organisation.openSteps("r", 100).size());
        world.runUntilIdle();
        assertThat(answered(open)).isEqualTo(STEPS);
    }

    @Test
    void starts_with_a_costly_key_are_decided_a_few_at_a_time() {
        registerCostlyKey();
        String other = world.neighbour("other");
        world.register(other);
        List<CompletableFuture<StartOutcome>> starts = new ArrayList<>();
        for (int i = 0; i < STEPS; i++) {
            starts.add(world.shard.start(ACME, start("r" + i)));
        }
        var served = world.shard.start(other, SteppedShard.request("other"));

        world.shard.runOnce();

        assertThat(answered(served)).isInstanceOf(StartOutcome.Started.class);
        assertThat(starts.stream().filter(CompletableFuture::isDone).count()).isBetween(1L, 3L);
        world.runUntilIdle();
        assertThat(starts).allSatisfy(start -> assertThat(answered(start)).isInstanceOf(StartOutcome.Started.class));
    }

    @Test
    void a_heartbeat_behind_costly_starts_comes_before_the_expiry_of_its_claim() {
        world.register(ACME);
        world.start("worked-on");
        Assignment work = world.claim("q");
        registerCostlyKey();
        world.now += SteppedShard.LEASE;
        for (int i = 0; i < STEPS; i++) {
            var unused = world.shard.start(ACME, start("r" + i));
        }
        var beat = world.shard.send(
                ACME, new Heartbeat(work.claim().unit(), work.claim().fence()));

        world.shard.runOnce();

        assertThat(answered(beat)).isInstanceOf(Heartbeat.Answer.Extended.class);
    }

    @Test
    void reports_that_are_costly_to_check_are_decided_a_few_at_a_time_and_renew_their_claims() {
        var choices = "{ const: 0 }, ".repeat(900) + "{ const: 1 }";
        register("workflow: costly\nsteps:\n  - id: a\n    uses: hello\n" + "    output_schema: { items: { anyOf: [ "
                + choices + " ] } }\n");
        List<Assignment> works = new ArrayList<>();
        for (int i = 0; i < STEPS; i++) {
            var unused = world.shard.start(ACME, start("r" + i));
            works.add(world.claim("q" + i));
        }
        world.now += SteppedShard.LEASE;
        ArrayNode output = JsonNodeFactory.instance.arrayNode();
        for (int i = 0; i < 50; i++) {
            output.add(2);
        }
        List<CompletableFuture<UpdateStep.Answer>> reports = new ArrayList<>();
        for (Assignment work : works) {
            var done = new UpdateStep(work.claim().unit(), work.claim().fence(), new Update.Completed(output));
            reports.add(world.shard.send(ACME, done));
        }

        world.shard.runOnce();

        assertThat(reports.stream().filter(CompletableFuture::isDone).count()).isBetween(1L, 3L);
        assertThat(world.sentMoves).filteredOn(Move.Extended.class::isInstance).hasSizeGreaterThan(STEPS / 2);
        world.runUntilIdle();
        assertThat(reports).allSatisfy(report -> assertThat(answered(report)).isEqualTo(UpdateStep.Answer.APPLIED));
    }

    @Test
    void starts_with_a_costly_key_that_programs_have_left_are_taken_a_few_at_a_time() {
        registerCostlyKey();
        for (int i = 0; i < STEPS; i++) {
            world.journal.addToInbox(ACME, start("r" + i));
        }
        int committed = 0;
        int most = 0;
        while (!world.journal.inbox().isEmpty()) {
            int before = world.journal.inbox().size();
            world.shard.notifyInbox();
            world.now += SteppedShard.SECOND / 10;
            world.shard.runOnce();
            most = Math.max(most, before - world.journal.inbox().size());
            committed++;
            assertThat(committed).isLessThan(10 * STEPS);
        }

        assertThat(most).isLessThanOrEqualTo(3);
        assertThat(world.journal.rows(ACME, world.now).runs()).hasSize(STEPS);
    }
}
