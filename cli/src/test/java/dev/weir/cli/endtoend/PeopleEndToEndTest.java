package dev.weir.cli.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.api.Runs.AbandonRequest;
import dev.weir.api.Runs.Approval;
import dev.weir.api.Runs.GateRequest;
import dev.weir.api.Runs.OutputRequest;
import dev.weir.api.Starts.StartRunRequest;
import dev.weir.api.Work.WorkClaim;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * Tests people's decisions about runs, over HTTP and from the command line. Every run is in the middle of something
 * when the node is killed, and the tests continue with the runs on the next node.
 */
@SuppressWarnings("NullAway.Init") // set before the first test
class PeopleEndToEndTest {
    private static NodeDriver driver;
    private static WorkClaim asks;
    private static WorkClaim holder;
    private static WorkClaim released;

    @BeforeAll
    static void begin() throws Exception {
        driver = new NodeDriver("people", List.of());
        driver.start("gate", "steps: [{id: a, uses: gate.m, gate: {note: look}}, {id: b, needs: [a], gate: {}}]");
        driver.await("the gate", () -> driver.step("gate", "a").state().equals("waiting"));
        driver.client.approve("gate", "a", new GateRequest("ann", "fine"));
        driver.client.revoke("gate", "a", new GateRequest("bob", "not yet"));

        driver.apply("asks", "flow_control: {key: asks, parallelism: 1}\nsteps: [{id: a, uses: asks.m}]");
        driver.start("asks", "asks-1", null);
        asks = driver.claim("asks.m");
        driver.needsInput(asks, "'which size?'");
        driver.start("asks", "asks-2", null);

        driver.apply(
                "gives",
                "flow_control: {key: gives, parallelism: 1}\n"
                        + "steps: [{id: a, uses: gives.m, on_needs_input: release}]");
        driver.start("gives", "gives-1", null);
        released = driver.claim("gives.m");
        driver.needsInput(released, "'which size?'");
        driver.start("gives", "gives-2", null);
        holder = driver.claim("gives.m");

        driver.start("given_up", "steps: [{id: a, uses: given_up.m}]");
        driver.needsInput(driver.claim("given_up.m"), "null");

        driver.apply("leaves", "steps: [{id: a, uses: leaves.m, optional: true}, {id: b, needs: [a], uses: leaves.n}]");
        driver.start("leaves", "leaves-1", null);
        driver.start("leaves", "leaves-2", null);
        driver.client.skip("leaves-1", "a");

        driver.apply(
                "fits",
                "input_schema: {type: object, required: [order]}\n"
                        + "steps: [{id: a, uses: fits.m, output_schema: {type: object, required: [parcels]}},"
                        + " {id: b, needs: [a], uses: fits.n}]");
        driver.start("fits", "fits", "{}");

        driver.apply(
                "aims", "steps: [{id: a, uses: aims.m}, {id: b, needs: [a], uses: aims.m}, {id: c, uses: aims.n}]");
        driver.client.start(new StartRunRequest("aims", "aims", null, null, null, null, null, List.of("b")));

        driver.apply("queues", "flow_control: {key: queues, parallelism: 1}\nsteps: [{id: a, uses: queues.m}]");
        driver.start("queues", "queues-1", null);
        driver.start("queues", "queues-2", null);
        assertThat(driver.runCommand("run-step", "queues-2", "a", "--reason", "urgent"))
                .isEqualTo("queues-2/a: first in the queue; the next worker of its module gets it\n"
                        + "  no_worker: no worker polls for its module");

        driver.start("rests", "steps: [{id: a, uses: rests.m}]");
        driver.client.pause("rests");
        driver.node.restart();
    }

    @AfterAll
    static void close() {
        driver.close();
    }

    @Test
    @Tag("R2.14")
    void a_step_that_runs_now_stays_ahead_of_older_ones() throws Exception {
        WorkClaim first = driver.claim("queues.m");
        assertThat(first.run()).isEqualTo("queues-2");
        JsonNode held = json("run-step", "queues-1", "a");
        assertThat(held.path("outcome").asString("")).isEqualTo("held");
        assertThat(held.at("/reasons/0/limit/id").asString("")).isEqualTo("key:queues");
        driver.complete(first, "1");
        driver.complete(driver.claim("queues.m"), "1");
        driver.awaitEnd("queues-1", "completed");
    }

