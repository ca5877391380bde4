package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.api.Starts.StartRunRequest;
import dev.weir.client.Worker;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the logs of attempts, from workers to the command line. */
@SuppressWarnings("NullAway.Init") // set before the first test
class LogsEndToEndTest {
    private static RunningNode node;
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeAll
    static void open() throws Exception {
        node = RunningNode.shared();
    }

    @Test
    void standard_error_of_a_program_is_read_while_it_runs_and_kept_with_its_try(@TempDir Path folder)
            throws Exception {
        Path pipe = folder.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        node.client.apply("noisy", "workflow: noisy\nsteps: [{id: a, uses: noisy.m, retry: {delay: 1ms}}]");
        node.client.start(StartRunRequest.of("noisy", "noisy", null));
        String program = "printf 'begin \\377 \\000 of try %s\\n' $WEIR_ATTEMPT >&2; read line < " + pipe
                + "; echo $line >&2; [ $WEIR_ATTEMPT = 2 ]";
        Thread worker = Thread.ofPlatform().start(() -> weir("work", "noisy.m", "--exec", program, "--count", "2"));
        await().atMost(Duration.ofSeconds(30)).until(() -> text("noisy").startsWith("begin"));
        assertThat(text("noisy")).isEqualTo("begin \uFFFD \uFFFD of try 1\n");
        var follower = new StringWriter();
        Thread follows = Thread.ofPlatform().start(() -> follow(follower, "noisy"));
        await().until(() -> follower.toString().contains("try 1"));
        Files.writeString(pipe, "first line\n");
        await().until(() -> follower.toString().contains("try 2"));
        Files.writeString(pipe, "second line\n");
        node.awaitEnd("noisy");
        follows.join(Duration.ofSeconds(20));
        worker.join(Duration.ofSeconds(20));
        assertThat(follows.isAlive()).as("it ends with the step").isFalse();
        assertThat(follower.toString())
                .isEqualTo("begin \uFFFD \uFFFD of try 1\nfirst line\nbegin \uFFFD \uFFFD of try 2\nsecond line\n");
        out.getBuffer().setLength(0);
        assertThat(weir("logs", "noisy", "a", "--attempt", "1")).isZero();
        assertThat(out.toString()).isEqualTo("begin \uFFFD \uFFFD of try 1\nfirst line\n");
        out.getBuffer().setLength(0);
        assertThat(weir("logs", "noisy", "a", "-o", "json")).isZero();
        assertThat(out.toString()).contains("\"attempt\" : 2", "\"state\" : \"completed\"");
    }

    @Test
    void log_lines_and_exceptions_of_a_handler_are_in_the_log() throws Exception {
        node.client.apply("talk", "workflow: talk\nsteps: [{id: a, uses: talk.m, retry: {max_attempts: 1}}]");
        node.client.start(StartRunRequest.of("talk", "talk", null));
        var go = new CountDownLatch(1);
        try (var worker = Worker.of(node.client)
                .module("talk.m", job -> {
                    job.log("I am on my way");
                    go.await();
                    throw new IllegalStateException("the bridge is out");
                })
                .start()) {
            await().atMost(Duration.ofSeconds(30)).until(() -> !text("talk").isEmpty());
            assertThat(text("talk")).isEqualTo("I am on my way\n");
            go.countDown();
            node.awaitEnd("talk");
            assertThat(worker).isNotNull();
        }
        assertThat(text("talk")).contains("IllegalStateException: the bridge is out", "LogsEndToEndTest");
    }

    @Test
    void a_report_that_the_server_refuses_fails_the_step_and_says_why() throws Exception {
        node.client.apply("odd", "workflow: odd\nsteps: [{id: a, uses: odd.m}]");
        node.client.start(StartRunRequest.of("odd", "odd", null));
        assertThat(weir("work", "odd.m", "--exec", "echo '\"\\u0000\"'", "--count", "1"))
                .isZero();
        assertThat(node.awaitEnd("odd").state()).isEqualTo("failed");
        assertThat(node.client.steps("odd").steps().get(0).error()).contains("the server refused the report", "U+0000");
    }

