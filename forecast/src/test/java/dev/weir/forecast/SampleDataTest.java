package dev.weir.forecast;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.definition.Workflow;
import dev.weir.core.reading.WorkflowReader;
import java.util.List;
import org.junit.jupiter.api.Test;

class SampleDataTest {
    private static Workflow workflow(String text) {
        return WorkflowReader.read(text).orThrow();
    }

    @Test
    void an_input_has_what_is_read_and_what_is_required_and_only_a_run_key_differs() {
        SampleData samples = SampleData.of(workflow("""
                workflow: w
                input_schema: { type: object, required: [order, total], properties: { total: { type: integer } } }
                limits: { run_key: "${{ input.order }}", max_concurrent_runs_per_key: 1 }
                flow_control: { key: "c-${{ input.customer.id }}", parallelism: 1 }
                steps: [{ id: a, uses: m }]
                """));
        assertThat(samples.input(1)).hasToString("{\"customer\":{\"id\":\"I-1\"},\"order\":\"O-1\",\"total\":1}");
        assertThat(samples.input(7)).hasToString("{\"customer\":{\"id\":\"I-1\"},\"order\":\"O-7\",\"total\":1}");
    }

    @Test
    void an_output_has_the_lists_truths_and_numbers_that_expressions_ask_for() {
        Workflow workflow = workflow("""
                workflow: w
                steps:
                  - { id: find, uses: m, output_schema: { type: object, properties: { kind: { enum: [big, small] } } } }
                  - { id: each, needs: [find], with_items: "${{ steps.find.output.parts }}", uses: m, with: { n: "${{ item.number }}" } }
                  - { id: maybe, needs: [find], if: "${{ steps.find.output.go }}", uses: m }
                  - { id: large, needs: [find], if: "${{ steps.find.output.size > 3 }}", uses: m }
                """);
        SampleData samples = SampleData.of(workflow);
        var output = samples.output(workflow.step("find"));
        assertThat(output.path("parts").size()).isEqualTo(DataGuess.LIST_SIZE);
        assertThat(output.path("parts").get(0).has("number")).isTrue();
        assertThat(output.path("go").booleanValue()).isTrue();
        assertThat(output.path("size").isNumber()).isTrue();
        assertThat(output.path("kind").stringValue()).isEqualTo("big");
        assertThat(samples.inventedOutputs(WorkflowBehaviour.ALL_DEFAULT)).isEqualTo(List.of("find"));
    }

    @Test
    void a_workflow_that_reads_nothing_gets_an_empty_input() {
        assertThat(SampleData.of(workflow("{workflow: w, steps: [{ id: a, uses: m }]}"))
                        .input(1))
                .hasToString("{}");
    }
}
