package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.api.LiveEvent;
import dev.weir.api.Runs.CancelRequest;
import dev.weir.api.Starts.StartRunRequest;
import dev.weir.api.WireJson;
import dev.weir.api.Work.ClaimRequest;
import dev.weir.api.Work.ModuleInfo;
import dev.weir.api.Work.ModuleStatusUpdate;
import dev.weir.api.Work.UpdateRequest;
import dev.weir.api.Work.WorkClaim;
import dev.weir.client.Client;
import dev.weir.client.Connection;
import dev.weir.client.LiveStream;
import dev.weir.client.StreamFilter;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests the live stream on a node with PostgreSQL: the client that resumes, and the commands that watch. */
@SuppressWarnings("NullAway.Init") // set before the first test
class WatchEndToEndTest {
    private static final Duration HANG_GUARD = Duration.ofSeconds(60);

    private static RunningNode node;
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeAll
    static void open() throws Exception {
        node = RunningNode.shared();
    }

    private CompletableFuture<Integer> watch(String... arguments) {
        String[] all = Arrays.copyOf(arguments, arguments.length + 2);
        all[arguments.length] = "--data";
        all[arguments.length + 1] = node.data.toString();
        var exit = new CompletableFuture<Integer>();
        Thread.ofPlatform()
                .daemon()
                .start(() -> exit.complete(Main.commandLine()
                        .setOut(new PrintWriter(out, true))
                        .setErr(new PrintWriter(err, true))
                        .execute(all)));
        return exit;
    }

    private int exitCode(CompletableFuture<Integer> exit) {
        await().atMost(HANG_GUARD).until(exit::isDone);
        return exit.join();
    }

    private void awaitOutput(String text) {
        await().atMost(HANG_GUARD).until(() -> out.toString().contains(text));
    }

    /** Does the next steps of a module, as a worker would. */
    private static void work(String module, int count, boolean fails) throws InterruptedException {
        for (int done = 0; done < count; ) {
            var request = new ClaimRequest(
                    List.of(ModuleInfo.of(module)),
                    null,
                    null,
                    1,
                    "20s",
                    "5m",
                    UUID.randomUUID().toString(),
                    "test");
            for (WorkClaim claim : node.client.claim(request).claims()) {
                var report = fails
                        ? ModuleStatusUpdate.failed(claim, "it broke", true)
                        : ModuleStatusUpdate.completed(claim, WireJson.LENIENT.readTree("{}"));
                node.client.update(new UpdateRequest(List.of(report)));
                done++;
            }
        }
    }

    @Test
    void start_watch_shows_what_a_step_waits_for_and_ends_with_the_run() throws Exception {
        node.client.apply(
                "watched",
                "workflow: watched\nsteps: [{id: a, uses: watched.m, flow_control: {key: watched, parallelism: 1}},"
                        + " {id: each, needs: [a], with_items: [x, y, z], uses: watched.m}]");
        node.client.operate("pause", new dev.weir.api.Keys.KeyRequest("watched", null, null));
        CompletableFuture<Integer> exit = watch("start", "watched", "--id", "watched", "--watch");
        awaitOutput("watched/a waits: ");
        assertThat(out.toString()).contains("watched");
        node.client.operate("resume", new dev.weir.api.Keys.KeyRequest("watched", null, null));
        work("watched.m", 4, false);
        assertThat(exitCode(exit)).isZero();
        assertThat(out.toString())
                .contains("watched/a running", "watched/a completed", "watched/each completed")
                .contains("watched/each 3 of 3 items", "watched completed after");
    }

    @Test
    void the_exit_code_says_how_the_run_ended() throws Exception {
        node.client.apply("ends", "workflow: ends\nsteps: [{id: a, uses: ends.m, retry: {max_attempts: 1}}]");
        CompletableFuture<Integer> cancelled = watch("start", "ends", "--id", "ends-1", "--watch", "-o", "json");
        awaitOutput("\"event\":\"open\"");
        node.client.cancel("ends-1", new CancelRequest(null, "enough"));
        assertThat(exitCode(cancelled)).isEqualTo(RunEndPrinter.EXIT_CANCELLED);
        assertThat(out.toString().lines())
                .allSatisfy(line -> assertThat(
                                WireJson.LENIENT.readTree(line).path("event").stringValue())
                        .isNotEmpty());
        assertThat(out.toString().lines().reduce((first, second) -> second).orElseThrow())
                .contains("\"event\":\"run\"", "\"state\":\"cancelled\"");
        CompletableFuture<Integer> failed = watch("start", "ends", "--id", "ends-2", "--watch");
        work("ends.m", 1, true);
        assertThat(exitCode(failed)).isEqualTo(1);
        assertThat(exitCode(watch("steps", "ends-2", "--watch")))
                .as("it has ended")
                .isEqualTo(1);
        assertThat(exitCode(watch("steps", "no-such-run", "--watch"))).isEqualTo(1);
        assertThat(err.toString()).contains("run not found: no-such-run");
    }

