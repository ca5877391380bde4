package dev.weir.cli.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.api.Runs.RunView;
import dev.weir.api.Runs.StepView;
import dev.weir.api.Starts.StartRunRequest;
import dev.weir.api.Why;
import dev.weir.api.Work;
import dev.weir.api.Work.ClaimRequest;
import dev.weir.api.Work.HeartbeatRequest;
import dev.weir.api.Work.HeartbeatResult;
import dev.weir.api.Work.ModuleInfo;
import dev.weir.api.Work.ModuleStatusUpdate;
import dev.weir.api.Work.UpdateRequest;
import dev.weir.api.Work.WorkClaim;
import dev.weir.cli.Main;
import dev.weir.client.Client;
import dev.weir.client.RequestFailed;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Short methods for what workers, operators and people do to a node, and for reading the results. */
final class NodeDriver implements AutoCloseable {
    final ForkedNode node;
    final Client client;

    NodeDriver(String name, List<String> arguments) throws IOException {
        this.node = new ForkedNode(name, arguments);
        this.client = node.client;
    }

    void apply(String name, String definition) throws InterruptedException {
        client.apply(name, "workflow: " + name + "\n" + definition.replace('\'', '"'));
    }

    void start(String workflow, String run, @Nullable String input) throws InterruptedException {
        client.start(StartRunRequest.of(workflow, run, input == null ? null : json(input)));
    }

    /** Registers a workflow and starts one run of it, with the same name. */
    void start(String name, String definition) throws InterruptedException {
        apply(name, definition);
        start(name, name, null);
    }

    static JsonNode json(String text) {
        return JsonMapper.shared().readTree(text.replace('\'', '"'));
    }

    /** Claims the next step of a module, and waits for it. */
    WorkClaim claim(String module) throws InterruptedException {
        for (int i = 0; i < 3; i++) {
            List<WorkClaim> claims = poll(module, "20s");
            if (!claims.isEmpty()) {
                return claims.get(0);
            }
        }
        throw new AssertionError("expected work of " + module + ", found none");
    }

    List<WorkClaim> poll(String module, String wait) throws InterruptedException {
        var request = new ClaimRequest(
                List.of(ModuleInfo.of(module)),
                null,
                null,
                1,
                wait,
                "5m",
                UUID.randomUUID().toString(),
                "test");
        return client.claim(request).claims();
    }

    void complete(WorkClaim claim, String output) throws InterruptedException {
        assertThat(report(ModuleStatusUpdate.completed(claim, json(output)))).isEqualTo("applied");
    }

    void fail(WorkClaim claim) throws InterruptedException {
        assertThat(report(ModuleStatusUpdate.failed(claim, "no", true))).isEqualTo("applied");
    }

    void needsInput(WorkClaim claim, String prompt) throws InterruptedException {
        var update = new ModuleStatusUpdate(
                claim.run(), claim.step(), claim.item(), claim.fence(), "needs_input", json(prompt), null, null, null);
        assertThat(report(update)).isEqualTo("applied");
    }

    String report(ModuleStatusUpdate update) throws InterruptedException {
        return client.update(new UpdateRequest(List.of(update)))
                .results()
                .get(0)
                .outcome();
    }

    HeartbeatResult heartbeat(WorkClaim claim) throws InterruptedException {
        return client.heartbeat(new HeartbeatRequest(List.of(Work.Heartbeat.of(claim))))
                .results()
                .get(0);
    }

    StepView step(String run, String id) throws InterruptedException {
        return client.run(run).steps().stream()
                .filter(step -> step.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    /** Returns the words for the reasons that keep a step from starting. */
    List<String> why(String run, String step) throws InterruptedException {
        return client.why(run, step, null).reasons().stream()
                .map(Why.Reason::reason)
                .toList();
    }

    void await(String what, Callable<Boolean> condition) {
        Awaitility.await(what)
                .atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(100))
                .until(condition);
    }

    RunView awaitEnd(String run, String state) throws InterruptedException {
        RunView view = node.awaitEnd(run);
        assertThat(view.state()).as(view.toString()).isEqualTo(state);
        return view;
    }

    /** Asserts that the server refuses a request, and returns its message. */
    String assertRefused(int status, ClientRequest request) {
        try {
            throw new AssertionError("expected status " + status + ", found " + request.send(client));
        } catch (RequestFailed.Refused e) {
            assertThat(e.problem().status()).as(e.getMessage()).isEqualTo(status);
            return String.valueOf(e.getMessage());
        } catch (Exception e) {
            throw new AssertionError("expected status " + status, e);
        }
    }

    /** Runs a command that must succeed, and returns its output. */
    String runCommand(String... arguments) throws IOException {
        var out = new StringWriter();
        var err = new StringWriter();
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--url", node.launch.url(), "--token", node.token()));
        int status = Main.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(all.toArray(String[]::new));
        assertThat(status).as(out + "\n" + err).isZero();
        return out.toString().strip();
    }

    /** A request to the server. */
    @FunctionalInterface
    interface ClientRequest {
        Object send(Client client) throws Exception;
    }

    @Override
    public void close() {
        node.close();
    }
}
