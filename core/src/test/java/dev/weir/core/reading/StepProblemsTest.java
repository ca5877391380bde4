package dev.weir.core.reading;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StepProblemsTest {
    @ParameterizedTest
    @Tag("R0.9")
    @CsvSource(
            delimiter = '|',
            value = {
                "[{id: a, uses: m, needs: [b]}]                                       | needs, found 'b', which is not a step",
                "[{id: reserve, uses: m}, {id: b, uses: m, needs: [reserv]}]          | did you mean 'reserve'?",
                "[{id: a, uses: m, needs: [a]}]                                       | found step 'a' itself",
                "[{id: a, uses: m, needs: [b]}, {id: b, uses: m, needs: [a]}]         | a cycle: a needs b needs a",
                "[{id: x, uses: m, needs: [c]}, {id: a, uses: m, needs: [b]}, {id: b, uses: m, needs: [c]}, {id: c, uses: m, needs: [a]}] | a cycle: c needs a needs b needs c",
                "[{id: a, uses: m}, {id: a, uses: m}]                                 | found 'a' for step 1 and step 2",
                "[{id: a, uses: m}, {id: b, uses: m, needs: [a, a]}]                  | expected each step only once, found 'a' twice",
            })
    void a_broken_graph_is_refused_naming_the_steps(String steps, String message) {
        assertThat(ReadProblems.of("workflow: w\nsteps: " + steps))
                .singleElement()
                .satisfies(refusal -> {
                    assertThat(refusal.message()).contains(message);
                    assertThat(refusal.position().line()).isEqualTo(2);
                    assertThat(refusal.position().column()).isGreaterThan(8);
                });
    }

    @Test
    @Tag("R2.8")
    void a_step_that_can_never_fit_is_refused() {
        assertThat(ReadProblems.of("workflow: w\nruntime: { max_parallel: 3 }\nsteps: [{ id: a, uses: m, slots: 4 }]"))
                .singleElement()
                .extracting(ReadProblem::toString)
                .isEqualTo("line 3, column 34: steps.0.slots: expected at most the runtime.max_parallel of 3, found 4,"
                        + " which never fits");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{id: a}                                             | expected one of uses, call, invoke, sleep, wait_for, emit, gate, found none",
                "{id: a, uses: m, sleep: 1s}                         | found uses and sleep",
                "{id: a, uses: m, module: n}                         | expected only one of uses, module",
                "{uses: m}                                           | expected id, found nothing",
                "{id: a.b, uses: m}                                  | expected an id of letters",
                "{id: a, uses: m, concurrency: 3}                    | expected with_items together with concurrency",
                "{id: a, uses: m, with_items: 3}                     | expected a list, or an expression",
                "{id: a, uses: m, with_items: abc}                   | expected a list, or an expression",
                "{id: a, uses: m, with_items: [1], tolerate: 101%}   | expected a whole number from 0, or a percentage",
                "{id: a, sleep: 1s, with_items: [1]}                 | expected uses, call, invoke or emit together with with_items",
                "{id: a, sleep: 30}                                  | expected a duration with a unit",
                "{id: a, sleep: 1s, with: {}}                        | expected with only together with uses, found sleep",
                "{id: a, uses: m, timeout: 0s}                       | expected a duration from 1ms",
                "{id: a, invoke: {workflow: w}, timeout: 2s}         | expected timeout only together with uses or call, found it with invoke; set a deadline in the workflow",
                "{id: a, sleep: 1s, timeout: 5m}                     | expected timeout only together with uses or call, found it with sleep",
                "{id: a, wait_for: {signal: s}, timeout: 2s}         | found it with wait_for; set it in wait_for",
                "{id: a, emit: {event: e}, timeout: 2s}              | expected timeout only together with uses or call, found it with emit",
                "{id: a, gate: {}, timeout: 2s}                      | expected timeout only together with uses or call, found it with gate",
                "{id: a, uses: m, retry: {max_attempts: 0}}          | expected a whole number from 1 to 1000",
                "{id: a, uses: m, retry: {delay: 2m, max_delay: 1m}} | expected at least the delay of 2m",
                "{id: a, uses: m, retry: {jitter: 2}}                | expected a number from 0 to 1",
                "{id: a, call: {url: 'https://x', body: {}}}                 | expected a method that takes a body, such as POST, found GET",
                "{id: a, call: {url: 'https://x', headers: {A: 1}}}          | expected text, found 1",
                "{id: a, call: {url: 'file:///etc/passwd'}}           | expected an address that begins with https://",
                "{id: a, uses: m, requires: [address]}               | expected a path such as input.address",
                "{id: a, uses: m, requires: [steps.b.output]}        | steps.b, which is not a step",
                "{id: a, uses: m, if: '${{ item }}'}                 | expected only input, steps, run, always, failed, succeeded here, found item",
                "{id: a, uses: m, with: {x: '${{ item }}'}}          | expected only input, steps, run, secrets here, found item",
                "{id: a, uses: m, with: {x: '${{ steps.b.output }}'}} | steps.b, which is not a step",
                "{id: a, uses: m, output_schema: {$ref: 'http://x'}} | expected references within the schema",
                "{id: a, uses: m, output_schema: {type: 5}}          | expected a JSON Schema, found type: ",
                "{id: a, uses: m, compensate: {}}                    | expected one of uses, call, found none",
                "{id: a, wait_for: {}}                               | expected signal, found nothing",
            })
    void a_step_that_makes_no_sense_is_refused(String step, String message) {
        assertThat(ReadProblems.of("workflow: w\nsteps:\n  - " + step))
                .singleElement()
                .satisfies(refusal -> {
                    assertThat(refusal.message()).contains(message);
                    assertThat(refusal.position().line()).isEqualTo(3);
                });
    }

    @Test
    void a_stored_workflow_with_a_timeout_that_is_now_refused_can_still_be_read() {
        String text = "workflow: w\nsteps: [{ id: a, invoke: { workflow: v }, timeout: 2s }]";
        assertThat(ReadProblems.of(text)).singleElement().satisfies(refusal -> {
            assertThat(refusal.position().line()).isEqualTo(2);
            assertThat(refusal.position().column()).isEqualTo(43);
        });
        String kept = """
                {"workflow": "w", "steps": [{"id": "a", "invoke": {"workflow": "v"}, "timeout": "2s"}]}""";
        assertThat(WorkflowReader.readStored(kept).orThrow().steps()).hasSize(1);
    }

    @Test
    void a_step_reads_only_what_comes_before_it() {
        assertThat(ReadProblems.of("""
                workflow: w
                steps:
                  - { id: a, uses: m }
                  - { id: b, uses: m, needs: [a] }
                  - { id: c, uses: m, needs: [b], with: { ok: "${{ steps.a.output }}" } }
                  - { id: d, uses: m, with: { no: "${{ steps.a.output }}" } }
                """)).singleElement().satisfies(refusal -> {
            assertThat(refusal.message()).contains("only steps that step 'd' needs");
            assertThat(refusal.position().line()).isEqualTo(6);
        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[{id: a}]                                           | expected event or schedule, found neither",
                "[{id: a, event: e, schedule: '* * * * *'}]          | expected event or schedule, found both",
                "[{event: e}]                                        | expected id, found nothing",
                "[{id: a, event: e}, {id: a, event: f}]              | expected a unique trigger id",
                "[{id: a, schedule: ''}]                             | expected a cron expression",
                "[{id: a, schedule: '* * * * *', timezone: Mars/X}]  | expected a time zone such as Europe/Berlin, found 'Mars/X'",
                "[{id: a, event: e, if: '${{ input.x }}'}]           | expected only event here, found input",
                "[{id: a, event: e, debounce: {key: k}}]             | expected period, found nothing",
                "[{id: a, event: e, debounce: {period: 1m, max_wait: 1s}}] | expected at least the period of 1m",
                "[{id: a, schedule: banana}]                         | expected a cron expression of five fields, such as '0 6 * * *', found 'banana'",
                "[{id: a, schedule: '0 6 * *'}]                      | expected a cron expression of five fields",
                "[{id: a, schedule: '0 25 * * *'}]                   | expected a cron expression of five fields",
                "[{id: a, schedule: '0 0 6 * * *'}]                  | expected a cron expression of five fields",
                "[{id: a, schedule: '* * * * *', debounce: {period: 1m}}] | expected event together with debounce, found none",
            })
    void a_trigger_that_makes_no_sense_is_refused(String triggers, String message) {
        assertThat(ReadProblems.of("workflow: w\non: " + triggers))
                .singleElement()
                .satisfies(refusal -> {
                    assertThat(refusal.message()).contains(message);
                    assertThat(refusal.position().line()).isEqualTo(2);
                });
    }
}
