package dev.weir.testkit.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.core.definition.Workflow;
import dev.weir.core.state.RunState;
import dev.weir.core.state.StepState;
import dev.weir.core.state.Update;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.node.StringNode;

/** Tests the promises of the extension to users who test their workflows with it. */
class VirtualWeirTest {
    private static final String SLEEPS = """
            workflow: patient
            steps:
              - { id: pay, uses: billing.pay, retry: { max_attempts: 4, delay: 10s, backoff: exponential, jitter: 0 } }
              - { id: cool, needs: [pay], sleep: 3d }
              - { id: close, needs: [cool], uses: audit.close }
            """;

    @RegisterExtension
    private final VirtualWeir weir = new VirtualWeir();

    @Test
    void three_days_and_failing_tries_pass_in_virtual_time_and_end_to_the_second() {
        weir.register(SLEEPS);
        weir.serve("billing.pay", TestHandler.returning(Map.of("paid", true)).afterFailing(2));
        weir.serve("audit.close", TestHandler.returning(null).taking(Duration.ofMinutes(2)));
        TestRun run = weir.start("patient").untilEnded(Duration.ofDays(5));
        assertThat(run)
                .isCompleted()
                .hasOutput("pay", Map.of("paid", true))
                .hasTries("pay", 3)
                .hasStep("cool", StepState.COMPLETED);
        Instant end = VirtualWeir.DEFAULT_START_TIME
                .plusSeconds(10 + 20)
                .plus(Duration.ofDays(3))
                .plusSeconds(120);
        assertThat(run.record().times().endedAt()).isEqualTo(end);
        assertThat(weir.now()).isEqualTo(end);
    }

    @Test
    void people_approve_signal_and_give_input() {
        weir.register("""
                workflow: talk
                steps:
                  - { id: ok, gate: { note: "Is this right?" } }
                  - { id: wait, needs: [ok], wait_for: { signal: paid, timeout: 7d } }
                  - { id: ask, needs: [wait], uses: desk.ask }
                """);
        weir.serve("desk.ask", work -> {
            var provided = work.provided();
            return provided == null ? new Update.NeedsInput(StringNode.valueOf("which colour?")) : provided;
        });
        TestRun run = weir.start("talk");
        assertThat(run).hasState(RunState.WAITING);
        run.approve("ok");
        weir.advance(Duration.ofDays(6));
        run.signal("paid", Map.of("sum", 12));
        assertThat(run).hasOutput("wait", Map.of("sum", 12)).hasStep("ask", StepState.NEEDS_INPUT);
        run.provide("ask", "blue");
        assertThat(run).isCompleted().hasOutput("ask", "blue");
    }

    @Test
    void a_failure_says_what_the_run_waits_for() {
        weir.register(SLEEPS);
        weir.serve("billing.pay", TestHandler.returning(1).afterFailing(1));
        TestRun run = weir.start("patient");
        assertThatThrownBy(() -> assertThat(run).isCompleted())
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("expected run run-1 to be completed; it is running at 2030-01-01T00:00:00Z")
                .hasMessageContaining(
                        "pay: backing_off, it waits for the retry after attempt 1 until 2030-01-01T00:00:10Z")
                .hasMessageContaining("its last attempt failed: java.io.IOException: attempt 1 fails")
                .hasMessageContaining("close: blocked, it needs cool");
        assertThatThrownBy(() -> run.approve("pay")).hasMessageContaining("expected to approve pay of run run-1");
        assertThatThrownBy(() -> run.untilEnded(Duration.ofDays(9)))
                .hasMessageContaining("close: ready, no worker serves its module");
    }

    @Test
    void handlers_overlap_in_virtual_time_within_their_limits() {
        weir.register(Workflow.named("images")
                .step("resize")
                .withItems("${{ input.images }}", 3)
                .uses("images.resize")
                .build());
        var now = new AtomicInteger();
        List<Integer> seen = new ArrayList<>();
        weir.serve("images.resize", work -> {
            seen.add(now.incrementAndGet());
            work.sleep(Duration.ofSeconds(1));
            now.decrementAndGet();
            return work.unit().item();
        });
        TestRun run = weir.start("images", Map.of("images", List.of("a", "b", "c", "d", "e")));
        run.untilEnded(Duration.ofMinutes(1));
        assertThat(run).isCompleted().hasOutput("resize", List.of(0, 1, 2, 3, 4));
        assertThat(weir.now()).isEqualTo(VirtualWeir.DEFAULT_START_TIME.plusSeconds(2));
        assertThat(seen).hasSize(5).allMatch(count -> count <= 3).contains(3);
    }

