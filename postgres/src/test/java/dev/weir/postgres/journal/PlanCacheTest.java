package dev.weir.postgres.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.definition.Workflow;
import dev.weir.postgres.json.StoredJson;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;

@Tag("R0.13")
class PlanCacheTest {
    @Test
    void a_stored_definition_of_any_size_is_read() throws Exception {
        var with = JsonNodeFactory.instance.objectNode();
        for (int i = 0; i < 2_500; i++) {
            with.put("n" + i, "${{ input.n }}" + "x".repeat(200));
        }
        Workflow large = Workflow.named("w").step("a").uses("m", with).build();
        String kept = StoredJson.text(large.toJson());

        assertThat(new PlanCache().get(1, "w", 1, () -> kept).workflow()).isEqualTo(large);
    }
}
