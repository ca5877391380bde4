package dev.weir.cli.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.api.Runs.RunView;
import dev.weir.api.Triggers.FlowControlBlock;
import dev.weir.api.Triggers.RetryBlock;
import dev.weir.api.Triggers.TriggerRequest;
import dev.weir.api.Work.WorkClaim;
import dev.weir.cli.endtoend.ScriptedHttpServer.Reply;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Makes calls without a definition on a node in a process of its own. */
@Tag("R3.5")
class TriggerEndToEndTest {
    private static final Path EXAMPLES = Path.of("..", "examples");

    /** The bodies that the server received, by path. */
    private static final Map<String, String> BODIES = new ConcurrentHashMap<>();

    private static ScriptedHttpServer server;
    private static NodeDriver driver;

    @TempDir
    private static Path folder;

    @BeforeAll
    static void begin() throws Exception {
        Path secrets = folder.resolve("secrets.env");
        Files.writeString(secrets, "BILLING=open-sesame\n");
        Files.setPosixFilePermissions(secrets, PosixFilePermissions.fromString("rw-------"));
        server = new ScriptedHttpServer();
        driver = new NodeDriver("trigger", List.of("--secrets", secrets.toString(), "--allow-call", server.address()));
    }

    @AfterAll
    static void close() {
        driver.close();
        server.close();
    }

    @ParameterizedTest
    @CsvSource({
        "limited-call.json, billing-api, 2, 10s, 1",
        "seeds/3-billing-jobs.yaml, billing-jobs, 2, 10s, 1",
        "seeds/3-user-onboarding.yaml, user-onboarding, 20, 1m, 5",
        "seeds/3-media-processing.yaml, media-processing, 10, 1m, 4"
    })
    void the_example_files_run_as_they_stand(String file, String key, int rate, String period, int parallelism)
            throws Exception {
        String path = "/" + key;
        server.on(path, (exchange, n) -> Reply.of(200, "{\"n\":" + n + "}"));
        driver.runCommand("keys", key, "pause");
        String[] trigger = {
            "trigger", server.url(path), "--file", EXAMPLES.resolve(file).toString(), "--id", key + "-1"
        };

        assertThat(driver.runCommand(trigger)).isEqualTo(key + "-1: running");
        var view = driver.client.key(key);
        assertThat(view.waiting()).isEqualTo(1);
        assertThat(view.parallelism().max()).isEqualTo(parallelism);
        assertThat(view.rate().max()).isEqualTo(rate);
        assertThat(view.rate().period()).isEqualTo(period);
        driver.runCommand("keys", key, "resume");
        assertThat(driver.runCommand("wait", key + "-1")).startsWith(key + "-1: completed after ");

        assertThat(driver.runCommand(trigger))
                .as("the same id makes no second call")
                .isEqualTo(key + "-1: already exists, completed");
        assertThat(server.idempotencyKeys(path)).containsExactly(key + "-1/call/1");
    }

    @Test
    void calls_that_wait_for_their_key_are_made_after_a_kill_and_a_waiting_caller_sees_their_end() throws Exception {
        var gate = new CompletableFuture<Void>();
        server.on("/slow", (exchange, n) -> {
            if (n == 1) {
                gate.join();
            }
            return Reply.of(200, "1");
        });
        var request = TriggerRequest.post(server.url("/slow"), Map.of("n", 1))
                .withFlowControl(FlowControlBlock.parallelism("slow", 1));
        driver.client.trigger(request.withId("slow-1"));
        driver.await("the first call", () -> server.idempotencyKeys("/slow").size() == 1);
        driver.client.trigger(request.withId("slow-2"));
        assertThat(driver.why("slow-2", "call")).containsExactly("limit");
        assertThat(driver.client.awaitEnd("slow-2", Duration.ofMillis(10)).endedAt())
                .isNull();
        var waiting = CompletableFuture.supplyAsync(() -> awaitEnd("slow-2"));

        driver.node.restart();
        gate.complete(null);

        assertThat(waiting.join().state()).isEqualTo("completed");
        assertThat(awaitEnd("slow-1").state()).isEqualTo("completed");
        assertThat(driver.client.invariants().hold()).isTrue();
    }

