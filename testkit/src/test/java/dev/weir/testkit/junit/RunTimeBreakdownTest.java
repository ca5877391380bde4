package dev.weir.testkit.junit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.command.PauseKey;
import dev.weir.core.command.ResumeKey;
import dev.weir.core.explain.CriticalPath;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Moment;
import dev.weir.core.state.UnitId;
import dev.weir.core.state.Update;
import dev.weir.core.state.WaitEntry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.node.StringNode;

/** Tests the attribution of a run's time: it is exact to the microsecond, and its parts sum to the whole. */
@Tag("RX.3")
class RunTimeBreakdownTest {
    private static final long SECOND = 1_000_000;
    private static final long SEEDS = 150;

    private final VirtualWeir weir = new VirtualWeir();

    @AfterEach
    void close() {
        weir.world().close();
    }

    private CriticalPath criticalPath(TestRun run) {
        return weir.world().records.criticalPath(VirtualWeir.ORG, run.id()).orElseThrow();
    }

    private static WaitEntry waited(WaitEntry.Cause what, String limit, long seconds) {
        return new WaitEntry(what, limit, seconds * SECOND);
    }

    private static WaitEntry waited(WaitEntry.Cause what, long seconds) {
        return new WaitEntry(what, null, seconds * SECOND);
    }

    @Test
    void each_wait_is_put_down_to_what_caused_it() {
        weir.register("""
                workflow: long
                steps:
                  - { id: pay, uses: pay, retry: { max_attempts: 3, delay: 10s, backoff: fixed, jitter: 0 } }
                  - { id: check, needs: [pay], gate: { note: "?" } }
                  - { id: rest, needs: [check], sleep: 60s }
                  - { id: told, needs: [rest], wait_for: { signal: go } }
                  - { id: ask, needs: [told], uses: ask }
                  - { id: side, uses: pay }
                """);
        weir.serve("pay", TestHandler.returning(1).taking(Duration.ofSeconds(2)).afterFailing(1));
        TestRun run = weir.start("long");
        weir.advance(Duration.ofSeconds(12 + 30));
        run.approve("check");
        weir.advance(Duration.ofSeconds(60 + 5));
        run.signal("go", null);
        weir.advance(Duration.ofSeconds(7));
        weir.serve("ask", work -> {
            work.sleep(Duration.ofSeconds(1));
            return work.provided() == null ? new Update.NeedsInput(StringNode.valueOf("?")) : 1;
        });
        weir.advance(Duration.ofSeconds(1 + 20));
        run.provide("ask", 1);
        run.untilEnded(Duration.ofHours(1));
        CriticalPath criticalPath = criticalPath(run);
        assertThat(criticalPath.path())
                .extracting(CriticalPath.Leg::step)
                .containsExactly("pay", "check", "rest", "told", "ask");
        assertThat(criticalPath.waited())
                .containsExactly(
                        waited(WaitEntry.Cause.TIMER, 60),
                        waited(WaitEntry.Cause.GATE, 30),
                        waited(WaitEntry.Cause.NEEDS_INPUT, 20),
                        waited(WaitEntry.Cause.BACKOFF, 10),
                        waited(WaitEntry.Cause.NO_WORKER, 7),
                        waited(WaitEntry.Cause.SIGNAL, 5));
        assertThat(criticalPath.work()).isEqualTo(4 * SECOND);
        assertThat(criticalPath.to() - criticalPath.from()).isEqualTo(136 * SECOND);
    }

