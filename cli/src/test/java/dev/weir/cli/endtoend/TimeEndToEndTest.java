package dev.weir.cli.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.weir.api.Runs.CancelRequest;
import dev.weir.api.Runs.RunView;
import dev.weir.api.Starts.StartRunRequest;
import dev.weir.api.Times;
import dev.weir.api.Work.ModuleStatusUpdate;
import dev.weir.api.Work.WorkClaim;
import dev.weir.cli.endtoend.ScriptedHttpServer.Reply;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests over HTTP how runs wait, make calls, fail and are stopped. Every run is in the middle of something when the
 * node is killed, and the tests continue with the runs on the next node.
 */
@SuppressWarnings("NullAway.Init") // set before the first test
class TimeEndToEndTest {
    private static final CountDownLatch TEST_ENDED = new CountDownLatch(1);
    /** The times at which the server that asks for a pause was called. */
    private static final List<Instant> BUSY = new CopyOnWriteArrayList<>();

    private static ScriptedHttpServer server;
    private static NodeDriver driver;
    private static WorkClaim late;
    private static WorkClaim undoes;
    private static WorkClaim finishes;
    private static WorkClaim stops;
    private static boolean toldToStop;

    @BeforeAll
    static void begin() throws Exception {
        server = new ScriptedHttpServer();
        driver = new NodeDriver("time", List.of("--allow-call", server.address()));
        startWaitingRuns();
        startCallingRuns();
        startFailingRuns();
        startStoppedRuns();
        driver.await(
                "the call that hangs", () -> server.idempotencyKeys("/hangs").size() == 1);
        driver.await("the call that asks for time", () -> !BUSY.isEmpty());
        driver.node.restart();
        // The worker of a cancelled run must stop within 30 s, and other tests may take longer than that.
        toldToStop = Boolean.TRUE.equals(driver.heartbeat(stops).cancelRequested());
        driver.fail(stops);
    }

    private static void startWaitingRuns() throws Exception {
        driver.start("sleeps", "steps: [{id: a, sleep: 4s}]");
        driver.start(
                "hears",
                "steps: [{id: a, wait_for: {signal: first}}, {id: b, needs: [a], wait_for: {signal: second}}]");
        assertThat(driver.client.signal("hears", "second", NodeDriver.json("2")).warning())
                .contains("keeps the signal");
        driver.start("listens", "steps: [{id: a, wait_for: {signal: never, timeout: 4s}}]");
        driver.start(
                "slow", "steps: [{id: a, uses: slow.m, timeout: 3s, retry: {max_attempts: 2, delay: 1ms, jitter: 0}}]");
        late = driver.claim("slow.m");
        driver.start("ends", "deadline: 4s\nsteps: [{id: a, uses: ends.m}]");
        driver.start("given_time", "deadline: 5s\nsteps: [{id: a, uses: given_time.m}]");
        driver.await("the start", () -> driver.client.run("given_time").startedAt() != null);
        driver.runCommand("extend", "given_time", "1h");
        driver.apply("later", "steps: []");
        driver.client.start(new StartRunRequest("later", "later", null, null, null, null, "4s", null));
    }

    private static void startCallingRuns() throws Exception {
        server.on("/flaky", (exchange, n) -> n < 3 ? Reply.of(503, "") : Reply.of(200, "{\"ok\":true}"));
        server.on("/hangs", (exchange, n) -> {
            if (n == 1) {
                awaitTestEnd();
            }
            return Reply.of(200, "1");
        });
        server.on("/busy", (exchange, n) -> {
            BUSY.add(Instant.now());
            return n == 1 ? Reply.of(429, "").with("Retry-After", "8") : Reply.of(200, "1");
        });
        driver.start(
                "flaky",
                "steps: [{id: a, call: {url: '" + server.url("/flaky") + "'}, retry: {delay: 2s, jitter: 0}}]");
        driver.start("hangs", "steps: [{id: a, call: {url: '" + server.url("/hangs") + "'}}]");
        driver.apply(
                "busy",
                "flow_control: {key: busy, parallelism: 5}\n" + "steps: [{id: a, call: {url: '" + server.url("/busy")
                        + "'}, retry: {delay: 1ms}}]");
        driver.start("busy", "busy-1", null);
    }

