package dev.weir.core.definition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.core.expression.Template;
import dev.weir.core.reading.WorkflowReader;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class WorkflowBuilderTest {
    private static final String YAML = """
            workflow: order
            description: An order.
            input_schema: { type: object }
            max_concurrent_steps: 10
            max_steps_per_tick: 5
            runtime: { max_parallel: 12, tick_interval: 500ms }
            limits: { run_key: "${{ input.order }}", max_concurrent_runs_per_key: 1 }
            flow_control: { key: "customer-${{ input.customer }}", parallelism: 5 }
            deadline: 2h
            triggers: [{ id: created, event: order.created }]
            steps:
              - id: reserve
                uses: inventory.reserve
                with: { order: "${{ input.order }}" }
                slots: 2
                requires: [input.order]
                timeout: 1m
                output_schema: { type: object }
                compensate: { uses: inventory.release }
              - id: label
                needs: [reserve]
                with_items: "${{ steps.reserve.output.parcels }}"
                concurrency: 3
                uses: shipping.label
                flow_control: []
              - { id: approve, needs: [label], gate: { note: Check it }, optional: true }
              - id: pay
                needs: [approve]
                call: { method: POST, url: "https://billing.example", body: { n: 1 } }
                flow_control: { key: billing-api, rate: 2, period: 10s }
                on_failure: continue
                on_needs_input: release
                retry: { max_attempts: 2 }
              - { id: bill, needs: [pay], invoke: { workflow: billing } }
              - { id: cool, needs: [pay], sleep: 3d }
              - { id: ok, needs: [cool], wait_for: { signal: delivered, timeout: 14d } }
              - { id: tell, needs: [ok], emit: { event: order.closed } }
              - { id: audit, needs: [tell], uses: audit.close, exclusive: true, priority: 5, if: "${{ always() }}" }
            """;

    @Test
    void a_workflow_built_in_java_equals_the_same_workflow_read_from_yaml() {
        Workflow built = builder().build();
        Workflow read = WorkflowReader.read(YAML).orThrow();

        assertThat(built).isEqualTo(read);
        assertThat(built.contentHash()).isEqualTo(read.contentHash());
    }

    @Test
    void another_content_has_another_hash_and_the_same_content_written_otherwise_has_the_same() {
        String hash = WorkflowReader.read(YAML).orThrow().contentHash();

        String otherwise = YAML.replace("workflow: order", "type: order")
                .replace("needs: [reserve]", "depends_on: reserve")
                .replace("period: 10s", "period: 10_000")
                .replace("timeout: 1m", "timeout: 60s");
        assertThat(WorkflowReader.read(otherwise).orThrow().contentHash()).isEqualTo(hash);

        String changed = YAML.replace("parallelism: 5", "parallelism: 6");
        assertThat(WorkflowReader.read(changed).orThrow().contentHash()).isNotEqualTo(hash);
    }

    @Test
    @Tag("R0.9")
    void a_broken_workflow_cannot_be_built() {
        assertThatThrownBy(
                        () -> Workflow.named("w").step("a").uses("m").needs("b").build())
                .isInstanceOf(InvalidDefinition.class)
                .hasMessage("steps/0/needs/0: expected a step that step 'a' needs, found 'b', which is not a step");
    }

    @Test
    @Tag("R0.2")
    void a_limit_below_one_cannot_be_built() {
        assertThatThrownBy(() -> Workflow.named("w").maxConcurrentSteps(0))
                .isInstanceOf(InvalidDefinition.class)
                .hasMessageContaining("max_concurrent_steps");
    }

    private static Action.Call call() {
        return new Action.Call(
                Action.Method.POST,
                Template.of("https://billing.example"),
                Template.emptyObject(),
                Template.of(json("{\"n\": 1}")));
    }

    private static StepBuilder builder() {
        RetryPolicy usual = RetryPolicy.DEFAULT;
        var rate = new RateLimit(2, Duration.ofSeconds(10), RateLimit.Window.SLIDING);
        return Workflow.named("order")
                .description("An order.")
                .inputSchema(json("{\"type\": \"object\"}"))
                .maxConcurrentSteps(10)
                .maxStepsPerTick(5)
                .maxParallel(12)
                .tickInterval(Duration.ofMillis(500))
                .runKey("${{ input.order }}", 1)
                .flowControl(FlowControl.parallelism("customer-${{ input.customer }}", 5))
                .deadline(Duration.ofHours(2))
                .onEvent("created", "order.created")
                .step("reserve")
                .uses("inventory.reserve", Map.of("order", "${{ input.order }}"))
                .slots(2)
                .requires("input.order")
                .timeout(Duration.ofMinutes(1))
                .outputSchema(json("{\"type\": \"object\"}"))
                .compensate(new Action.Uses("inventory.release", Template.emptyObject()))
                .step("label")
                .needs("reserve")
                .withItems("${{ steps.reserve.output.parcels }}", 3)
                .uses("shipping.label")
                .flowControl()
                .step("approve")
                .needs("label")
                .gate("Check it")
                .optional()
                .step("pay")
                .needs("approve")
                .action(call())
                .flowControl(FlowControl.rate("billing-api", rate))
                .onFailure(OnFailure.CONTINUE)
                .onNeedsInput(OnNeedsInput.RELEASE)
                .retry(new RetryPolicy(2, usual.delay(), usual.backoff(), usual.maxDelay(), usual.jitter(), 100))
                .step("bill")
                .needs("pay")
                .invoke("billing", json("{}"))
                .step("cool")
                .needs("pay")
                .sleep(Duration.ofDays(3))
                .step("ok")
                .needs("cool")
                .waitFor("delivered", Duration.ofDays(14))
                .step("tell")
                .needs("ok")
                .emit("order.closed", json("{}"))
                .step("audit")
                .needs("tell")
                .uses("audit.close")
                .exclusive()
                .priority(5)
                .when("${{ always() }}");
    }

    private static JsonNode json(String text) {
        return JsonMapper.shared().readTree(text);
    }

    @Test
    void a_timeout_is_refused_where_nobody_works() {
        assertThatThrownBy(() -> Workflow.named("w")
                        .step("a")
                        .sleep(Duration.ofSeconds(1))
                        .timeout(Duration.ofSeconds(1))
                        .build())
                .isInstanceOf(InvalidDefinition.class)
                .hasMessageContaining("timeout")
                .hasMessageContaining("step 'a'");
    }
}