    @Test
    void a_wait_for_limits_is_put_down_to_the_one_that_refused_last() {
        weir.register("""
                workflow: limited
                flow_control: [ { key: slow, parallelism: 1 }, { key: quick, rate: 1, period: 8s } ]
                steps: [ { id: a, uses: m } ]
                """);
        weir.serve("m", TestHandler.returning(1).taking(Duration.ofSeconds(10)));
        TestRun first = weir.start("limited");
        TestRun second = weir.start("limited");
        weir.register("""
                workflow: limited
                flow_control: [ { key: slow, parallelism: 1 }, { key: quick, rate: 1, period: 12s } ]
                steps: [ { id: a, uses: m } ]
                """);
        TestRun third = weir.start("limited");
        third.untilEnded(Duration.ofHours(1));
        assertThat(criticalPath(first).waited()).isEmpty();
        assertThat(criticalPath(second).waited()).containsExactly(waited(WaitEntry.Cause.CAPACITY, "key:slow", 10));
        assertThat(criticalPath(third).waited()).containsExactly(waited(WaitEntry.Cause.RATE, "key:quick", 22));
        assertThat(criticalPath(third).work()).isEqualTo(10 * SECOND);
    }

    @Test
    void the_item_that_ended_last_stands_for_its_step() {
        weir.register("""
                workflow: many
                steps:
                  - { id: all, with_items: [1, 2, 3, 4, 5], concurrency: 3, uses: m }
                """);
        weir.serve("m", TestHandler.returning(1).taking(Duration.ofSeconds(1)));
        TestRun run = weir.start("many").untilEnded(Duration.ofHours(1));
        CriticalPath.Leg leg = criticalPath(run).path().getFirst();
        assertThat(leg.item()).isEqualTo(4);
        assertThat(leg.waited()).containsExactly(waited(WaitEntry.Cause.CAPACITY, "fan_out", 1));
        assertThat(leg.work()).isEqualTo(SECOND);
    }

    @Test
    void a_compensation_has_waits_and_work_like_any_step() {
        weir.register("""
                workflow: undone
                steps:
                  - { id: make, uses: m, compensate: { uses: undo } }
                  - { id: send, needs: [make], uses: m, compensate: { uses: undo } }
                  - { id: fragile, needs: [send], uses: fail, on_failure: compensate, retry: { max_attempts: 1 } }
                """);
        weir.serve("m", TestHandler.returning(1).taking(Duration.ofSeconds(2)));
        weir.serve("fail", TestHandler.returning(1).afterFailing(9).taking(Duration.ofSeconds(1)));
        TestRun run = weir.start("undone");
        weir.advance(Duration.ofSeconds(5 + 8));
        weir.serve("undo", 1, TestHandler.returning(1).taking(Duration.ofSeconds(3)));
        CriticalPath criticalPath = criticalPath(run.untilEnded(Duration.ofHours(1)));
        assertThat(criticalPath.path())
                .extracting(CriticalPath.Leg::step)
                .containsExactly("make", "send", "fragile", "send.compensate", "make.compensate");
        assertThat(criticalPath.waited()).containsExactly(waited(WaitEntry.Cause.NO_WORKER, 8));
        assertThat(criticalPath.path().get(3).waited()).containsExactly(waited(WaitEntry.Cause.NO_WORKER, 8));
        assertThat(criticalPath.path().getLast().work()).isEqualTo(3 * SECOND);
        assertThat(criticalPath.work()).isEqualTo((2 + 2 + 1 + 3 + 3) * SECOND);
    }

    @Test
    void a_run_waits_for_its_own_place_too_and_for_the_time_that_it_was_put_off() {
        weir.register("{workflow: one, limits: {max_concurrent_runs: 1}, steps: [{id: a, uses: m}]}");
        weir.serve("m", TestHandler.returning(1).taking(Duration.ofSeconds(9)));
        weir.start("one");
        TestRun second = weir.start("one").untilEnded(Duration.ofHours(1));
        assertThat(criticalPath(second).waited())
                .containsExactly(waited(WaitEntry.Cause.CAPACITY, "workflow_runs:one", 9));
        assertThat(criticalPath(second).path().getFirst().step()).isNull();
    }

    static List<Long> seeds() {
        String chosen = System.getProperty("seed");
        if (chosen != null && !chosen.isBlank()) {
            return List.of(Long.parseLong(chosen));
        }
        List<Long> seeds = new ArrayList<>();
        for (long seed = 1; seed <= SEEDS; seed++) {
            seeds.add(seed);
        }
        return seeds;
    }