    @Test
    @Tag("R2.11")
    void a_gate_records_who_decided_what_and_when_and_opens_on_approval() throws Exception {
        Approval decided = Objects.requireNonNull(driver.step("gate", "a").approval());
        assertThat(decided.approved()).isFalse();
        assertThat(decided.by() + ": " + decided.note()).isEqualTo("bob: not yet");
        assertThat(decided.at()).isAfter(driver.client.run("gate").acceptedAt());
        assertThat(driver.why("gate", "a")).containsExactly("gate");
        assertThat(driver.poll("gate.m", "0s")).isEmpty();
        assertThat(driver.assertRefused(409, client -> client.revoke("gate", "a", new GateRequest(null, null))))
                .contains("is not approved");
        assertThat(driver.assertRefused(404, client -> client.approve("gate", "nothing", new GateRequest(null, null))))
                .contains("nothing");
        assertThat(driver.runCommand("approve", "gate", "a", "--by", "carol", "--note", "now"))
                .isEqualTo("gate/a: approved, ready");
        driver.complete(driver.claim("gate.m"), "1");
        assertThat(driver.assertRefused(409, client -> client.revoke("gate", "a", new GateRequest(null, null))))
                .contains("started");
        driver.await("the second gate", () -> driver.step("gate", "b").state().equals("waiting"));
        driver.runCommand("approve", "gate", "b", "--by", "carol");
        driver.awaitEnd("gate", "completed");
        Approval last = Objects.requireNonNull(driver.step("gate", "a").approval());
        assertThat(last.by() + ": " + last.note()).isEqualTo("carol: now");
        assertThat(driver.assertRefused(409, client -> client.approve("gate", "a", new GateRequest(null, null))))
                .contains("ended");
    }

    @Test
    @Tag("R2.6")
    void a_step_that_needs_input_keeps_its_allocation_until_the_input_arrives() throws Exception {
        assertThat(driver.why("asks-1", "a")).containsExactly("needs_input");
        assertThat(driver.step("asks-1", "a").output()).isEqualTo(NodeDriver.json("'which size?'"));
        assertThat(driver.why("asks-2", "a")).contains("limit");
        assertThat(driver.poll("asks.m", "0s")).isEmpty();
        assertThat(driver.runCommand("input", "asks-1", "a", "{\"size\": \"L\"}"))
                .isEqualTo("asks-1/a: provided, needs_input");
        assertThat(driver.assertRefused(409, client -> client.provide("asks-1", "a", null, NodeDriver.json("1"))))
                .contains("already has its input");
        WorkClaim again = driver.claim("asks.m");
        assertThat(again.run()).as("it continues before others").isEqualTo("asks-1");
        assertThat(again.fence()).isGreaterThan(asks.fence());
        assertThat(again.provided()).isEqualTo(NodeDriver.json("{'size': 'L'}"));
        driver.complete(again, "1");
        driver.complete(driver.claim("asks.m"), "2");
        driver.awaitEnd("asks-1", "completed");
        driver.awaitEnd("asks-2", "completed");
    }

    @Test
    @Tag("R2.6")
    void a_step_that_releases_its_allocation_while_it_needs_input_is_admitted_again() throws Exception {
        assertThat(driver.why("gives-1", "a")).containsExactly("needs_input");
        driver.client.provide("gives-1", "a", null, NodeDriver.json("'L'"));
        assertThat(driver.poll("gives.m", "0s")).as("another holds the key").isEmpty();
        assertThat(driver.why("gives-1", "a")).contains("limit");
        driver.complete(holder, "2");
        WorkClaim again = driver.claim("gives.m");
        assertThat(again.fence()).isGreaterThan(released.fence());
        assertThat(again.provided()).isEqualTo(NodeDriver.json("'L'"));
        driver.complete(again, "1");
        driver.awaitEnd("gives-1", "completed");
        driver.awaitEnd("gives-2", "completed");
    }

    @Test
    void a_step_that_needs_input_can_be_given_up() throws Exception {
        assertThat(driver.assertRefused(
                        409, client -> client.abandon("rests", "a", new AbandonRequest(null, null, null))))
                .contains("does not need input");
        driver.runCommand("abandon", "given_up", "a", "--by", "dora", "--reason", "nobody knows");
        driver.awaitEnd("given_up", "failed");
        assertThat(driver.step("given_up", "a").error()).contains("dora", "nobody knows");
    }

    @Test
    @Tag("R2.11")
    void an_optional_step_can_be_left_out_and_no_other() throws Exception {
        assertThat(driver.step("leaves-1", "a").state()).isEqualTo("skipped");
        assertThat(driver.assertRefused(409, client -> client.skip("leaves-2", "b")))
                .contains("is not optional");
        assertThat(driver.runCommand("skip", "leaves-2", "a")).isEqualTo("leaves-2/a: skipped");
        assertThat(driver.client.skip("leaves-2", "a").outcome()).isEqualTo("skipped");
        driver.complete(driver.claim("leaves.n"), "1");
        driver.complete(driver.claim("leaves.n"), "1");
        driver.awaitEnd("leaves-1", "completed");
        driver.awaitEnd("leaves-2", "completed");
    }

