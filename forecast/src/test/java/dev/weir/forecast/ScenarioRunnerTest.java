package dev.weir.forecast;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.definition.Workflow;
import dev.weir.core.reading.WorkflowReader;
import dev.weir.forecast.Forecast.End;
import dev.weir.forecast.Forecast.Phase;
import dev.weir.forecast.Forecast.Wait;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScenarioRunnerTest {
    private static final long SECOND = 1_000_000;

    /** A workflow with every kind of limit, of a run and shared between runs. */
    private static final String CROWDED = """
            workflow: crowded
            max_concurrent_steps: 4
            max_steps_per_tick: 3
            runtime: { max_parallel: 6 }
            limits: { max_concurrent_runs: 8, runs_per_minute: 30 }
            flow_control: { key: house, parallelism: 9 }
            steps:
              - { id: first, uses: a.first, slots: 2 }
              - id: many
                needs: [first]
                with_items: "${{ range(7) }}"
                concurrency: 3
                uses: a.many
                flow_control: { key: "shelf-${{ item % 2 }}", parallelism: 3, rate: 5, period: 4s }
              - { id: alone, needs: [first], uses: a.alone, exclusive: true }
              - { id: heavy, needs: [first], uses: a.heavy, slots: 5 }
              - id: paid
                needs: [many, alone]
                uses: a.paid
                flow_control: [{ key: bank, rate: 2, period: 3s, window: fixed }, { key: till, parallelism: 2 }]
              - { id: rest, needs: [paid], sleep: 5s }
              - { id: last, needs: [rest, heavy], uses: a.last }
            """;

    private static final WorkflowBehaviour UNEVEN = new WorkflowBehaviour(Map.of(
            "first", new StepBehaviour(new StepBehaviour.Time.Between(200_000, 2 * SECOND), 0.1, null),
            "a.many", new StepBehaviour(new StepBehaviour.Time.Between(100_000, 3 * SECOND), 0.2, null),
            "default", new StepBehaviour(new StepBehaviour.Time.Between(0, 2 * SECOND), 0.05, null)));

    private static Workflow workflow(String text) {
        return WorkflowReader.read(text).orThrow();
    }

    private static Forecast simulate(ForecastScenario scenario) {
        return ScenarioRunner.run(scenario, ScenarioRunner.ProgressListener.NONE);
    }

    private static Forecast simulate(String text) {
        return simulate(ForecastScenario.of(workflow(text)));
    }

    private static StepStatistics step(Forecast forecast, String id) {
        return forecast.steps().stream()
                .filter(step -> step.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    private static Map<String, Long> waits(Forecast forecast) {
        return forecast.waits().stream()
                .collect(Collectors.toMap(wait -> wait.step() + ": " + wait.name(), Wait::time, Long::sum));
    }

    @Test
    @Tag("R1.3")
    void five_items_of_a_second_three_at_a_time_take_two_seconds() {
        Forecast forecast = simulate("""
                workflow: five
                steps:
                  - { id: resize, with_items: [a, b, c, d, e], concurrency: 3, uses: images.resize }
                """);
        assertThat(forecast.end()).isEqualTo(End.DONE);
        assertThat(forecast.makespan()).isEqualTo(2 * SECOND);
        assertThat(step(forecast, "resize").series(Phase.RUNNING).peak()).isEqualTo(3);
        assertThat(waits(forecast)).isEqualTo(Map.of("resize: concurrency of resize", 2 * SECOND));
        assertThat(forecast.limits()).singleElement().satisfies(limit -> {
            assertThat(limit.peak()).isEqualTo(3);
            assertThat(limit.mean()).isEqualTo(2.5);
        });
    }

    @Test
    @Tag("R3.2")
    void a_rate_spreads_starts_and_what_waits_is_put_down_to_it() {
        Forecast forecast = simulate("""
                workflow: spread
                steps:
                  - { id: send, with_items: [1, 2, 3, 4, 5], uses: mail.send, flow_control: { key: mail, rate: 2, period: 10s } }
                """);
        assertThat(forecast.makespan()).isEqualTo(21 * SECOND);
        assertThat(waits(forecast)).isEqualTo(Map.of("send: key mail's rate", 40 * SECOND));
        assertThat(forecast.limits()).singleElement().satisfies(limit -> {
            assertThat(limit.peak()).isEqualTo(2);
            assertThat(limit.utilisation()).isBetween(0.95, 1.0);
        });
    }

    @Test
    @Tag("R4.3")
    void runs_that_wait_for_a_place_are_counted_apart_from_steps() {
        var scenario = ForecastScenario.of(workflow("""
                workflow: two_at_once
                limits: { max_concurrent_runs: 2 }
                steps: [{ id: work, uses: m }]
                """));
        Forecast forecast = simulate(scenario.withRuns(4));
        assertThat(forecast.makespan()).isEqualTo(2 * SECOND);
        assertThat(waits(forecast)).isEqualTo(Map.of(": max_concurrent_runs", 2 * SECOND));
        assertThat(forecast.runs().completed()).isEqualTo(4);
    }

    @Test
    void one_worker_does_one_thing_after_another() {
        var scenario = ForecastScenario.of(workflow("""
                workflow: few_hands
                steps: [{ id: work, with_items: [1, 2, 3], uses: m }]
                """));
        Forecast forecast = simulate(scenario.withWorkers(1));
        assertThat(forecast.makespan()).isEqualTo(3 * SECOND);
        assertThat(waits(forecast)).isEqualTo(Map.of("work: a free worker", 3 * SECOND));
    }

    @Test
    void runs_come_one_after_another_if_asked_to() {
        var scenario = ForecastScenario.of(workflow("{workflow: w, steps: [{ id: work, uses: m }]}"));
        Forecast forecast = simulate(scenario.withRuns(3).withInterval(10 * SECOND));
        assertThat(forecast.makespan()).isEqualTo(21 * SECOND);
        assertThat(forecast.totalWaitTime()).isZero();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    @Tag("RX.3")
    void all_time_between_ready_and_started_has_a_cause(long seed) {
        Forecast forecast = simulate(crowded(seed));
        assertThat(forecast.totalWaitTime()).isPositive();
        for (StepStatistics step : forecast.steps()) {
            assertThat(waited(forecast, step.id())).as(step.id()).isEqualTo(step.time(Phase.WAITING));
        }
        assertThat(waited(forecast, "")).isEqualTo(forecast.runs().time(Phase.WAITING));
    }

    private static long waited(Forecast forecast, String step) {
        return forecast.waits().stream()
                .filter(wait -> wait.step().equals(step))
                .mapToLong(Wait::time)
                .sum();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    @Tag("RX.3")
    void the_cause_is_the_first_that_admission_names_at_every_moment(long seed) {
        var scenario = crowded(seed).withWorkers(seed % 2 == 0 ? 6 : ForecastScenario.UNLIMITED);
        Forecast rechecked = ScenarioRunner.run(scenario, ScenarioRunner.ProgressListener.NONE, true);
        assertThat(waits(simulate(scenario))).isEqualTo(waits(rechecked));
    }

    private static ForecastScenario crowded(long seed) {
        return ForecastScenario.of(workflow(CROWDED))
                .withRuns(25)
                .withBehaviour(UNEVEN)
                .withSeed(seed);
    }

    @Test
    void the_same_seed_gives_the_same_forecast_and_another_one_does_not() {
        Forecast forecast = simulate(crowded(7));
        Forecast again = simulate(crowded(7));
        assertThat(again.makespan()).isEqualTo(forecast.makespan());
        assertThat(again.waits()).isEqualTo(forecast.waits());
        assertThat(again.limits()).isEqualTo(forecast.limits());
        assertThat(simulate(crowded(8)).makespan()).isNotEqualTo(forecast.makespan());
    }

    @Test
    @Tag("R0.3")
    void the_use_of_a_limit_never_exceeds_its_maximum() {
        assertThat(simulate(crowded(9)).limits()).hasSizeGreaterThan(8).allSatisfy(limit -> {
            assertThat(limit.peak()).as(limit.name().toString()).isBetween(1L, limit.max());
            assertThat(limit.utilisation()).as(limit.name().toString()).isBetween(0.0, 1.0);
        });
    }

    @Test
    void sleeps_take_virtual_time_and_gates_and_signals_take_none() {
        Forecast forecast = simulate("""
                workflow: patient
                steps:
                  - { id: ask, gate: { note: please } }
                  - { id: night, needs: [ask], sleep: 3d }
                  - { id: news, needs: [night], wait_for: { signal: news } }
                  - { id: work, needs: [news], uses: m }
                """);
        assertThat(forecast.makespan()).isEqualTo((3 * 24 * 3_600 + 1) * SECOND);
        assertThat(forecast.totalWaitTime()).isZero();
        assertThat(forecast.warnings()).isEmpty();
    }

    @Test
    @Tag("R0.12")
    void an_attempt_that_exceeds_its_timeout_is_retried_and_then_reported() {
        var scenario = ForecastScenario.of(workflow("""
                workflow: slow
                steps: [{ id: work, uses: m, timeout: 10s, retry: { max_attempts: 2, delay: 1s, jitter: 0 } }]
                """));
        Forecast forecast = simulate(
                scenario.withBehaviour(new WorkflowBehaviour(Map.of("m", StepBehaviour.ofDuration(60 * SECOND)))));
        assertThat(forecast.makespan()).isEqualTo(21 * SECOND);
        assertThat(forecast.runs().failed()).isEqualTo(1);
        assertThat(forecast.warnings()).contains("step work timed out 2 times: it took longer than its timeout of 10s");
    }

    @Test
    void an_attempt_of_many_hours_keeps_its_claim() {
        var scenario = ForecastScenario.of(workflow("{workflow: w, steps: [{ id: work, uses: m, timeout: 1d }]}"));
        Forecast forecast = simulate(scenario.withBehaviour(
                new WorkflowBehaviour(Map.of("work", StepBehaviour.ofDuration(5 * 3_600 * SECOND)))));
        assertThat(forecast.makespan()).isEqualTo(5 * 3_600 * SECOND);
        assertThat(step(forecast, "work").starts()).isEqualTo(1);
    }

    @Test
    @Tag("R0.10")
    void a_run_that_needs_an_operator_is_reported_as_stuck() {
        var scenario = ForecastScenario.of(workflow("""
                workflow: stopped
                steps: [{ id: work, uses: m, on_failure: pause, retry: { max_attempts: 1 } }]
                """));
        var failing =
                new WorkflowBehaviour(Map.of("work", new StepBehaviour(StepBehaviour.ONE_SECOND.time(), 1, null)));
        Forecast forecast = simulate(scenario.withBehaviour(failing));
        assertThat(forecast.end()).isEqualTo(End.STUCK);
        assertThat(forecast.unfinished()).isEqualTo(1);
        assertThat(forecast.warnings()).first().asString().contains("nothing more can happen, but a run has not ended");
        assertThat(forecast.warnings()).anyMatch(warning -> warning.contains("paused until an operator resumes it"));
    }

    @Test
    void too_many_events_or_too_much_time_end_a_simulation_and_say_what_to_do() {
        Forecast events = simulate(crowded(1).withBounds(new ForecastScenario.Bounds(100, Long.MAX_VALUE)));
        assertThat(events.end()).isEqualTo(End.EVENTS_MAX);
        assertThat(events.warnings()).first().asString().contains("simulate fewer runs");
        Forecast time = simulate(crowded(1).withBounds(new ForecastScenario.Bounds(Long.MAX_VALUE, 10 * SECOND)));
        assertThat(time.end()).isEqualTo(End.TIME_MAX);
        assertThat(time.unfinished()).isPositive();
    }

    @Test
    void the_listener_sees_events_grow_and_runs_end() {
        long[] seen = new long[2];
        ScenarioRunner.run(crowded(1), (events, now, ended) -> {
            assertThat(events).isGreaterThan(seen[0]);
            seen[0] = events;
            seen[1] = ended;
        });
        assertThat(seen[1]).isEqualTo(25);
    }

    @Test
    void a_list_without_sample_data_is_reported_with_the_way_to_provide_it() {
        Forecast forecast = simulate("""
                workflow: unknown_list
                steps:
                  - { id: find, uses: m }
                  - { id: each, needs: [find], with_items: "${{ steps.find.output.filter(x, x.size > 3) }}", uses: m }
                """);
        assertThat(forecast.runs().failed()).isEqualTo(1);
        assertThat(forecast.warnings()).anyMatch(warning -> warning.contains("find: { output: ... }"));
    }

    @Test
    void spans_of_a_single_run_say_when_each_item_waited_and_ran() {
        Forecast forecast = simulate("""
                workflow: two
                steps: [{ id: work, with_items: [a, b], concurrency: 1, uses: m }]
                """);
        assertThat(forecast.spans())
                .isEqualTo(List.of(
                        new Forecast.Span("work", 0, Phase.RUNNING, 0, SECOND),
                        new Forecast.Span("work", 1, Phase.WAITING, 0, SECOND),
                        new Forecast.Span("work", 1, Phase.RUNNING, SECOND, 2 * SECOND)));
    }
}