    private static RunView awaitEnd(String run) {
        try {
            return driver.client.awaitEnd(run, Duration.ofMinutes(2));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static JsonNode output(String run, String step) throws InterruptedException {
        return Objects.requireNonNull(driver.step(run, step).output());
    }

    @Test
    @Tag("S9")
    void data_is_sent_as_it_is_and_only_a_secret_that_is_named_as_one_is_inserted() throws Exception {
        String text = "${{ secrets.BILLING }} and ${{ input.url }}";
        server.on("/echo", (exchange, n) -> {
            BODIES.put("authorization", exchange.getRequestHeaders().getFirst("Authorization"));
            return Reply.of(200, "{\"got\":\"" + exchange.getRequestHeaders().getFirst("Authorization") + "\"}");
        });
        driver.client.trigger(TriggerRequest.post(server.url("/echo"), Map.of("text", text))
                .withSecretHeader("Authorization", "Bearer ", "BILLING")
                .withId("echo"));

        RunView run = awaitEnd("echo");

        assertThat(run.state()).isEqualTo("completed");
        assertThat(BODIES).containsEntry("authorization", "Bearer open-sesame");
        assertThat(run.input().at("/body/text").stringValue()).isEqualTo(text);
        assertThat(output("echo", "call").at("/body/got").stringValue()).isEqualTo("Bearer ***");
        assertThat(Objects.requireNonNull(driver.step("echo", "call").input())
                        .at("/body/text")
                        .stringValue())
                .isEqualTo(text);
    }

    @Test
    void retries_and_the_timeout_are_those_of_the_request() throws Exception {
        server.on("/broken", (exchange, n) -> Reply.of(503, ""));
        driver.client.trigger(TriggerRequest.of(server.url("/broken"))
                .withId("broken")
                .withTimes(new RetryBlock(3, "1ms", "fixed", null, 0.0), "20s", null));
        assertThat(awaitEnd("broken").state()).isEqualTo("failed");
        assertThat(server.idempotencyKeys("/broken")).hasSize(3);
        var gate = new CompletableFuture<Void>();
        server.on("/hanging", (exchange, n) -> {
            gate.join();
            return Reply.of(200, "1");
        });
        driver.client.trigger(TriggerRequest.of(server.url("/hanging"))
                .withId("hanging")
                .withTimes(RetryBlock.attempts(1), "300ms", null));
        assertThat(awaitEnd("hanging").state()).isEqualTo("failed");
        gate.complete(null);
    }

    @Test
    void an_address_that_calls_may_not_reach_fails_the_run_as_it_fails_a_call_step() throws Exception {
        driver.client.trigger(TriggerRequest.of("http://127.0.0.1:1/").withId("forbidden"));
        RunView run = awaitEnd("forbidden");
        assertThat(run.state()).isEqualTo("failed");
        assertThat(driver.step("forbidden", "call").attempts()).isEqualTo(1);
    }

    @Test
    void a_start_takes_a_block_and_an_invoked_run_that_of_its_call_site_across_a_kill() throws Exception {
        driver.apply("leaf", "steps: [{id: a, uses: leaf.m}]");
        driver.apply(
                "parent",
                "steps: [{id: s, invoke: {workflow: leaf, flow_control: {key: 'leaf-${{ input.n }}', parallelism: 1}}}]");
        driver.start("parent", "p1", "{'n': 1}");
        driver.start("parent", "p2", "{'n': 1}");
        WorkClaim first = driver.claim("leaf.m");
        driver.await("the other one waits", () -> driver.client.key("leaf-1").waiting() == 1);

        driver.node.restart();

        assertThat(driver.client.key("leaf-1").parallelism().used()).isEqualTo(1);
        driver.complete(first, "1");
        driver.complete(driver.claim("leaf.m"), "2");
        driver.awaitEnd("p1", "completed");
        driver.awaitEnd("p2", "completed");
        driver.runCommand("start", "leaf", "--id", "l1", "--key", "by-hand", "--parallelism", "1");
        assertThat(driver.client.key("by-hand").parallelism().max()).isEqualTo(1);
        driver.complete(driver.claim("leaf.m"), "3");
    }

    @Test
    @Tag("R2.12")
    void a_person_claims_a_chosen_step_and_reports_its_result() throws Exception {
        driver.apply(
                "by_hand",
                "steps: [{id: one, uses: hand.m, with: {n: 1}}, {id: two, uses: hand.m}]\nruntime: {max_parallel: 1}");
        driver.start("by_hand", "h", null);

        String claimed = driver.runCommand("claim", "h", "two", "--worker", "ann");

        assertThat(claimed).contains("h/two: claimed for 10m, fence ");
        assertThat(driver.runCommand("claim", "h", "one")).contains("nothing to claim now", "one: ready");
        String fence = claimed.replaceAll("(?s).*--fence (\\d+).*", "$1");
        assertThat(driver.runCommand("update", "h", "two", "completed", "{\"ok\": true}", "--fence", fence))
                .contains("h/two: applied");
        assertThat(output("h", "two").at("/ok").booleanValue()).isTrue();
        WorkClaim other = driver.claim("hand.m");
        driver.complete(other, "1");
        assertThat(driver.runCommand("wait", "h")).startsWith("h: completed");
    }

    @Test
    @Tag("R2.8")
    void a_narrow_pin_prints_a_warning() throws Exception {
        driver.start("wide", "steps: [{id: a, uses: wide.m, flow_control: {key: wide, parallelism: 8, weight: 4}}]");
        assertThat(driver.runCommand("keys", "wide", "pin", "--parallelism", "2", "--for", "10m"))
                .contains("wide: pinned", "warning: 1 waiting step needs 4 of the parallelism of 2");
    }

    @Test
    void a_body_arrives_byte_by_byte() throws Exception {
        server.on("/text", (exchange, n) -> Reply.of(200, "1"));
        driver.client.trigger(
                TriggerRequest.post(server.url("/text"), "plain ${{ text }} ü").withId("text"));
        assertThat(awaitEnd("text").state()).isEqualTo("completed");
        assertThat(new String(server.bodies("/text").get(0), StandardCharsets.UTF_8))
                .isEqualTo("plain ${{ text }} ü");
    }
}