    @Test
    void logs_of_a_silent_step_are_empty_and_an_unknown_step_is_an_error() throws Exception {
        node.client.apply("mute", "workflow: mute\nsteps: [{id: a, uses: mute.m}]");
        node.client.start(StartRunRequest.of("mute", "mute", null));
        assertThat(weir("logs", "mute", "a")).isZero();
        assertThat(err.toString()).contains("mute/a is ready and has logged nothing");
        assertThat(weir("logs", "mute", "b")).isEqualTo(1);
        assertThat(weir("logs", "mute")).isEqualTo(2);
    }

    @Test
    void an_item_is_requested_in_the_form_in_which_it_is_printed() throws Exception {
        node.client.apply(
                "many", "workflow: many\nsteps: [{id: each, with_items: [x, y], concurrency: 1, uses: many.m}]");
        node.client.start(StartRunRequest.of("many", "many", null));
        assertThat(weir("why", "many", "each/1")).isZero();
        assertThat(out.toString()).startsWith("many/each/1 is ");
        assertThat(weir("work", "many.m", "--exec", "echo I am $WEIR_ITEM >&2", "--count", "2"))
                .isZero();
        node.awaitEnd("many");
        out.getBuffer().setLength(0);
        assertThat(weir("time", "many")).isZero();
        assertThat(out.toString()).contains("each/1");
        out.getBuffer().setLength(0);
        assertThat(weir("logs", "many", "each/1")).isZero();
        assertThat(weir("logs", "many", "each", "--item", "0")).isZero();
        assertThat(out.toString()).isEqualTo("I am 1\nI am 0\n");
        assertThat(weir("logs", "many", "each/7")).isEqualTo(1);
        assertThat(err.toString()).contains("many/each/7");
    }

    @Test
    @Tag("R3.10")
    void the_logs_of_all_steps_under_a_key_are_shown_newest_run_first() throws Exception {
        node.client.apply(
                "keyed_logs",
                "workflow: keyed_logs\nsteps: [{id: a, uses: keyed.m, flow_control: {key: logged, parallelism: 1}}]");
        for (String run : new String[] {"kl-1", "kl-2"}) {
            node.client.start(StartRunRequest.of("keyed_logs", run, null));
            assertThat(weir("work", "keyed.m", "--exec", "echo first $WEIR_RUN >&2; echo second >&2", "--count", "1"))
                    .isZero();
        }
        node.awaitEnd("kl-2");
        out.getBuffer().setLength(0);
        assertThat(weir("logs", "--key", "logged")).isZero();
        assertThat(out.toString().replaceAll(", [^,]* ago\n", "\n"))
                .isEqualTo("== kl-2/a\nfirst kl-2\nsecond\n== kl-1/a\nfirst kl-1\nsecond\n");
        out.getBuffer().setLength(0);
        assertThat(weir("logs", "--key", "logged", "--limit", "1")).isZero();
        assertThat(out.toString()).contains("kl-2/a", "next page: --cursor ").doesNotContain("kl-1");
        out.getBuffer().setLength(0);
        assertThat(weir("logs", "--key", "nobody", "-o", "json")).isZero();
        assertThat(out.toString()).contains("\"logs\" : [ ]");
        assertThat(weir("logs", "kl-1", "a", "--key", "logged")).isEqualTo(2);
        assertThat(weir("logs", "kl-1", "a", "--limit", "1")).isEqualTo(2);
    }

    private static String text(String run) throws InterruptedException {
        return node.client.logs(run, "a", Map.of()).text();
    }

    private static void follow(StringWriter follower, String run) {
        Main.commandLine()
                .setOut(new PrintWriter(follower))
                .setErr(new PrintWriter(new StringWriter()))
                .execute("logs", run, "a", "--follow", "--data", node.data.toString());
    }

    private int weir(String... arguments) {
        String[] all = java.util.Arrays.copyOf(arguments, arguments.length + 2);
        all[arguments.length] = "--data";
        all[arguments.length + 1] = node.data.toString();
        return Main.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(all);
    }
}
