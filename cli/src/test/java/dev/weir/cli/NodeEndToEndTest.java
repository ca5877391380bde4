package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.weir.api.Starts.StartRunRequest;
import dev.weir.api.WireJson;
import dev.weir.api.Work.ClaimRequest;
import dev.weir.api.Work.ModuleInfo;
import dev.weir.api.Work.ModuleStatusUpdate;
import dev.weir.api.Work.UpdateRequest;
import dev.weir.client.Client;
import dev.weir.client.Connection;
import dev.weir.client.RequestFailed;
import dev.weir.server.NodeSettings;
import dev.weir.server.ServerNode;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests a node from its first start, and the command line against it. The last tests stop the node and start it
 * again.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@SuppressWarnings("NullAway.Init") // set before the first test
class NodeEndToEndTest {
    private static final String FIVE_ITEMS = "../examples/five-items.yaml";

    private static RunningNode node;
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeAll
    static void open() throws Exception {
        node = RunningNode.in("node");
    }

    @AfterAll
    static void close() {
        node.close();
    }

    @Test
    @Order(1)
    void the_first_start_shows_the_token_once_and_saves_it_for_its_owner_only() throws Exception {
        String token = node.node.newToken().orElseThrow();
        Path file = node.data.resolve("profile.json");
        assertThat(Files.readString(file)).contains(token, node.node.url());
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(node.messages).anyMatch(words -> words.contains(node.data.toString()));
        assertThat(node.client.health().status()).isEqualTo("ok");
        var stranger = new Client(Connection.to(node.node.url(), token + "x").withRetryTimeout(Duration.ZERO));
        assertThatThrownBy(() -> stranger.keys("", null)).isInstanceOf(RequestFailed.Refused.class);
    }

    @Test
    @Order(2)
    void a_port_in_use_is_reported_before_anything_slow_begins() {
        int taken = URI.create(node.node.url()).getPort();
        var settings = NodeSettings.in(node.data.resolveSibling("other")).withPort(taken);
        Consumer<String> silent = words -> assertThat(words).isEmpty();
        assertThatThrownBy(() -> ServerNode.open(settings, silent, () -> {}))
                .hasMessageContaining(":" + taken)
                .hasMessageContaining("--port");
    }

    @Test
    @Order(3)
    @Tag("R2.12")
    void the_command_line_applies_starts_explains_works_and_operates() {
        assertThat(weir("apply", FIVE_ITEMS)).as(err.toString()).isZero();
        assertThat(output()).isEqualTo("five_items: registered as version 1");
        assertThat(weir("apply", FIVE_ITEMS)).isZero();
        assertThat(output()).isEqualTo("five_items: unchanged, version 1");
        assertThat(weir("start", "five_items", "--id", "cli-1", "--label", "team=red"))
                .isZero();
        assertThat(output()).startsWith("cli-1: ");
        assertThat(weir("why", "cli-1")).isZero();
        assertThat(output()).contains("cli-1/resize is ready", "no_worker: no worker polls for its module");
        assertThat(weir("steps", "cli-1")).isZero();
        assertThat(output()).contains("0 of 5, 0 running", "ready, held");
        assertThat(weir("pause", "cli-1")).isZero();
        assertThat(weir("runs", "--state", "paused", "--label", "team=red")).isZero();
        assertThat(output()).contains("cli-1", "five_items v1", "paused");
        assertThat(weir("resume", "cli-1")).isZero();
        out.getBuffer().setLength(0);
        assertThat(work("images.resize", "cat > /dev/null; echo \"{\\\"fence\\\": $WEIR_FENCE}\"", "5"))
                .isZero();
        assertThat(weir("start", "five_items", "--id", "cli-1", "--label", "team=red", "--wait", "-o", "json"))
                .isZero();
        assertThat(output()).contains("\"state\" : \"completed\"").containsPattern("\"fence\" : [1-9]");
        assertThat(weir("why", "cli-1")).isZero();
        assertThat(output()).isEqualTo("cli-1 is completed: it does not wait");
        assertThat(weir("steps", "cli-1")).isZero();
        assertThat(output()).containsPattern("resize +completed +5 of 5, 0 running");
    }

    @Test
    @Order(4)
    void a_program_that_fails_for_good_fails_the_run_and_the_command_that_waits_says_so() throws Exception {
        node.client.apply("once", "workflow: once\nsteps: [ { id: a, uses: once.m } ]\n");
        assertThat(weir("start", "once", "--id", "fails")).isZero();
        assertThat(work("once.m", "echo no such parcel >&2; exit 65", "1")).isZero();
        out.getBuffer().setLength(0);
        assertThat(weir("start", "once", "--id", "fails", "--wait")).isEqualTo(1);
        assertThat(output()).contains("fails: failed after", "no such parcel");
    }