    @Test
    @Tag("R2.11")
    void a_run_waits_until_invalid_input_and_output_are_amended() throws Exception {
        assertThat(driver.why("fits", "a")).contains("missing_input");
        driver.runCommand("mend", "fits", "{\"order\": 7}");
        assertThat(driver.assertRefused(409, client -> client.amendInput("fits", NodeDriver.json("{'order': 8}"))))
                .contains("none of its steps lacks input");
        driver.complete(driver.claim("fits.m"), "{'parcel': 1}");
        driver.await("the output", () -> driver.why("fits", "b").contains("invalid_artifact"));
        assertThat(driver.poll("fits.n", "0s")).isEmpty();
        var wrong = new OutputRequest(NodeDriver.json("{'parcel': 2}"), "eve");
        assertThat(driver.assertRefused(422, client -> client.amendOutput("fits", "a", wrong)))
                .contains("parcels");
        driver.runCommand("mend", "fits", "--step", "a", "{\"parcels\": []}", "--by", "eve");
        driver.complete(driver.claim("fits.n"), "1");
        driver.awaitEnd("fits", "completed");
        assertThat(driver.step("fits", "a").output()).isEqualTo(NodeDriver.json("{'parcels': []}"));
    }

    @Test
    @Tag("R2.13")
    void only_the_target_steps_and_their_dependencies_run() throws Exception {
        driver.complete(driver.claim("aims.m"), "1");
        driver.complete(driver.claim("aims.m"), "2");
        driver.awaitEnd("aims", "completed");
        assertThat(driver.step("aims", "c").state()).isEqualTo("skipped");
        assertThat(driver.poll("aims.n", "0s")).isEmpty();
        var unknown = new StartRunRequest("aims", "aims-2", null, null, null, null, null, List.of("d"));
        assertThat(driver.assertRefused(422, client -> client.start(unknown))).contains("d");
    }

    @Test
    @Tag("R0.16")
    void a_run_that_is_paused_stays_so_until_it_is_resumed() throws Exception {
        assertThat(driver.client.run("rests").state()).isEqualTo("paused");
        assertThat(driver.poll("rests.m", "0s")).isEmpty();
        assertThat(driver.why("rests", "a")).contains("paused");
        driver.runCommand("resume", "rests");
        driver.complete(driver.claim("rests.m"), "1");
        driver.awaitEnd("rests", "completed");
        assertThat(driver.assertRefused(409, client -> client.pause("rests"))).contains("ended");
    }

    private static JsonNode json(String... command) throws Exception {
        List<String> all = new ArrayList<>(List.of(command));
        all.addAll(List.of("-o", "json"));
        return NodeDriver.json(driver.runCommand(all.toArray(String[]::new)));
    }

    @Test
    void a_command_on_a_run_or_a_step_returns_its_new_state() throws Exception {
        driver.start(
                "stands",
                "deadline: {after: 1h}\nsteps: [{id: a, gate: {}, uses: stands.m},"
                        + " {id: b, optional: true, uses: stands.m}, {id: c, wait_for: {signal: go}}]");
        driver.await("its start", () -> driver.client.run("stands").state().equals("running"));
        assertThat(json("pause", "stands"))
                .isEqualTo(NodeDriver.json("{'id': 'stands', 'state': 'paused', 'changed': true}"));
        assertThat(json("resume", "stands"))
                .isEqualTo(NodeDriver.json("{'id': 'stands', 'state': 'running', 'changed': true}"));
        assertThat(driver.runCommand("resume", "stands"))
                .isEqualTo("stands: unchanged, running (the run was not paused)");
        assertThat(json("extend", "stands", "3h").path("state").asString("")).isEqualTo("running");
        assertThat(driver.runCommand("signal", "stands", "other"))
                .isEqualTo("stands: signal sent, running (the run keeps the signal until a step waits for it)");
        assertThat(json("approve", "stands", "a"))
                .isEqualTo(NodeDriver.json("{'run': 'stands', 'step': 'a', 'outcome': 'approved', 'state': 'ready'}"));
        assertThat(json("revoke", "stands", "a").path("state").asString("")).isEqualTo("waiting");
        assertThat(json("skip", "stands", "b").path("state").asString("")).isEqualTo("skipped");
        assertThat(driver.runCommand("cancel", "stands")).isEqualTo("stands: cancelled");
        assertThat(json("retry", "stands").path("state").asString("")).isEqualTo("waiting");
    }
}