    @Test
    void a_step_times_out_to_the_second_after_a_long_rest() {
        weir.register("""
                workflow: slow
                steps:
                  - { id: rest, sleep: 30d }
                  - { id: work, needs: [rest], uses: slow.work, timeout: 5s, retry: { max_attempts: 1 } }
                """);
        List<Boolean> interrupted = new ArrayList<>();
        weir.serve("slow.work", work -> {
            try {
                work.sleep(Duration.ofHours(1));
            } catch (InterruptedException e) {
                interrupted.add(true);
            }
            return null;
        });
        TestRun run = weir.start("slow").untilEnded(Duration.ofDays(31));
        assertThat(run).hasFailed().hasStep("work", StepState.FAILED);
        assertThat(weir.now())
                .isEqualTo(
                        VirtualWeir.DEFAULT_START_TIME.plus(Duration.ofDays(30)).plusSeconds(5));
        weir.advance(Duration.ofSeconds(30));
        assertThat(interrupted).containsExactly(true);
    }

    @Test
    void a_cancelled_run_interrupts_its_handlers() {
        weir.register("{workflow: long, cancel: cancel_running, steps: [{id: a, uses: m, timeout: 1d}]}");
        List<String> messages = new ArrayList<>();
        weir.serve("m", work -> {
            try {
                work.sleep(Duration.ofHours(9));
            } catch (InterruptedException e) {
                messages.add("stopped at " + work.now());
                throw e;
            }
            return null;
        });
        TestRun run = weir.start("long");
        weir.advance(Duration.ofSeconds(15));
        run.cancel();
        run.untilEnded(Duration.ofMinutes(1));
        assertThat(run).isCancelled();
        assertThat(messages).hasSize(1);
    }

    @Test
    void workers_come_and_go_and_runs_pause() {
        weir.register("{workflow: short, steps: [{id: a, uses: m}, {id: b, needs: [a], uses: m, optional: true}]}");
        weir.serve("m", 1, TestHandler.returning(1));
        weir.stopServing("m");
        TestRun run = weir.start("short");
        assertThat(run).hasStep("a", StepState.READY);
        run.pause();
        weir.serve("m", 1, TestHandler.returning(2));
        assertThat(run).hasState(RunState.PAUSED).hasStep("a", StepState.READY);
        run.skip("b");
        run.resume();
        assertThat(run).isCompleted().hasOutput("a", 2).hasStep("b", StepState.SKIPPED);
    }

    @Test
    void a_start_that_is_refused_says_why() {
        weir.register(SLEEPS);
        assertThatThrownBy(() -> weir.start("pateint")).hasMessageContaining("did you mean patient?");
        assertThatThrownBy(() -> weir.register("workflow: [")).isInstanceOf(RuntimeException.class);
    }

    @Test
    void the_same_test_sees_the_same_order_every_time() {
        assertThat(story()).hasSize(60).isEqualTo(story());
    }

    /** Returns the events of a busy day, with jittered back-off, limits and failures, as its handlers see them. */
    private static List<String> story() {
        var other = new VirtualWeir();
        other.register("""
                workflow: busy
                flow_control: { key: api, parallelism: 3, rate: 5, period: 10s }
                steps:
                  - { id: a, uses: m, retry: { max_attempts: 5, delay: 7s } }
                  - { id: b, uses: m, needs: [a] }
                  - { id: c, uses: n, needs: [a] }
                """);
        List<String> story = new ArrayList<>();
        TestHandler recording = work -> {
            story.add(work.now() + " " + work.unit() + " " + work.attempt());
            work.sleep(Duration.ofMillis(1_300L * (1 + work.unit().run().length() % 3)));
            if (work.unit().step().equals("a") && work.attempt() < 3) {
                throw new IllegalStateException("not yet");
            }
            return null;
        };
        other.serve("m", 4, recording);
        other.serve("n", 1, recording);
        List<TestRun> runs = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            runs.add(other.start("busy"));
        }
        runs.forEach(run -> run.untilEnded(Duration.ofHours(1)));
        other.world().close();
        return story;
    }

    @Test
    void a_burst_of_events_starts_one_run_in_virtual_time() {
        weir.register("""
                workflow: index
                triggers:
                  - { id: changed, event: order.changed, debounce: { key: "${{ event.data.order }}", period: 1h } }
                """);
        var first = weir.sendEvent("order.changed", Map.of("order", "A", "n", 1));
        weir.advance(Duration.ofMinutes(59));
        var last = weir.sendEvent("order.changed", Map.of("order", "A", "n", 2));
        weir.advance(Duration.ofMinutes(59));
        assertThat(last.runs()).isEmpty();
        weir.advance(Duration.ofMinutes(1));
        assertThat(last.runs()).extracting(TestRun::id).containsExactly("index:changed:event-2");
        assertThat(first.runs()).extracting(TestRun::id).containsExactly("index:changed:event-2");
    }

    @Test
    void a_schedule_starts_its_runs_in_virtual_time() {
        weir.register("workflow: nightly\ntriggers: [{id: t, schedule: '0 2 * * *'}]\n");
        weir.advance(Duration.ofDays(2));
        assertThat(weir.runs("nightly"))
                .hasSize(2)
                .allSatisfy(run -> assertThat(run.state()).isEqualTo(RunState.COMPLETED));
    }
}