    @Test
    @Order(5)
    @Tag("R3.7")
    void keys_are_listed_and_operated_from_the_command_line() throws Exception {
        node.client.apply(
                "keyed", "workflow: keyed\nsteps: [ { id: a, uses: k.m, flow_control: { key: cli-key, rate: 3 } } ]\n");
        node.client.start(StartRunRequest.of("keyed", "k1", null));
        assertThat(weir("keys", "cli-key", "pin", "--parallelism", "2", "--reason", "a test"))
                .isZero();
        assertThat(output()).isEqualTo("cli-key: pinned");
        assertThat(weir("keys", "cli-key", "pause", "--for", "30m")).isZero();
        assertThat(output()).isEqualTo("cli-key: paused");
        assertThat(weir("keys", "--prefix", "cli-")).isZero();
        assertThat(output()).contains("cli-key", "0 of 2", "0 of 3", "paused pinned");
        assertThat(weir("keys", "cli-key", "stop")).isEqualTo(2);
        assertThat(err.toString()).contains("pause, resume, pin, unpin, reset-rate");
        assertThat(weir("cancel", "k1", "--reason", "enough")).isZero();
        assertThat(output()).contains("k1: cancelled");
    }

    @Test
    @Order(6)
    void an_apply_warns_of_what_has_another_effect_than_it_seems(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("timed.yaml");
        Files.writeString(file, """
                workflow: timed
                steps: [ { id: a, invoke: { workflow: other }, flow_control: { key: k, parallelism: 1 } } ]
                """);
        assertThat(weir("apply", file.toString())).isZero();
        assertThat(output()).isEqualTo("timed: registered as version 1");
        assertThat(errors()).startsWith(file + ":2:").contains("warning: ", "it limits the starts of child runs");
    }

    @Test
    @Order(6)
    void mistakes_are_reported_in_one_line() {
        assertThat(weir("why", "nobody")).isEqualTo(1);
        assertThat(errors()).isEqualTo("weir: run not found: nobody. List runs with `weir runs`.");
        assertThat(weir("start", "five_itms")).isEqualTo(1);
        assertThat(errors()).contains("did you mean 'five_items'?");
        assertThat(weir("start", "five_items", "--input", "{")).isEqualTo(2);
        assertThat(errors()).contains("--input: expected JSON");
        int status = Main.commandLine()
                .setErr(new PrintWriter(err, true))
                .execute("runs", "--url", "http://127.0.0.1:1", "--token", "t");
        assertThat(status).isEqualTo(1);
        assertThat(errors()).contains("no server answers at http://127.0.0.1:1", "weir up");
    }

    @Test
    @Order(6)
    void invalid_files_are_reported_with_every_position_and_nothing_is_registered(@TempDir Path folder)
            throws Exception {
        Path right =
                Files.writeString(folder.resolve("right.yaml"), "workflow: right\nsteps: [ { id: a, uses: m } ]\n");
        Path wrong = Files.writeString(
                folder.resolve("wrong.yaml"), "workflow: wrong\nstep: []\nsteps:\n  - { id: a, uses: m, need: [b] }\n");
        assertThat(weir("apply", right.toString(), wrong.toString())).isEqualTo(1);
        assertThat(output()).isEmpty();
        assertThat(errors())
                .contains(wrong + ":2:1: ", wrong + ":4:", "did you mean 'needs'?")
                .endsWith("weir: " + wrong + " is invalid: 2 problems. Nothing was registered.");
        assertThat(weir("start", "right")).isEqualTo(1);
        assertThat(errors()).contains("workflow not found: right. Register a workflow with `weir apply FILE`.");
        assertThat(weir("apply", right.toString(), "-o", "json")).isZero();
        assertThat(WireJson.STRICT.readTree(output()).at("/0/version").intValue())
                .isEqualTo(1);
    }

    @Test
    @Order(6)
    void values_that_the_server_refuses_are_wrong_arguments() {
        assertThat(weir("runs", "--state", "done")).isEqualTo(2);
        assertThat(errors()).startsWith("weir: --state: expected one of queued,");
        assertThat(weir("runs", "--limit", "0")).isEqualTo(2);
        assertThat(errors()).startsWith("weir: --limit: expected a whole number from 1 to 200");
        assertThat(weir("keys", "k", "pause", "--for", "soon")).isEqualTo(2);
        assertThat(errors()).startsWith("weir: --for: expected a duration");
        assertThat(weir("work", "m", "--exec", "true", "--token", "nobody")).isEqualTo(1);
        assertThat(errors())
                .isEqualTo("weir: expected an API token of this server, found an unknown, revoked or expired one");
    }

