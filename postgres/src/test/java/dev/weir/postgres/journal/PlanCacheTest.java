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

    private static String definition(int chars) {
        String text =
                StoredJson.text(Workflow.named("w").step("a").uses("m").build().toJson());
        return text + " ".repeat(chars - text.length());
    }

    private static void add(PlanCache plans, int org, int version) throws Exception {
        plans.get(org, "w", version, () -> definition(1_000));
    }

    @Test
    void the_characters_of_all_definitions_are_bounded() throws Exception {
        var plans = new PlanCache(10_000, 10_000);
        for (int version = 1; version <= 100; version++) {
            add(plans, version, 1);
        }
        assertThat(plans.size()).isEqualTo(10);
    }

    @Test
    void an_organisation_that_exceeds_its_share_evicts_its_own_plans() throws Exception {
        var plans = new PlanCache(10_000, 3_000);
        add(plans, 1, 1);
        for (int version = 1; version <= 100; version++) {
            add(plans, 2, version);
        }
        assertThat(plans.size()).isEqualTo(4);
        plans.get(1, "w", 1, () -> {
            throw new IllegalStateException("expected the plan of the other organisation in the cache");
        });
    }

    @Test
    void a_definition_larger_than_the_cache_is_used_all_the_same() throws Exception {
        var plans = new PlanCache(500, 500);
        add(plans, 1, 1);
        assertThat(plans.size()).isEqualTo(1);
        add(plans, 1, 2);
        assertThat(plans.size()).isEqualTo(1);
    }
}
