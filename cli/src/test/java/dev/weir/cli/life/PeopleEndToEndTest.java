package dev.weir.cli.life;

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
    private static Stage stage;
    private static WorkClaim asks;
    private static WorkClaim holder;
    private static WorkClaim released;

    @BeforeAll
    static void begin() throws Exception {
        stage = new Stage("people", List.of());
        stage.start("gate", "steps: [{id: a, uses: gate.m, gate: {note: look}}, {id: b, needs: [a], gate: {}}]");
        stage.await("the gate", () -> stage.step("gate", "a").state().equals("waiting"));
        stage.client.approve("gate", "a", new GateRequest("ann", "fine"));
        stage.client.revoke("gate", "a", new GateRequest("bob", "not yet"));

        stage.apply("asks", "flow_control: {key: asks, parallelism: 1}\nsteps: [{id: a, uses: asks.m}]");
        stage.start("asks", "asks-1", null);
        asks = stage.claim("asks.m");
        stage.needsInput(asks, "'which size?'");
        stage.start("asks", "asks-2", null);

        stage.apply(
                "gives",
                "flow_control: {key: gives, parallelism: 1}\n"
                        + "steps: [{id: a, uses: gives.m, on_needs_input: release}]");
        stage.start("gives", "gives-1", null);
        released = stage.claim("gives.m");
        stage.needsInput(released, "'which size?'");
        stage.start("gives", "gives-2", null);
        holder = stage.claim("gives.m");

        stage.start("given_up", "steps: [{id: a, uses: given_up.m}]");
        stage.needsInput(stage.claim("given_up.m"), "null");

        stage.apply("leaves", "steps: [{id: a, uses: leaves.m, optional: true}, {id: b, needs: [a], uses: leaves.n}]");
        stage.start("leaves", "leaves-1", null);
        stage.start("leaves", "leaves-2", null);
        stage.client.skip("leaves-1", "a");

        stage.apply(
                "fits",
                "input_schema: {type: object, required: [order]}\n"
                        + "steps: [{id: a, uses: fits.m, output_schema: {type: object, required: [parcels]}},"
                        + " {id: b, needs: [a], uses: fits.n}]");
        stage.start("fits", "fits", "{}");

        stage.apply("aims", "steps: [{id: a, uses: aims.m}, {id: b, needs: [a], uses: aims.m}, {id: c, uses: aims.n}]");
        stage.client.start(new StartRunRequest("aims", "aims", null, null, null, null, null, List.of("b")));

        stage.start("rests", "steps: [{id: a, uses: rests.m}]");
        stage.client.pause("rests");
        stage.node.killAndStartAgain();
    }

    @AfterAll
    static void close() {
        stage.close();
    }

    @Test
    @Tag("R2.11")
    void a_gate_keeps_who_decided_what_and_when_and_opens_for_one_who_approves() throws Exception {
        Approval decided = Objects.requireNonNull(stage.step("gate", "a").approval());
        assertThat(decided.approved()).isFalse();
        assertThat(decided.by() + ": " + decided.note()).isEqualTo("bob: not yet");
        assertThat(decided.at()).isAfter(stage.client.run("gate").acceptedAt());
        assertThat(stage.why("gate", "a")).containsExactly("gate");
        assertThat(stage.ask("gate.m", "0s")).isEmpty();
        assertThat(stage.refused(409, client -> client.revoke("gate", "a", new GateRequest(null, null))))
                .contains("is not approved");
        assertThat(stage.refused(404, client -> client.approve("gate", "nothing", new GateRequest(null, null))))
                .contains("nothing");
        assertThat(stage.weir("approve", "gate", "a", "--by", "carol", "--note", "now"))
                .isEqualTo("gate/a: approved, ready");
        stage.complete(stage.claim("gate.m"), "1");
        assertThat(stage.refused(409, client -> client.revoke("gate", "a", new GateRequest(null, null))))
                .contains("started");
        stage.await("the second gate", () -> stage.step("gate", "b").state().equals("waiting"));
        stage.weir("approve", "gate", "b", "--by", "carol");
        stage.ended("gate", "completed");
        Approval last = Objects.requireNonNull(stage.step("gate", "a").approval());
        assertThat(last.by() + ": " + last.note()).isEqualTo("carol: now");
        assertThat(stage.refused(409, client -> client.approve("gate", "a", new GateRequest(null, null))))
                .contains("ended");
    }

    @Test
    @Tag("R2.6")
    void a_step_that_needs_input_keeps_what_it_holds_until_it_has_it() throws Exception {
        assertThat(stage.why("asks-1", "a")).containsExactly("needs_input");
        assertThat(stage.step("asks-1", "a").output()).isEqualTo(Stage.json("'which size?'"));
        assertThat(stage.why("asks-2", "a")).contains("limit");
        assertThat(stage.ask("asks.m", "0s")).isEmpty();
        assertThat(stage.weir("input", "asks-1", "a", "{\"size\": \"L\"}"))
                .isEqualTo("asks-1/a: provided, needs_input");
        assertThat(stage.refused(409, client -> client.provide("asks-1", "a", null, Stage.json("1"))))
                .contains("already has its input");
        WorkClaim again = stage.claim("asks.m");
        assertThat(again.run()).as("it goes on before those who wait").isEqualTo("asks-1");
        assertThat(again.fence()).isGreaterThan(asks.fence());
        assertThat(again.provided()).isEqualTo(Stage.json("{'size': 'L'}"));
        stage.complete(again, "1");
        stage.complete(stage.claim("asks.m"), "2");
        stage.ended("asks-1", "completed");
        stage.ended("asks-2", "completed");
    }

    @Test
    @Tag("R2.6")
    void a_step_that_gives_everything_back_meanwhile_is_admitted_anew() throws Exception {
        assertThat(stage.why("gives-1", "a")).containsExactly("needs_input");
        stage.client.provide("gives-1", "a", null, Stage.json("'L'"));
        assertThat(stage.ask("gives.m", "0s")).as("another holds the key").isEmpty();
        assertThat(stage.why("gives-1", "a")).contains("limit");
        stage.complete(holder, "2");
        WorkClaim again = stage.claim("gives.m");
        assertThat(again.fence()).isGreaterThan(released.fence());
        assertThat(again.provided()).isEqualTo(Stage.json("'L'"));
        stage.complete(again, "1");
        stage.ended("gives-1", "completed");
        stage.ended("gives-2", "completed");
    }

    @Test
    void a_step_that_needs_input_can_be_given_up() throws Exception {
        assertThat(stage.refused(409, client -> client.abandon("rests", "a", new AbandonRequest(null, null, null))))
                .contains("does not need input");
        stage.weir("abandon", "given_up", "a", "--by", "dora", "--reason", "nobody knows");
        stage.ended("given_up", "failed");
        assertThat(stage.step("given_up", "a").error()).contains("dora", "nobody knows");
    }

    @Test
    @Tag("R2.11")
    void an_optional_step_can_be_left_out_and_no_other() throws Exception {
        assertThat(stage.step("leaves-1", "a").state()).isEqualTo("skipped");
        assertThat(stage.refused(409, client -> client.skip("leaves-2", "b"))).contains("is not optional");
        assertThat(stage.weir("skip", "leaves-2", "a")).isEqualTo("leaves-2/a: skipped");
        assertThat(stage.client.skip("leaves-2", "a").outcome()).isEqualTo("skipped");
        stage.complete(stage.claim("leaves.n"), "1");
        stage.complete(stage.claim("leaves.n"), "1");
        stage.ended("leaves-1", "completed");
        stage.ended("leaves-2", "completed");
    }

    @Test
    @Tag("R2.11")
    void input_and_output_that_do_not_fit_wait_until_they_are_mended() throws Exception {
        assertThat(stage.why("fits", "a")).contains("missing_input");
        stage.weir("mend", "fits", "{\"order\": 7}");
        assertThat(stage.refused(409, client -> client.amendInput("fits", Stage.json("{'order': 8}"))))
                .contains("none of its steps lacks input");
        stage.complete(stage.claim("fits.m"), "{'parcel': 1}");
        stage.await("the output", () -> stage.why("fits", "b").contains("invalid_artifact"));
        assertThat(stage.ask("fits.n", "0s")).isEmpty();
        var wrong = new OutputRequest(Stage.json("{'parcel': 2}"), "eve");
        assertThat(stage.refused(422, client -> client.amendOutput("fits", "a", wrong)))
                .contains("parcels");
        stage.weir("mend", "fits", "--step", "a", "{\"parcels\": []}", "--by", "eve");
        stage.complete(stage.claim("fits.n"), "1");
        stage.ended("fits", "completed");
        assertThat(stage.step("fits", "a").output()).isEqualTo(Stage.json("{'parcels': []}"));
    }

    @Test
    @Tag("R2.13")
    void only_what_is_wanted_and_what_it_needs_is_run() throws Exception {
        stage.complete(stage.claim("aims.m"), "1");
        stage.complete(stage.claim("aims.m"), "2");
        stage.ended("aims", "completed");
        assertThat(stage.step("aims", "c").state()).isEqualTo("skipped");
        assertThat(stage.ask("aims.n", "0s")).isEmpty();
        var unknown = new StartRunRequest("aims", "aims-2", null, null, null, null, null, List.of("d"));
        assertThat(stage.refused(422, client -> client.start(unknown))).contains("d");
    }

    @Test
    @Tag("R0.16")
    void a_run_that_is_paused_stays_so_until_it_is_resumed() throws Exception {
        assertThat(stage.client.run("rests").state()).isEqualTo("paused");
        assertThat(stage.ask("rests.m", "0s")).isEmpty();
        assertThat(stage.why("rests", "a")).contains("paused");
        stage.weir("resume", "rests");
        stage.complete(stage.claim("rests.m"), "1");
        stage.ended("rests", "completed");
        assertThat(stage.refused(409, client -> client.pause("rests"))).contains("ended");
    }

    private static JsonNode json(String... command) throws Exception {
        List<String> all = new ArrayList<>(List.of(command));
        all.addAll(List.of("-o", "json"));
        return Stage.json(stage.weir(all.toArray(String[]::new)));
    }

    @Test
    void who_operates_a_run_or_a_step_is_told_how_it_stands_then() throws Exception {
        stage.start(
                "stands",
                "deadline: {after: 1h}\nsteps: [{id: a, gate: {}, uses: stands.m},"
                        + " {id: b, optional: true, uses: stands.m}, {id: c, wait_for: {signal: go}}]");
        stage.await("its start", () -> stage.client.run("stands").state().equals("running"));
        assertThat(json("pause", "stands"))
                .isEqualTo(Stage.json("{'id': 'stands', 'state': 'paused', 'changed': true}"));
        assertThat(json("resume", "stands"))
                .isEqualTo(Stage.json("{'id': 'stands', 'state': 'running', 'changed': true}"));
        assertThat(stage.weir("resume", "stands")).isEqualTo("stands: unchanged, running (the run was not paused)");
        assertThat(json("extend", "stands", "3h").path("state").asString("")).isEqualTo("running");
        assertThat(stage.weir("signal", "stands", "other"))
                .isEqualTo("stands: signal sent, running (the run keeps the signal until a step waits for it)");
        assertThat(json("approve", "stands", "a"))
                .isEqualTo(Stage.json("{'run': 'stands', 'step': 'a', 'outcome': 'approved', 'state': 'ready'}"));
        assertThat(json("revoke", "stands", "a").path("state").asString("")).isEqualTo("waiting");
        assertThat(json("skip", "stands", "b").path("state").asString("")).isEqualTo("skipped");
        assertThat(stage.weir("cancel", "stands")).isEqualTo("stands: cancelled");
        assertThat(json("retry", "stands").path("state").asString("")).isEqualTo("waiting");
    }
}