    private static void awaitTestEnd() {
        try {
            TEST_ENDED.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void startFailingRuns() throws Exception {
        driver.start(
                "undone",
                "steps: [{id: a, uses: undone.m, compensate: {uses: undone.back}},"
                        + " {id: b, needs: [a], uses: undone.m, compensate: {uses: undone.back}},"
                        + " {id: c, needs: [b], uses: undone.m, on_failure: compensate}]");
        driver.complete(driver.claim("undone.m"), "1");
        driver.complete(driver.claim("undone.m"), "2");
        driver.fail(driver.claim("undone.m"));
        undoes = driver.claim("undone.back");
    }

    private static void startStoppedRuns() throws Exception {
        driver.start("finishes", "steps: [{id: a, uses: finishes.m}, {id: b, needs: [a], uses: finishes.m}]");
        finishes = driver.claim("finishes.m");
        driver.client.cancel("finishes", new CancelRequest(null, "no longer wanted"));
        driver.start("stops", "steps: [{id: a, uses: stops.m}]");
        stops = driver.claim("stops.m");
        driver.client.cancel("stops", new CancelRequest("cancel_running", "no longer wanted"));
    }

    @AfterAll
    static void close() throws IOException {
        TEST_ENDED.countDown();
        driver.close();
        server.close();
    }

    private static Duration lasted(RunView run) {
        return Duration.between(Objects.requireNonNull(run.startedAt()), Objects.requireNonNull(run.endedAt()));
    }

    @Test
    void a_step_sleeps_as_long_as_it_should() throws Exception {
        assertThat(lasted(driver.awaitEnd("sleeps", "completed"))).isGreaterThanOrEqualTo(Duration.ofSeconds(4));
    }

    @Test
    @Tag("R0.16")
    void a_signal_that_was_sent_before_a_step_waited_is_not_lost() throws Exception {
        assertThat(driver.why("hears", "a")).containsExactly("signal");
        assertThat(driver.runCommand("signal", "hears", "first", "{\"n\": 1}")).contains("signal sent");
        driver.awaitEnd("hears", "completed");
        assertThat(driver.step("hears", "a").output()).isEqualTo(NodeDriver.json("{'n': 1}"));
        assertThat(driver.step("hears", "b").output()).isEqualTo(NodeDriver.json("2"));
        assertThat(driver.assertRefused(409, client -> client.signal("hears", "first", null)))
                .contains("has ended");
        assertThat(driver.assertRefused(404, client -> client.signal("nobody", "first", null)))
                .contains("nobody");
    }

    @Test
    @Tag("R0.16")
    void a_wait_for_a_signal_times_out() throws Exception {
        assertThat(lasted(driver.awaitEnd("listens", "failed"))).isGreaterThanOrEqualTo(Duration.ofSeconds(4));
    }

    @Test
    @Tag("R0.12")
    void a_try_that_takes_too_long_is_tried_again_and_its_report_comes_too_late() throws Exception {
        WorkClaim second = driver.claim("slow.m");
        assertThat(second.attempt()).isEqualTo(2);
        assertThat(driver.heartbeat(late).outcome()).isEqualTo("claim_lost");
        assertThat(driver.report(ModuleStatusUpdate.completed(late, null))).isEqualTo("claim_superseded");
        driver.complete(second, "1");
        driver.awaitEnd("slow", "completed");
    }

    @Test
    @Tag("R4.13")
    void a_run_fails_at_its_deadline_unless_it_was_given_more_time() throws Exception {
        assertThat(driver.awaitEnd("ends", "failed").reason()).contains("deadline");
        assertThat(driver.assertRefused(409, client -> client.extend("ends", "1h")))
                .contains("ended");
        assertThat(driver.assertRefused(400, client -> client.extend("given_time", "soon")))
                .contains("duration");
        assertThat(driver.assertRefused(409, client -> client.extend("given_time", "1m")))
                .contains("already has a later deadline");
        assertThat(driver.assertRefused(409, client -> client.extend("stops", "1m")))
                .isNotEmpty();
        driver.complete(driver.claim("given_time.m"), "1");
        driver.awaitEnd("given_time", "completed");
    }

    @Test
    void a_run_that_is_delayed_starts_then() throws Exception {
        RunView run = driver.awaitEnd("later", "completed");
        assertThat(Duration.between(run.acceptedAt(), Objects.requireNonNull(run.startedAt())))
                .isGreaterThanOrEqualTo(Duration.ofSeconds(4));
    }

    @Test
    @Tag("R3.11")
    void a_call_that_fails_is_made_again_as_another_attempt() throws Exception {
        driver.awaitEnd("flaky", "completed");
        assertThat(Objects.requireNonNull(driver.step("flaky", "a").output()).path("body"))
                .isEqualTo(NodeDriver.json("{'ok': true}"));
        assertThat(server.idempotencyKeys("/flaky")).startsWith("flaky/a/1").endsWith("flaky/a/3");
    }

    @Test
    @Tag("R3.11")
    void a_call_that_the_kill_has_cut_is_made_again_with_the_same_key() throws Exception {
        driver.awaitEnd("hangs", "completed");
        assertThat(server.idempotencyKeys("/hangs")).containsExactly("hangs/a/1", "hangs/a/1");
    }

    @Test
    @Tag("R3.11")
    void retry_after_delays_every_call_that_uses_the_key() throws Exception {
        driver.start("busy", "busy-2", null);
        driver.awaitEnd("busy-1", "completed");
        driver.awaitEnd("busy-2", "completed");
        assertThat(BUSY.get(1)).isAfterOrEqualTo(BUSY.get(0).plusSeconds(8));
        assertThat(server.idempotencyKeys("/busy")).hasSize(3).contains("busy-1/a/2", "busy-2/a/1");
    }

    @Test
    @Tag("R0.11")
    void completed_steps_are_compensated_in_reverse_order() throws Exception {
        assertThat(undoes.step()).isEqualTo("b.compensate");
        assertThat(driver.client.run("undone").state()).isEqualTo("compensating");
        driver.complete(undoes, "1");
        WorkClaim next = driver.claim("undone.back");
        assertThat(next.step()).isEqualTo("a.compensate");
        driver.complete(next, "1");
        driver.awaitEnd("undone", "failed");
    }

    @Test
    @Tag("R1.9")
    void a_cancelled_run_lets_finish_what_runs_and_starts_nothing_more() throws Exception {
        assertThat(driver.heartbeat(finishes).outcome()).isEqualTo("extended");
        driver.complete(finishes, "1");
        driver.awaitEnd("finishes", "cancelled");
        assertThat(driver.step("finishes", "a").state()).isEqualTo("completed");
        assertThat(driver.step("finishes", "b").state()).isEqualTo("cancelled");
        assertThat(driver.poll("finishes.m", "0s")).isEmpty();
    }

    @Test
    @Tag("R1.9")
    void workers_learn_from_their_heartbeats_that_their_run_is_stopped() throws Exception {
        assertThat(toldToStop).isTrue();
        driver.awaitEnd("stops", "cancelled");
        assertThat(driver.step("stops", "a").state()).isEqualTo("cancelled");
        assertThat(driver.assertRefused(400, client -> client.cancel("stops", new CancelRequest("sometimes", null))))
                .contains("allow_finish or cancel_running");
    }

    @Test
    @Tag("RX.3")
    void the_waits_of_a_cancelled_run_match_what_why_reported() throws Exception {
        driver.start("unserved", "steps: [{id: a, with_items: [1, 2, 3], concurrency: 2, uses: unserved.m}]");
        driver.await("why", () -> driver.why("unserved", "a").contains("no_worker"));
        assertThat(driver.why("unserved", "a")).containsExactly("no_worker");
        driver.runCommand("cancel", "unserved");
        driver.awaitEnd("unserved", "cancelled");
        assertThat(driver.client.time("unserved").waited())
                .extracting(Times.Wait::what, Times.Wait::message)
                .containsExactly(tuple("no_worker", "a worker"));
        assertThat(driver.runCommand("time", "unserved"))
                .contains("waiting for a worker")
                .doesNotContain("capacity of");
    }

    @Test
    @Tag("RX.3")
    void a_limit_has_the_same_name_while_it_is_waited_for_and_afterwards() throws Exception {
        driver.start("alone", "max_concurrent_steps: 1\nsteps: [{id: a, uses: alone.m}, {id: b, uses: alone.n}]");
        WorkClaim first = driver.claim("alone.m");
        driver.await("why", () -> driver.why("alone", "b").contains("limit"));
        assertThat(driver.runCommand("why", "alone", "b")).contains("max_concurrent_steps of the run is full");
        assertThat(driver.poll("alone.n", "0s")).as("a worker is there").isEmpty();
        Instant since = Objects.requireNonNull(driver.step("alone", "b").since());
        driver.await("a wait that is noted", () -> Instant.now().isAfter(since.plusMillis(100)));
        driver.complete(first, "1");
        driver.complete(driver.claim("alone.n"), "1");
        driver.awaitEnd("alone", "completed");
        assertThat(driver.runCommand("time", "alone", "--steps"))
                .contains("capacity of max_concurrent_steps of the run");
    }
}
