package dev.weir.cli.life;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.weir.api.Runs.CancelRequest;
import dev.weir.api.Runs.RunView;
import dev.weir.api.Starts.StartRunRequest;
import dev.weir.api.Times;
import dev.weir.api.Work.ModuleStatusUpdate;
import dev.weir.api.Work.WorkClaim;
import dev.weir.cli.life.Called.Reply;
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
    private static final CountDownLatch OVER = new CountDownLatch(1);
    /** The times at which the server that asks for a pause was called. */
    private static final List<Instant> BUSY = new CopyOnWriteArrayList<>();

    private static Called called;
    private static Stage stage;
    private static WorkClaim late;
    private static WorkClaim undoes;
    private static WorkClaim finishes;
    private static WorkClaim stops;
    private static boolean toldToStop;

    @BeforeAll
    static void begin() throws Exception {
        called = new Called();
        stage = new Stage("time", List.of("--allow-call", called.address()));
        waiting();
        calling();
        failing();
        stopping();
        stage.await("the call that hangs", () -> called.keys("/hangs").size() == 1);
        stage.await("the call that asks for time", () -> !BUSY.isEmpty());
        stage.node.killAndStartAgain();
        // The worker of a cancelled run must stop within 30 s, and other tests may take longer than that.
        toldToStop = Boolean.TRUE.equals(stage.beat(stops).cancelRequested());
        stage.fail(stops);
    }

    private static void waiting() throws Exception {
        stage.start("sleeps", "steps: [{id: a, sleep: 4s}]");
        stage.start(
                "hears",
                "steps: [{id: a, wait_for: {signal: first}}, {id: b, needs: [a], wait_for: {signal: second}}]");
        assertThat(stage.client.signal("hears", "second", Stage.json("2")).warning())
                .contains("keeps the signal");
        stage.start("listens", "steps: [{id: a, wait_for: {signal: never, timeout: 4s}}]");
        stage.start(
                "slow", "steps: [{id: a, uses: slow.m, timeout: 3s, retry: {max_attempts: 2, delay: 1ms, jitter: 0}}]");
        late = stage.claim("slow.m");
        stage.start("ends", "deadline: 4s\nsteps: [{id: a, uses: ends.m}]");
        stage.start("given_time", "deadline: 5s\nsteps: [{id: a, uses: given_time.m}]");
        stage.await("the start", () -> stage.client.run("given_time").startedAt() != null);
        stage.weir("extend", "given_time", "1h");
        stage.apply("later", "steps: []");
        stage.client.start(new StartRunRequest("later", "later", null, null, null, null, "4s", null));
    }

    private static void calling() throws Exception {
        called.on("/flaky", (exchange, n) -> n < 3 ? Reply.of(503, "") : Reply.of(200, "{\"ok\":true}"));
        called.on("/hangs", (exchange, n) -> {
            if (n == 1) {
                hold();
            }
            return Reply.of(200, "1");
        });
        called.on("/busy", (exchange, n) -> {
            BUSY.add(Instant.now());
            return n == 1 ? Reply.of(429, "").with("Retry-After", "8") : Reply.of(200, "1");
        });
        stage.start(
                "flaky",
                "steps: [{id: a, call: {url: '" + called.url("/flaky") + "'}, retry: {delay: 2s, jitter: 0}}]");
        stage.start("hangs", "steps: [{id: a, call: {url: '" + called.url("/hangs") + "'}}]");
        stage.apply(
                "busy",
                "flow_control: {key: busy, parallelism: 5}\n" + "steps: [{id: a, call: {url: '" + called.url("/busy")
                        + "'}, retry: {delay: 1ms}}]");
        stage.start("busy", "busy-1", null);
    }

    private static void hold() {
        try {
            OVER.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void failing() throws Exception {
        stage.start(
                "undone",
                "steps: [{id: a, uses: undone.m, compensate: {uses: undone.back}},"
                        + " {id: b, needs: [a], uses: undone.m, compensate: {uses: undone.back}},"
                        + " {id: c, needs: [b], uses: undone.m, on_failure: compensate}]");
        stage.complete(stage.claim("undone.m"), "1");
        stage.complete(stage.claim("undone.m"), "2");
        stage.fail(stage.claim("undone.m"));
        undoes = stage.claim("undone.back");
    }

    private static void stopping() throws Exception {
        stage.start("finishes", "steps: [{id: a, uses: finishes.m}, {id: b, needs: [a], uses: finishes.m}]");
        finishes = stage.claim("finishes.m");
        stage.client.cancel("finishes", new CancelRequest(null, "no longer wanted"));
        stage.start("stops", "steps: [{id: a, uses: stops.m}]");
        stops = stage.claim("stops.m");
        stage.client.cancel("stops", new CancelRequest("cancel_running", "no longer wanted"));
    }

    @AfterAll
    static void close() throws IOException {
        OVER.countDown();
        stage.close();
        called.close();
    }

    private static Duration lasted(RunView run) {
        return Duration.between(Objects.requireNonNull(run.startedAt()), Objects.requireNonNull(run.endedAt()));
    }

    @Test
    void a_step_sleeps_as_long_as_it_should() throws Exception {
        assertThat(lasted(stage.ended("sleeps", "completed"))).isGreaterThanOrEqualTo(Duration.ofSeconds(4));
    }

    @Test
    @Tag("R0.16")
    void a_signal_that_was_sent_before_anybody_waited_is_not_lost() throws Exception {
        assertThat(stage.why("hears", "a")).containsExactly("signal");
        assertThat(stage.weir("signal", "hears", "first", "{\"n\": 1}")).contains("signal sent");
        stage.ended("hears", "completed");
        assertThat(stage.step("hears", "a").output()).isEqualTo(Stage.json("{'n': 1}"));
        assertThat(stage.step("hears", "b").output()).isEqualTo(Stage.json("2"));
        assertThat(stage.refused(409, client -> client.signal("hears", "first", null)))
                .contains("has ended");
        assertThat(stage.refused(404, client -> client.signal("nobody", "first", null)))
                .contains("nobody");
    }

    @Test
    @Tag("R0.16")
    void who_waits_for_a_signal_waits_only_so_long() throws Exception {
        assertThat(lasted(stage.ended("listens", "failed"))).isGreaterThanOrEqualTo(Duration.ofSeconds(4));
    }

    @Test
    @Tag("R0.12")
    void a_try_that_takes_too_long_is_tried_again_and_its_report_comes_too_late() throws Exception {
        WorkClaim second = stage.claim("slow.m");
        assertThat(second.attempt()).isEqualTo(2);
        assertThat(stage.beat(late).outcome()).isEqualTo("claim_lost");
        assertThat(stage.report(ModuleStatusUpdate.completed(late, null))).isEqualTo("claim_superseded");
        stage.complete(second, "1");
        stage.ended("slow", "completed");
    }

    @Test
    @Tag("R4.13")
    void a_run_fails_at_its_deadline_unless_it_was_given_more_time() throws Exception {
        assertThat(stage.ended("ends", "failed").reason()).contains("deadline");
        assertThat(stage.refused(409, client -> client.extend("ends", "1h"))).contains("ended");
        assertThat(stage.refused(400, client -> client.extend("given_time", "soon")))
                .contains("duration");
        assertThat(stage.refused(409, client -> client.extend("given_time", "1m")))
                .contains("already has a later deadline");
        assertThat(stage.refused(409, client -> client.extend("stops", "1m"))).isNotEmpty();
        stage.complete(stage.claim("given_time.m"), "1");
        stage.ended("given_time", "completed");
    }

    @Test
    void a_run_that_is_delayed_starts_then() throws Exception {
        RunView run = stage.ended("later", "completed");
        assertThat(Duration.between(run.acceptedAt(), Objects.requireNonNull(run.startedAt())))
                .isGreaterThanOrEqualTo(Duration.ofSeconds(4));
    }

    @Test
    @Tag("R3.11")
    void a_call_that_fails_is_made_again_as_another_attempt() throws Exception {
        stage.ended("flaky", "completed");
        assertThat(Objects.requireNonNull(stage.step("flaky", "a").output()).path("body"))
                .isEqualTo(Stage.json("{'ok': true}"));
        assertThat(called.keys("/flaky")).startsWith("flaky/a/1").endsWith("flaky/a/3");
    }

    @Test
    @Tag("R3.11")
    void a_call_that_the_kill_has_cut_is_made_again_with_the_same_key() throws Exception {
        stage.ended("hangs", "completed");
        assertThat(called.keys("/hangs")).containsExactly("hangs/a/1", "hangs/a/1");
    }

    @Test
    @Tag("R3.11")
    void who_asks_for_time_is_not_called_before_by_anybody_who_uses_the_key() throws Exception {
        stage.start("busy", "busy-2", null);
        stage.ended("busy-1", "completed");
        stage.ended("busy-2", "completed");
        assertThat(BUSY.get(1)).isAfterOrEqualTo(BUSY.get(0).plusSeconds(8));
        assertThat(called.keys("/busy")).hasSize(3).contains("busy-1/a/2", "busy-2/a/1");
    }

    @Test
    @Tag("R0.11")
    void what_was_done_is_undone_the_last_first() throws Exception {
        assertThat(undoes.step()).isEqualTo("b.compensate");
        assertThat(stage.client.run("undone").state()).isEqualTo("compensating");
        stage.complete(undoes, "1");
        WorkClaim next = stage.claim("undone.back");
        assertThat(next.step()).isEqualTo("a.compensate");
        stage.complete(next, "1");
        stage.ended("undone", "failed");
    }

    @Test
    @Tag("R1.9")
    void a_cancelled_run_lets_finish_what_runs_and_starts_nothing_more() throws Exception {
        assertThat(stage.beat(finishes).outcome()).isEqualTo("extended");
        stage.complete(finishes, "1");
        stage.ended("finishes", "cancelled");
        assertThat(stage.step("finishes", "a").state()).isEqualTo("completed");
        assertThat(stage.step("finishes", "b").state()).isEqualTo("cancelled");
        assertThat(stage.ask("finishes.m", "0s")).isEmpty();
    }

    @Test
    @Tag("R1.9")
    void workers_of_a_run_that_is_stopped_are_told_by_their_heartbeats() throws Exception {
        assertThat(toldToStop).isTrue();
        stage.ended("stops", "cancelled");
        assertThat(stage.step("stops", "a").state()).isEqualTo("cancelled");
        assertThat(stage.refused(400, client -> client.cancel("stops", new CancelRequest("sometimes", null))))
                .contains("allow_finish or cancel_running");
    }

    @Test
    @Tag("RX.3")
    void what_a_cancelled_run_waited_for_is_what_why_has_said() throws Exception {
        stage.start("unserved", "steps: [{id: a, with_items: [1, 2, 3], concurrency: 2, uses: unserved.m}]");
        stage.await("why", () -> stage.why("unserved", "a").contains("no_worker"));
        assertThat(stage.why("unserved", "a")).containsExactly("no_worker");
        stage.weir("cancel", "unserved");
        stage.ended("unserved", "cancelled");
        assertThat(stage.client.time("unserved").waited())
                .extracting(Times.Wait::what, Times.Wait::message)
                .containsExactly(tuple("no_worker", "a worker"));
        assertThat(stage.weir("time", "unserved"))
                .contains("waiting for a worker")
                .doesNotContain("capacity of");
    }

    @Test
    @Tag("RX.3")
    void a_limit_has_the_same_name_while_it_is_waited_for_and_afterwards() throws Exception {
        stage.start("alone", "max_concurrent_steps: 1\nsteps: [{id: a, uses: alone.m}, {id: b, uses: alone.n}]");
        WorkClaim first = stage.claim("alone.m");
        stage.await("why", () -> stage.why("alone", "b").contains("limit"));
        assertThat(stage.weir("why", "alone", "b")).contains("max_concurrent_steps of the run is full");
        assertThat(stage.ask("alone.n", "0s")).as("a worker is there").isEmpty();
        Instant since = Objects.requireNonNull(stage.step("alone", "b").since());
        stage.await("a wait that is noted", () -> Instant.now().isAfter(since.plusMillis(100)));
        stage.complete(first, "1");
        stage.complete(stage.claim("alone.n"), "1");
        stage.ended("alone", "completed");
        assertThat(stage.weir("time", "alone", "--steps")).contains("capacity of max_concurrent_steps of the run");
    }
}