    @Test
    @Order(7)
    @Tag("S7")
    @Tag("R0.14")
    void acknowledged_changes_survive_a_restart_and_the_token_is_not_shown_again() throws Exception {
        node.client.apply("kept", "workflow: kept\nsteps: [ { id: a, uses: kept.m } ]\n");
        node.client.start(StartRunRequest.of("kept", "kept-1", null));
        var ask = new ClaimRequest(List.of(ModuleInfo.of("kept.m")), null, null, 1, "10s", "1m", "kept-q", "test");
        var claim = node.client.claim(ask).claims().get(0);
        node.client.start(StartRunRequest.of("kept", "waits-1", null));
        node = node.restart();
        assertThat(node.node.newToken()).isEmpty();
        assertThat(node.client.run("kept-1").runningSteps()).hasSize(1);
        assertThat(node.client.claim(ask).claims()).containsExactly(claim);
        assertThat(node.client.start(StartRunRequest.of("kept", "kept-1", null)).created())
                .isFalse();
        var done = new UpdateRequest(List.of(ModuleStatusUpdate.completed(claim, null)));
        assertThat(node.client.update(done).results().get(0).outcome()).isEqualTo("applied");
        assertThat(node.awaitEnd("kept-1").state()).isEqualTo("completed");
    }

    @Test
    @Order(8)
    @Tag("RX.3")
    void the_time_breakdown_includes_waits_across_a_restart() {
        assertThat(weir("why", "waits-1", "-o", "json")).isZero();
        assertThat(WireJson.STRICT.readTree(output()).at("/0/reasons/0/reason").stringValue())
                .isEqualTo("no_worker");
        assertThat(weir("time", "waits-1")).isEqualTo(1);
        assertThat(errors()).contains("expected a run that has ended, found run waits-1 running");
        assertThat(work("kept.m", "echo 1", "1")).isZero();
        out.getBuffer().setLength(0);
        assertThat(weir("time", "waits-1")).isZero();
        assertThat(output()).contains("waits-1 is completed after", "waiting for a worker", "STEP  TOOK");
        assertThat(weir("time", "waits-1", "-o", "json")).isZero();
        assertThat(output()).contains("\"what\" : \"no_worker\"");
    }

    @Test
    @Order(9)
    @Tag("L3")
    void a_postgresql_that_is_killed_is_started_again_and_work_goes_on() throws Exception {
        long pid = Long.parseLong(
                Files.readAllLines(node.data.resolve("data/postmaster.pid")).get(0));
        ProcessHandle.of(pid).orElseThrow().destroyForcibly();
        await().atMost(Duration.ofSeconds(90)).until(() -> node.messages.contains("PostgreSQL is running again"));
        node.client.start(StartRunRequest.of("kept", "kept-2", null));
        assertThat(node.client.run("kept-2").state()).isIn("queued", "running");
    }

    @Test
    @Order(10)
    void a_token_that_is_lost_or_of_another_database_is_replaced_and_shown() throws Exception {
        Connection before = node.connection();
        Path profile = node.data.resolve("profile.json");
        for (String noted : List.of("", "{\"url\":\"http://127.0.0.1:1\",\"token\":\"weir_of_another\"}")) {
            node.close();
            Files.delete(profile);
            if (!noted.isEmpty()) {
                Files.writeString(profile, noted);
            }
            node = node.reopen();
            assertThat(Files.readString(profile)).contains(node.node.newToken().orElseThrow());
            assertThat(node.client.run("kept-1").state()).isEqualTo("completed");
        }
        var old = new Client(Connection.to(node.node.url(), before.token()));
        assertThat(old.run("kept-1").state()).isEqualTo("completed");
    }

    private int work(String module, String command, String jobs) {
        return weir("work", module, "--exec", command, "--count", jobs);
    }

    private int weir(String... args) {
        var all = new java.util.ArrayList<>(List.of(args));
        all.addAll(List.of("--data", node.data.toString()));
        return Main.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(all.toArray(String[]::new));
    }

    private String output() {
        String text = out.toString().strip();
        out.getBuffer().setLength(0);
        return text;
    }

    private String errors() {
        String text = err.toString().strip();
        err.getBuffer().setLength(0);
        return text;
    }
}