    @Test
    void runs_and_keys_are_watched_line_by_line() throws Exception {
        node.client.apply(
                "listed",
                "workflow: listed\nsteps: [{id: a, uses: listed.m, flow_control: {key: listed/k, parallelism: 1}}]");
        var keysOut = new StringWriter();
        Thread keys = watchInto(keysOut, "keys", "--watch", "--prefix", "listed/");
        Thread runs = watchInto(out, "runs", "--watch", "--workflow", "listed");
        await().atMost(HANG_GUARD)
                .until(() ->
                        keysOut.toString().contains("KEY") && out.toString().contains("RUN"));
        node.client.start(StartRunRequest.of("listed", "listed-1", null));
        awaitOutput("listed-1 of listed running");
        node.client.operate("pause", new dev.weir.api.Keys.KeyRequest("listed/k", null, null));
        await().atMost(HANG_GUARD)
                .until(() -> keysOut.toString().contains("listed/k 1 waiting, 0 of 1 running, paused"));
        node.client.operate("resume", new dev.weir.api.Keys.KeyRequest("listed/k", null, null));
        work("listed.m", 1, false);
        awaitOutput("listed-1 of listed completed");
        await().atMost(HANG_GUARD).until(() -> keysOut.toString().contains("listed/k 0 waiting, 0"));
        keys.interrupt();
        runs.interrupt();
        assertThat(keys.join(HANG_GUARD)).isTrue();
        assertThat(runs.join(HANG_GUARD)).isTrue();
        assertThat(exitCode(watch("runs", "--watch", "--label", "a=b"))).isEqualTo(2);
        assertThat(exitCode(watch("keys", "k", "pause", "--watch"))).isEqualTo(2);
    }

    private static Thread watchInto(StringWriter writer, String... arguments) {
        String[] all = Arrays.copyOf(arguments, arguments.length + 2);
        all[arguments.length] = "--data";
        all[arguments.length + 1] = node.data.toString();
        return Thread.ofPlatform().daemon().start(() -> {
            int unused = Main.commandLine()
                    .setOut(new PrintWriter(writer, true))
                    .setErr(new PrintWriter(new StringWriter()))
                    .execute(all);
        });
    }

    @Test
    void keys_history_draws_a_chart() throws Exception {
        node.client.apply(
                "charted",
                "workflow: charted\nsteps: [{id: a, uses: charted.m, flow_control: {key: charted, parallelism: 1}}]");
        node.client.start(StartRunRequest.of("charted", "charted", null));
        work("charted.m", 1, false);
        await().atMost(HANG_GUARD)
                .pollInterval(Duration.ofSeconds(1))
                .ignoreExceptions()
                .until(() -> node.client.operations().keyHistory("charted").samples().stream()
                        .anyMatch(sample -> sample.started() == 1));
        assertThat(exitCode(watch("keys", "history", "charted"))).isZero();
        assertThat(out.toString()).contains("charted: the last hour", "started  |", "1 in all");
        assertThat(exitCode(watch("keys", "history", "no-such-key"))).isEqualTo(1);
        assertThat(err.toString()).contains("key not found: no-such-key");
    }

    @Test
    void a_client_resumes_across_a_cut_connection_and_misses_nothing() throws Exception {
        node.client.apply("cut", "workflow: cut\nsteps: [{id: a, uses: cut.m}]");
        Connection direct = node.connection();
        try (var proxy = new FaultyProxy(direct.url().getPort())) {
            var client = new Client(new Connection(URI.create(proxy.url()), direct.token(), HANG_GUARD));
            try (LiveStream stream = client.stream(StreamFilter.topics("runs"))) {
                assertThat(stream.next(HANG_GUARD)).contains(new LiveEvent.Opened());
                for (int i = 0; i < 5; i++) {
                    proxy.cut();
                    node.client.start(StartRunRequest.of("cut", "cut-" + i, null));
                    proxy.repair();
                    assertThat(List.of(nextRun(stream), nextRun(stream)))
                            .containsExactly("cut-" + i + " queued", "cut-" + i + " running");
                }
            }
        }
    }

    /** Returns the next change of a run of this test. */
    private static String nextRun(LiveStream stream) throws InterruptedException {
        while (true) {
            LiveEvent event = stream.next(HANG_GUARD).orElseThrow();
            if (event instanceof LiveEvent.RunEvent change && change.workflow().equals("cut")) {
                return change.run() + " " + change.state();
            }
            assertThat(event).isNotInstanceOf(LiveEvent.Reset.class);
        }
    }
}
