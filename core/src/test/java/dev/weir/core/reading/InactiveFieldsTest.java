package dev.weir.core.reading;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.definition.Workflow;
import java.util.List;
import org.junit.jupiter.api.Test;

class InactiveFieldsTest {
    private static List<String> findings(String text) {
        return switch (WorkflowReader.read("workflow: w\n" + text)) {
            case ReadResult.Accepted<Workflow> accepted ->
                accepted.findings().stream().map(ReadResult.Finding::path).toList();
            case ReadResult.Refused<Workflow> refused -> throw new AssertionError(refused.problems());
        };
    }

    private static List<String> stepFindings(String step) {
        return findings("steps: [{id: a, " + step + "}]");
    }

    @Test
    void triggers_and_emitted_events_have_an_effect() {
        assertThat(findings("triggers: [{id: t, event: e}]")).isEmpty();
        assertThat(findings("on: [{id: t, schedule: '0 6 * * *'}]")).isEmpty();
        assertThat(stepFindings("emit: {event: e, data: {}}")).isEmpty();
    }

    @Test
    void a_note_of_a_gate_is_shown_nowhere_yet() {
        assertThat(stepFindings("gate: {note: look}")).containsExactly("/steps/0/gate/note");
        assertThat(stepFindings("gate: {}")).isEmpty();
    }

    @Test
    void flow_control_with_invoke_limits_only_the_starts_of_child_runs() {
        String invoke = "invoke: {workflow: v, input: {}}";
        assertThat(stepFindings(invoke + ", flowControl: {key: k, parallelism: 1}"))
                .containsExactly("/steps/0/flowControl");
        assertThat(stepFindings(invoke + ", flow_control: []")).isEmpty();
        assertThat(stepFindings(invoke)).isEmpty();
    }

    @Test
    void limits_and_retries_have_no_effect_on_a_step_that_only_waits() {
        assertThat(stepFindings("sleep: 1s, slots: 2, exclusive: true, priority: 1, retry: {max_attempts: 2}, "
                        + "flow_control: {key: k, rate: 1}"))
                .containsExactly(
                        "/steps/0/slots",
                        "/steps/0/exclusive",
                        "/steps/0/priority",
                        "/steps/0/retry",
                        "/steps/0/flow_control");
        assertThat(stepFindings("wait_for: {signal: s}, priority: 1")).containsExactly("/steps/0/priority");
        assertThat(stepFindings("uses: m, gate: {}, slots: 2, exclusive: true, priority: 1, retry: {max_attempts: 2}"))
                .isEmpty();
    }

    @Test
    void only_work_of_a_worker_needs_input() {
        assertThat(stepFindings("call: {url: 'https://example.com'}, on_needs_input: release"))
                .containsExactly("/steps/0/on_needs_input");
        assertThat(stepFindings("uses: m, on_needs_input: release")).isEmpty();
    }

    @Test
    void an_interval_of_ticks_without_a_limit_per_tick_does_nothing() {
        assertThat(findings("runtime: {tick_interval: 2s}")).containsExactly("/runtime/tick_interval");
        assertThat(findings("runtime: {tick_interval: 2s}\nmax_steps_per_tick: 1"))
                .isEmpty();
    }

    @Test
    void the_number_of_findings_is_bounded() {
        var text = new StringBuilder("steps:\n");
        for (int i = 0; i < 1_000; i++) {
            text.append("  - {id: s" + i + ", sleep: 1s, priority: 1}\n");
        }
        assertThat(findings(text.toString())).hasSize(ProblemList.PROBLEMS_MAX);
    }
}
