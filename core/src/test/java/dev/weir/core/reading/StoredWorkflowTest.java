package dev.weir.core.reading;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.core.definition.DefinitionBounds;
import dev.weir.core.definition.InvalidDefinition;
import dev.weir.core.definition.StoredDefinitionSize;
import dev.weir.core.definition.Workflow;
import java.math.BigInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Tests that a definition is measured before it is stored, and that a stored one can be read however large it is. */
@Tag("R0.13")
class StoredWorkflowTest {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    @Test
    void text_that_is_larger_as_json_is_refused_with_both_sizes() {
        String line = "      [\"a\",\"b\",\"c\",\"d\",\"e\",\"f\",\"g\",\"h\"]\n";
        String yaml = "workflow: w\nsteps:\n- id: a\n  uses: m\n  with:\n    text: |\n"
                + line.repeat(220_000 / line.length());
        assertThat(yaml.length()).isLessThan(DefinitionBounds.DEFINITION_BYTES_MAX);
        assertThat(ReadProblems.of(yaml))
                .singleElement()
                .asString()
                .contains(
                        "expected at most 262144 bytes in the definition as JSON, which is how Weir stores it, found 2");
    }

    @Test
    void a_workflow_that_was_built_is_measured_as_one_that_was_sent() {
        assertRefused(workflowWith(NODES.stringNode("x".repeat(300_000))), "at most 262144 bytes");
        assertRefused(workflowWith(NODES.stringNode("${{ input.x }}".repeat(2_001))), "at most 2000 expressions");
        assertRefused(workflowWith(numbers(20_000)), "at most 20000 values");
        assertRefused(workflowWith(nested(70)), "at most 64 levels");
        assertRefused(workflowWith(NODES.objectNode().put("x".repeat(257), 1)), "at most 256 characters in a name");
        assertRefused(Workflow.named("w").description("a\0b").build(), "U+0000");
        StoredDefinitionSize.check(workflowWith(numbers(19_000)));
    }

    @Test
    void stored_workflows_are_read_without_the_bounds_of_requests() {
        assertReadsBack(workflowWith(NODES.stringNode("x".repeat(300_000))));
        assertReadsBack(workflowWith(NODES.stringNode("${{ input.x }}".repeat(2_001))));
        assertReadsBack(workflowWith(numbers(50_000)));
        assertReadsBack(workflowWith(nested(200)));
        assertReadsBack(workflowWith(NODES.numberNode(BigInteger.TEN.pow(5_000))));
    }

    private static void assertRefused(Workflow workflow, String why) {
        assertThatThrownBy(() -> StoredDefinitionSize.check(workflow))
                .isInstanceOf(InvalidDefinition.class)
                .hasMessageContaining(why);
    }

    private static void assertReadsBack(Workflow workflow) {
        String stored = workflow.toJson().toString();
        assertThat(WorkflowReader.readStored(stored).orThrow()).isEqualTo(workflow);
    }

    private static Workflow workflowWith(JsonNode value) {
        return Workflow.named("w")
                .step("a")
                .uses("m", NODES.objectNode().set("value", value))
                .build();
    }

    private static JsonNode numbers(int count) {
        var list = NODES.arrayNode();
        for (int i = 0; i < count; i++) {
            list.add(i);
        }
        return list;
    }

    private static JsonNode nested(int levels) {
        JsonNode value = NODES.numberNode(1);
        for (int i = 0; i < levels; i++) {
            value = NODES.arrayNode().add(value);
        }
        return value;
    }
}
