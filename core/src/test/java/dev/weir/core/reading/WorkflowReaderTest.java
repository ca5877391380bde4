package dev.weir.core.reading;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.definition.FailureTolerance;
import dev.weir.core.definition.FlowControl;
import dev.weir.core.definition.RetryPolicy;
import dev.weir.core.definition.Step;
import dev.weir.core.definition.Workflow;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WorkflowReaderTest {
    @Test
    void absent_fields_have_their_defaults() {
        Step step = read("workflow: w\nsteps: [{ id: a, uses: m }]").step("a");

        assertThat(step.attempts().retry()).isEqualTo(RetryPolicy.DEFAULT);
        assertThat(step.attempts().retry().maxAttempts()).isEqualTo(4);
        assertThat(step.attempts().timeout()).isEqualTo(Duration.ofMinutes(5));
        assertThat(step.demand().slots()).isNull();
        assertThat(step.demand().exclusive()).isNull();
        assertThat(step.demand().flowControl()).isNull();
    }

    @Test
    @Tag("R3.5")
    void a_step_inherits_the_keys_of_the_run_unless_it_has_its_own_even_none() {
        Workflow workflow = read("""
                workflow: w
                flow_control: { key: k, parallelism: 2 }
                steps:
                  - { id: inherits, uses: m }
                  - { id: own, uses: m, flow_control: { key: o, rate: 3 } }
                  - { id: none, uses: m, flow_control: [] }
                """);

        assertThat(keys(workflow, "inherits")).containsExactly("k");
        assertThat(keys(workflow, "own")).containsExactly("o");
        assertThat(keys(workflow, "none")).isEmpty();
    }

    @Test
    @Tag("R2.2")
    void slots_below_one_mean_one() {
        assertThat(read("workflow: w\nsteps: [{ id: a, uses: m, slots: -2 }]")
                        .step("a")
                        .demand()
                        .slots())
                .isEqualTo(1);
    }

    @Test
    @Tag("R1.8")
    void a_tolerance_is_a_number_or_a_percentage() {
        Workflow workflow = read("""
                workflow: w
                steps:
                  - { id: a, uses: m, with_items: [1], tolerate: 2 }
                  - { id: b, uses: m, with_items: [1], tolerate: 5% }
                """);

        assertThat(workflow.step("a").fanOut()).extracting("tolerate").isEqualTo(new FailureTolerance.Count(2));
        assertThat(workflow.step("b").fanOut()).extracting("tolerate").isEqualTo(new FailureTolerance.Percent(5));
    }

    @ParameterizedTest
    @Tag("R0.2")
    @CsvSource(
            delimiter = '|',
            value = {
                "max_concurrent_steps: 0            | max_concurrent_steps",
                "max_concurrent_steps: -1           | max_concurrent_steps",
                "max_concurrent_steps: 1.5          | max_concurrent_steps",
                "max_concurrent_steps: 2.0          | max_concurrent_steps",
                "max_concurrent_steps: '3'          | max_concurrent_steps",
                "max_concurrent_steps:              | max_concurrent_steps",
                "max_concurrent_steps: 99999999999  | max_concurrent_steps",
                "max_steps_per_tick: 0              | max_steps_per_tick",
                "runtime: { max_parallel: 0 }       | runtime.max_parallel",
                "runtime: { tick_interval: 10ms }   | runtime.tick_interval",
                "limits: { max_concurrent_runs: 0 } | limits.max_concurrent_runs",
                "limits: { runs_per_minute: -5 }    | limits.runs_per_minute",
                "limits: { max_cascade_depth: 0 }   | limits.max_cascade_depth",
                "priority: 101                      | priority",
                "deadline: 0s                       | deadline",
                "deadline: 30                       | deadline",
                "deadline: soon                     | deadline",
                "cancel: maybe                      | cancel",
            })
    void a_value_out_of_bounds_is_refused_with_its_field_and_position(String line, String field) {
        List<ReadProblem> refusals = ReadProblems.of("workflow: w\n" + line + "\n");

        assertThat(refusals).singleElement().satisfies(refusal -> {
            assertThat(refusal.toString()).contains(field + ": expected ").contains(", found ");
            assertThat(refusal.position().line()).isEqualTo(2);
            assertThat(refusal.position().column()).isGreaterThanOrEqualTo(line.indexOf(':'));
        });
    }

    @ParameterizedTest
    @Tag("R3.1")
    @CsvSource(
            delimiter = '|',
            value = {
                "{ parallelism: 3 }                            | expected key, found nothing",
                "{ key: k }                                    | expected at least one limit for the key",
                "{ key: '', rate: 1 }                          | expected text",
                "{ key: k, parallelism: 0 }                    | expected a whole number from 1",
                "{ key: k, rate: 0 }                           | expected a whole number from 1",
                "{ key: k, rate: 1, period: 8d }               | expected a duration from 1ms to 7d, found 8d",
                "{ key: k, rate: 1, period: 0 }                | expected a duration with a unit, such as 10s",
                "{ key: k, rate: 1, period: -5 }               | expected a duration with a unit, such as 10s",
                "{ key: k, rate: 1, period: 1w }               | expected a duration with a unit, such as 10s",
                "{ key: k, parallelism: 1, period: 1m }        | expected rate together with period, found none",
                "{ key: k, rate: 1, window: rolling }          | expected one of sliding, fixed, found 'rolling'",
                "{ key: k, parallelism: 2, weight: 3 }         | expected at most the parallelism of 2, found 3",
                "{ key: k, rate: 2, cost: 3 }                  | expected at most the rate of 2, found 3",
                "{ key: k, rate: 2, cost: 0 }                  | expected a whole number from 1",
                "[{ key: k, rate: 1 }, { key: k, rate: 2 }]    | expected each key only once in the list, found 'k' twice",
                "{ key: '${{ item }}', rate: 1 }               | expected only input, run here, found item",
                "{ key: '${{ secrets.X }}', rate: 1 }          | expected only input, run here, found secrets",
                "5                                             | expected an object with a key and its limits",
            })
    void flow_control_that_makes_no_sense_is_refused(String block, String message) {
        assertThat(ReadProblems.of("workflow: w\nflow_control: " + block + "\n"))
                .singleElement()
                .satisfies(refusal -> {
                    assertThat(refusal.message()).contains(message);
                    assertThat(refusal.position().line()).isEqualTo(2);
                });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"60_000 | 60000", "60000 | 60000", "1m | 60000", "PT1M | 60000", "'1m' | 60000", "500ms | 500"})
    void a_period_is_a_duration_or_milliseconds(String written, long milliseconds) {
        List<FlowControl> read = WorkflowReader.readFlowControl("{ key: k, rate: 1, period: " + written + " }")
                .orThrow();

        assertThat(read.getFirst().rate()).extracting("period").isEqualTo(Duration.ofMillis(milliseconds));
    }

    @ParameterizedTest
    @Tag("R3.4")
    @ValueSource(strings = {"\"10\"", "\"60000\"", "\"6_00\"", "\"_10\"", "\"10_\"", "\"1 m\"", "10.5"})
    void a_period_that_is_text_without_a_unit_is_refused(String written) {
        assertThat(ReadProblems.ofFlowControl("{\"key\":\"k\",\"rate\":1,\"period\":" + written + "}"))
                .singleElement()
                .satisfies(refusal -> {
                    assertThat(refusal.path()).isEqualTo("/period");
                    assertThat(refusal.message())
                            .contains("a duration with a unit, such as 10s, or a number of milliseconds");
                });
    }

    @ParameterizedTest
    @Tag("RX.5")
    @CsvSource(
            delimiter = '|',
            value = {
                "max_concurent_steps: 3    | 2:1 | did you mean 'max_concurrent_steps'?",
                "flowcontrol: {}           | 2:1 | did you mean 'flowControl'?",
                "step: []                  | 2:1 | did you mean 'steps'?",
                "zzz: 1                    | 2:1 | expected a known field, found 'zzz'",
                "steps: [{ id: a, use: m, uses: m }]       | 2:18 | did you mean 'uses'?",
                "steps: [{ id: a, uses: m, on_failure: contine }] | 2:39 | did you mean 'continue'?",
            })
    void an_unknown_name_is_refused_with_the_nearest_one(String line, String position, String message) {
        assertThat(ReadProblems.of("workflow: w\n" + line)).singleElement().satisfies(refusal -> {
            assertThat(refusal.message()).contains(message);
            assertThat(refusal.position().line() + ":" + refusal.position().column())
                    .isEqualTo(position);
        });
    }

    @Test
    @Tag("RX.5")
    void several_problems_are_reported_together_in_the_order_of_the_text() {
        List<ReadProblem> refusals = ReadProblems.of("""
                workflow: w
                max_concurrent_steps: 0
                stepps: []
                steps:
                  - { id: a, uses: m, needs: [b] }
                  - { id: b, uses: m, needs: [a], with: { x: "${{ inptu.x }}" } }
                """);

        assertThat(refusals).extracting(refusal -> refusal.position().line()).containsExactly(2, 3, 5, 6);
        assertThat(refusals.getLast().toString())
                .isEqualTo("line 6, column 51: steps.1.with.x: unknown name 'inptu'; did you mean 'input'?");
    }

    @Test
    void the_number_of_reported_problems_is_bounded() {
        String steps = IntStream.range(0, 200)
                .mapToObj(i -> "  - { id: s" + i + " }\n")
                .collect(Collectors.joining());

        assertThat(ReadProblems.of("workflow: w\nsteps:\n" + steps)).hasSize(ProblemList.PROBLEMS_MAX);
    }

    @Test
    void an_expression_in_a_block_scalar_is_refused_at_its_own_line() {
        assertThat(ReadProblems.of("""
                workflow: w
                steps:
                  - id: a
                    uses: m
                    with:
                      text: |
                        first line
                        total is ${{ input.total +
                           nope }} euros
                """))
                .singleElement()
                .extracting(ReadProblem::position)
                .isEqualTo(new TextPosition(9, 12));
    }

    @Test
    void a_missing_name_and_a_wrong_root_are_refused() {
        assertThat(ReadProblems.of("steps: []"))
                .singleElement()
                .extracting(ReadProblem::message)
                .asString()
                .contains("the name of the workflow");
        assertThat(ReadProblems.of("just text")).isNotEmpty();
        assertThat(ReadProblems.of("[]")).isNotEmpty();
        assertThat(ReadProblems.of(""))
                .singleElement()
                .extracting(ReadProblem::message)
                .isEqualTo("expected a definition, found nothing");
        assertThat(ReadProblems.of("workflow: a\ntype: b"))
                .singleElement()
                .extracting(ReadProblem::message)
                .asString()
                .contains("only one of workflow, type, id");
    }

    @ParameterizedTest
    @ValueSource(ints = {1_000, 1_001})
    void a_thousand_steps_are_allowed_and_one_more_is_not(int count) {
        String steps = IntStream.range(0, count)
                .mapToObj(i -> "- {id: s" + i + ", uses: m}\n")
                .collect(Collectors.joining());

        ReadResult<Workflow> reading = WorkflowReader.read("workflow: w\nsteps:\n" + steps);

        if (count == 1_000) {
            assertThat(reading.orThrow().steps()).hasSize(count);
        } else {
            assertThat(ReadProblems.of("workflow: w\nsteps:\n" + steps))
                    .extracting(ReadProblem::message)
                    .containsExactly("expected a list of at most 1000 steps, found a list of 1001");
        }
    }

    @Test
    @Tag("R3.5")
    void names_that_begin_with_weir_are_refused_for_workflows_and_for_those_that_they_invoke() {
        assertThat(ReadProblems.of("workflow: weir.trigger"))
                .extracting(ReadProblem::path)
                .containsExactly("/workflow");
        assertThat(ReadProblems.of("workflow: w\nsteps: [{ id: s, invoke: { workflow: weir.trigger } }]"))
                .extracting(ReadProblem::path)
                .containsExactly("/steps/0/invoke/workflow");
        assertThat(ReadProblems.of("workflow: w\nsteps: [{ id: s, triggered_call: {} }]"))
                .extracting(ReadProblem::path)
                .contains("/steps/0/triggered_call");
    }

    @Test
    void a_byte_order_mark_is_no_part_of_the_text() {
        assertThat(read("\uFEFFworkflow: w").name()).isEqualTo("w");
        assertThat(read("\uFEFF{\"workflow\": \"w\"}").name()).isEqualTo("w");
    }

    @Test
    void a_key_of_more_than_256_bytes_is_refused() {
        assertThat(WorkflowReader.readFlowControl("{ key: " + "k".repeat(256) + ", rate: 1 }")
                        .orThrow())
                .hasSize(1);
        assertThat(WorkflowReader.readFlowControl("{ key: " + "é".repeat(129) + ", rate: 1 }"))
                .isInstanceOf(ReadResult.Refused.class);
    }

    private static Workflow read(String text) {
        return WorkflowReader.read(text).orThrow();
    }

    private static List<String> keys(Workflow workflow, String step) {
        return workflow.flowControlOf(workflow.step(step)).stream()
                .map(control -> control.key().source().stringValue())
                .toList();
    }
}
