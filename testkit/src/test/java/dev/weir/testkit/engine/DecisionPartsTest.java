package dev.weir.testkit.engine;

import static dev.weir.testkit.engine.Cranked.ACME;
import static dev.weir.testkit.engine.Cranked.answered;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.command.Assignment;
import dev.weir.core.command.Heartbeat;
import dev.weir.core.command.RegisterWorkflow;
import dev.weir.core.command.UpdateStep;
import dev.weir.core.reading.WorkflowReader;
import dev.weir.core.state.Move;
import dev.weir.core.state.Update;
import dev.weir.engine.StartOutcome;
import dev.weir.engine.StartRequest;
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

    private final Cranked cranked = new Cranked();

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

    private void register(String definition) {
        cranked.ask(new RegisterWorkflow(WorkflowReader.read(definition).orThrow()));
    }

    @Test
    void a_start_of_many_costly_steps_is_answered_at_once_and_others_are_served_in_between() {
        registerCostlySteps();
        String other = cranked.neighbour("other");
        cranked.register(other);
        var started = cranked.shard.start(ACME, start("r"));
        cranked.shard.runOnce();
        assertThat(answered(started)).isInstanceOf(StartOutcome.Started.class);

        int parts = 0;
        for (; cranked.shard.runOnce() == 0; parts++) {
            var served = cranked.shard.start(other, Cranked.request("other-" + parts));
            cranked.shard.runOnce();
            assertThat(answered(served)).isInstanceOf(StartOutcome.Started.class);
        }

        assertThat(parts).isGreaterThan(STEPS / 5);
        var open = cranked.shard.look(
                ACME, (organisation, now) -> organisation.openSteps("r", 100).size());
        cranked.turn();
        assertThat(answered(open)).isEqualTo(STEPS);
    }

    @Test
    void a_run_goes_on_where_its_node_died_between_two_parts() {
        registerCostlySteps();
        var started = cranked.shard.start(ACME, start("r"));
        cranked.shard.runOnce();
        assertThat(answered(started)).isInstanceOf(StartOutcome.Started.class);

        cranked.shard = cranked.open("another node");
        cranked.turn();

        var open = cranked.shard.look(
                ACME, (organisation, now) -> organisation.openSteps("r", 100).size());
        cranked.turn();
        assertThat(answered(open)).isEqualTo(STEPS);
    }

    @Test
    void starts_with_a_costly_key_are_decided_a_few_at_a_time() {
        registerCostlyKey();
        String other = cranked.neighbour("other");
        cranked.register(other);
        List<CompletableFuture<StartOutcome>> starts = new ArrayList<>();
        for (int i = 0; i < STEPS; i++) {
            starts.add(cranked.shard.start(ACME, start("r" + i)));
        }
        var served = cranked.shard.start(other, Cranked.request("other"));

        cranked.shard.runOnce();

        assertThat(answered(served)).isInstanceOf(StartOutcome.Started.class);
        assertThat(starts.stream().filter(CompletableFuture::isDone).count()).isBetween(1L, 3L);
        cranked.turn();
        assertThat(starts).allSatisfy(start -> assertThat(answered(start)).isInstanceOf(StartOutcome.Started.class));
    }

    @Test
    void a_heartbeat_behind_costly_starts_comes_before_the_expiry_of_its_claim() {
        cranked.register(ACME);
        cranked.start("worked-on");
        Assignment work = cranked.claim("q");
        registerCostlyKey();
        cranked.now += Cranked.LEASE;
        for (int i = 0; i < STEPS; i++) {
            var unused = cranked.shard.start(ACME, start("r" + i));
        }
        var beat = cranked.shard.send(
                ACME, new Heartbeat(work.claim().unit(), work.claim().fence()));

        cranked.shard.runOnce();

        assertThat(answered(beat)).isInstanceOf(Heartbeat.Answer.Extended.class);
    }

    @Test
    void reports_that_are_costly_to_check_are_decided_a_few_at_a_time_and_renew_their_claims() {
        var choices = "{ const: 0 }, ".repeat(900) + "{ const: 1 }";
        register("workflow: costly\nsteps:\n  - id: a\n    uses: hello\n" + "    output_schema: { items: { anyOf: [ "
                + choices + " ] } }\n");
        List<Assignment> works = new ArrayList<>();
        for (int i = 0; i < STEPS; i++) {
            var unused = cranked.shard.start(ACME, start("r" + i));
            works.add(cranked.claim("q" + i));
        }
        cranked.now += Cranked.LEASE;
        ArrayNode output = JsonNodeFactory.instance.arrayNode();
        for (int i = 0; i < 50; i++) {
            output.add(2);
        }
        List<CompletableFuture<UpdateStep.Answer>> reports = new ArrayList<>();
        for (Assignment work : works) {
            var done = new UpdateStep(work.claim().unit(), work.claim().fence(), new Update.Completed(output));
            reports.add(cranked.shard.send(ACME, done));
        }

        cranked.shard.runOnce();

        assertThat(reports.stream().filter(CompletableFuture::isDone).count()).isBetween(1L, 3L);
        assertThat(cranked.sent).filteredOn(Move.Extended.class::isInstance).hasSizeGreaterThan(STEPS / 2);
        cranked.turn();
        assertThat(reports).allSatisfy(report -> assertThat(answered(report)).isEqualTo(UpdateStep.Answer.APPLIED));
    }

    @Test
    void starts_with_a_costly_key_that_programs_have_left_are_taken_a_few_at_a_time() {
        registerCostlyKey();
        for (int i = 0; i < STEPS; i++) {
            cranked.journal.leave(ACME, start("r" + i));
        }
        int committed = 0;
        int most = 0;
        while (!cranked.journal.inbox().isEmpty()) {
            int before = cranked.journal.inbox().size();
            cranked.shard.inboxWaits();
            cranked.now += Cranked.SECOND / 10;
            cranked.shard.runOnce();
            most = Math.max(most, before - cranked.journal.inbox().size());
            committed++;
            assertThat(committed).isLessThan(10 * STEPS);
        }

        assertThat(most).isLessThanOrEqualTo(3);
        assertThat(cranked.journal.rows(ACME, cranked.now).runs()).hasSize(STEPS);
    }
}