    /** The reported work must equal the work that the handlers did; all other time must be attributed to something. */
    @ParameterizedTest
    @MethodSource("seeds")
    void work_and_waits_sum_to_the_whole_and_work_is_what_the_handlers_did(long seed) {
        var random = new SplittableRandom(seed);
        Map<UnitId, Long> worked = new HashMap<>();
        weir.register(workflow(random));
        int pool = 1 + random.nextInt(6);
        weir.serve("m", pool, work -> {
            long time = (1 + random.nextInt(40)) * SECOND / 10;
            worked.merge(work.unit(), time, Long::sum);
            work.sleep(Duration.ofNanos(time * 1_000));
            if (work.attempt() < 4 && random.nextInt(4) == 0) {
                throw new IllegalStateException("now and then");
            }
            return 1;
        });
        List<TestRun> runs = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            runs.add(weir.start("random"));
            weir.advance(Duration.ofMillis(100L * random.nextInt(30)));
            disturb(random, runs);
        }
        weir.send(new ResumeKey(new LimitId.Key("k1")));
        runs.forEach(run -> finish(run, worked));
    }

    private void disturb(SplittableRandom random, List<TestRun> runs) {
        if (random.nextInt(3) == 0) {
            weir.send(new PauseKey(new LimitId.Key("k1"), Moment.NEVER));
        }
        if (random.nextInt(3) == 0) {
            weir.send(new ResumeKey(new LimitId.Key("k1")));
        }
        if (random.nextInt(4) == 0) {
            weir.world().restart();
        }
        TestRun any = runs.get(random.nextInt(runs.size()));
        if (random.nextInt(6) == 0 && !any.state().ended()) {
            any.cancel();
        }
    }

    private void finish(TestRun run, Map<UnitId, Long> worked) {
        run.untilEnded(Duration.ofHours(10));
        CriticalPath criticalPath = criticalPath(run);
        long end = criticalPath.from();
        for (CriticalPath.Leg leg : criticalPath.path()) {
            assertThat(leg.from()).as("%s of %s", leg, run).isEqualTo(end);
            assertThat(leg.work()).as("%s of %s", leg, run).isNotNegative();
            end = leg.to();
        }
        assertThat(end).isEqualTo(criticalPath.to());
        assertThat(criticalPath.work() + WaitEntry.total(criticalPath.waited()))
                .isEqualTo(criticalPath.to() - criticalPath.from());
        for (CriticalPath.Leg leg : criticalPath.steps()) {
            int item = leg.item() == null ? UnitId.NO_ITEM : leg.item();
            var unit = new UnitId(run.id(), Objects.requireNonNull(leg.step()), item);
            assertThat(leg.work()).as("%s, of %s", leg, criticalPath).isEqualTo(worked.getOrDefault(unit, 0L));
        }
    }

    private static String workflow(SplittableRandom random) {
        var text = new StringBuilder("workflow: random\n");
        if (random.nextBoolean()) {
            text.append("max_concurrent_steps: ").append(1 + random.nextInt(3)).append('\n');
        }
        if (random.nextInt(3) == 0) {
            text.append("limits: { max_concurrent_runs: 2 }\n");
        }
        text.append("steps:\n");
        int steps = 2 + random.nextInt(5);
        for (int i = 0; i < steps; i++) {
            text.append("  - { id: s").append(i);
            if (i > 0 && random.nextInt(3) > 0) {
                text.append(", needs: [s").append(random.nextInt(i)).append(']');
            }
            switch (random.nextInt(6)) {
                case 0 -> text.append(", sleep: ").append(1 + random.nextInt(9)).append('s');
                case 1 -> text.append(", uses: m, with_items: \"${{ range(4) }}\", concurrency: 2");
                default -> text.append(", uses: m");
            }
            text.append(", on_failure: continue, retry: { max_attempts: 3, delay: 2s, backoff: fixed, jitter: 0 }");
            if (random.nextBoolean()) {
                text.append(", flow_control: [ { key: k1, parallelism: 2 }, { key: k2, rate: 3, period: 4s } ]");
            }
            text.append(" }\n");
        }
        return text.toString();
    }
}
