package dev.weir.core.reading;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.definition.Action;
import dev.weir.core.definition.DefinitionBounds;
import dev.weir.core.definition.FlowControl;
import dev.weir.core.definition.OnFailure;
import dev.weir.core.definition.Step;
import dev.weir.core.definition.Workflow;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ExamplesTest {
    @ParameterizedTest
    @MethodSource("dev.weir.core.reading.Examples#workflows")
    void every_example_reads_and_its_canonical_json_reads_back_as_the_same_workflow(Path example) {
        Workflow workflow = WorkflowReader.read(Examples.text(example)).orThrow();

        Workflow again = WorkflowReader.read(workflow.toJson().toPrettyString()).orThrow();

        assertThat(again).isEqualTo(workflow);
        assertThat(again.contentHash()).isEqualTo(workflow.contentHash()).hasSize(64);
    }

    @ParameterizedTest
    @MethodSource("dev.weir.core.reading.Examples#workflows")
    void every_compensation_in_an_example_is_triggered_by_another_step(Path example) {
        var steps = WorkflowReader.read(Examples.text(example)).orThrow().steps();

        for (Step undone : steps) {
            if (undone.resultRules().compensation() != null) {
                assertThat(steps)
                        .anyMatch(step ->
                                !step.equals(undone) && step.resultRules().onFailure() == OnFailure.COMPENSATE);
            }
        }
    }

    @Test
    @Tag("R0.1")
    void the_run_limits_of_seed_0_read_as_they_stand() {
        Workflow workflow =
                WorkflowReader.read(Examples.text("seeds/0-run-limits.json")).orThrow();

        assertThat(workflow.name()).isEqualTo("order_fulfillment");
        assertThat(workflow.runLimits().maxConcurrentSteps()).isEqualTo(10);
        assertThat(workflow.runLimits().maxStepsPerTick()).isEqualTo(5);
        assertThat(workflow.steps()).isEmpty();
    }

    @Test
    @Tag("R2.1")
    void the_slots_of_seed_2_read_as_they_stand() {
        Workflow workflow =
                WorkflowReader.read(Examples.text("seeds/2-slots.yaml")).orThrow();

        assertThat(workflow.name()).isEqualTo("commission-work");
        assertThat(workflow.runLimits().maxParallel()).isEqualTo(3);
        assertThat(workflow.step("anchor-docs").action())
                .isInstanceOfSatisfying(
                        Action.Uses.class, uses -> assertThat(uses.module()).isEqualTo("anchor-docs"));
        assertThat(workflow.step("anchor-docs").demand().slots()).isNull();
    }

    @Test
    @Tag("R3.1")
    void the_flow_control_of_seed_3_reads_as_it_stands_its_period_as_text_or_milliseconds() {
        assertThat(control("seeds/3-user-onboarding.yaml")).satisfies(control -> {
            assertThat(control.parallelism()).isEqualTo(5);
            assertThat(control.rate()).extracting("count", "period").containsExactly(20, Duration.ofMinutes(1));
        });
        assertThat(control("seeds/3-billing-jobs.yaml").rate())
                .extracting("count", "period")
                .containsExactly(2, Duration.ofSeconds(10));
        assertThat(control("seeds/3-media-processing.yaml").rate())
                .extracting("count", "period")
                .containsExactly(10, Duration.ofMinutes(1));
    }

    @Test
    void the_examples_together_use_every_field_of_the_schema() {
        Set<String> used = new TreeSet<>();
        JsonNode schema = JsonMapper.shared().readTree(WorkflowReader.schema());
        for (Path example : Examples.workflows()) {
            collect(schema, schema, parsed(example), used);
        }

        Set<String> unused = fields(schema);
        unused.removeAll(used);
        assertThat(unused).isEmpty();
    }

    @Test
    void every_field_of_the_schema_is_described() {
        JsonNode schema = JsonMapper.shared().readTree(WorkflowReader.schema());

        List<String> silent = new ArrayList<>();
        everyProperty(schema, "", (name, property) -> {
            if (!property.has("description")) {
                silent.add(name);
            }
        });
        assertThat(silent).isEmpty();
    }

    @Test
    void the_schema_and_the_records_have_the_same_bounds() {
        JsonNode schema = JsonMapper.shared().readTree(WorkflowReader.schema());

        assertThat(schema.at("/properties/steps/maxItems").intValue()).isEqualTo(DefinitionBounds.STEPS_MAX);
        assertThat(schema.at("/properties/triggers/maxItems").intValue()).isEqualTo(DefinitionBounds.TRIGGERS_MAX);
        assertThat(schema.at("/$defs/flow_control/then/maxItems").intValue())
                .isEqualTo(DefinitionBounds.FLOW_CONTROLS_MAX);
        assertThat(schema.at("/$defs/count/maximum").intValue()).isEqualTo(DefinitionBounds.COUNT_MAX);
        assertThat(schema.at("/$defs/priority/minimum").intValue()).isEqualTo(DefinitionBounds.PRIORITY_MIN);
        assertThat(schema.at("/$defs/priority/maximum").intValue()).isEqualTo(DefinitionBounds.PRIORITY_MAX);
        assertThat(schema.at("/$defs/retry/properties/max_attempts/maximum").intValue())
                .isEqualTo(DefinitionBounds.ATTEMPTS_MAX);
        assertThat(schema.at("/properties/limits/properties/max_cascade_depth/maximum")
                        .intValue())
                .isEqualTo(DefinitionBounds.CASCADE_DEPTH_MAX);
    }

    private static FlowControl control(String example) {
        JsonNode call = WorkflowReader.readData(Examples.text(example)).orThrow();
        return WorkflowReader.readFlowControl(call.get("flowControl").toString())
                .orThrow()
                .getFirst();
    }

    private static JsonNode parsed(Path example) {
        try {
            return SourceDocument.read(Examples.text(example)).root();
        } catch (UnreadableText e) {
            throw new AssertionError(example.toString(), e);
        }
    }

    /** Walks a value along the schema and records the properties of each schema that the value uses. */
    private static void collect(JsonNode schema, JsonNode at, JsonNode value, Set<String> used) {
        if (at.has("$ref")) {
            collect(schema, schema.at(at.get("$ref").stringValue().substring(1)), value, used);
        }
        for (String branch : List.of("then", "else")) {
            if (at.has(branch)) {
                collect(schema, at.get(branch), value, used);
            }
        }
        if (value.isArray() && at.has("items")) {
            value.forEach(element -> collect(schema, at.get("items"), element, used));
        }
        if (value.isObject() && at.has("properties")) {
            for (var property : at.get("properties").properties()) {
                JsonNode field = value.get(property.getKey());
                if (field != null) {
                    used.add(name(at, property.getKey()));
                    collect(schema, property.getValue(), field, used);
                }
            }
        }
    }

    /** Identifies a field by its name and the description of its object. */
    private static String name(JsonNode object, String property) {
        return Objects.requireNonNull(object.get("description")).stringValue() + " " + property;
    }

    private static Set<String> fields(JsonNode schema) {
        Set<String> fields = new TreeSet<>();
        everyProperty(schema, "", (name, property) -> fields.add(name));
        return fields;
    }

    private static void everyProperty(
            JsonNode node, String path, java.util.function.BiConsumer<String, JsonNode> each) {
        if (node.isObject() && node.path("properties").isObject() && node.has("additionalProperties")) {
            node.get("properties").properties().forEach(p -> each.accept(name(node, p.getKey()), p.getValue()));
        }
        for (var field : node.properties()) {
            if (!field.getKey().equals("examples")) {
                everyProperty(field.getValue(), path + "/" + field.getKey(), each);
            }
        }
    }
}
