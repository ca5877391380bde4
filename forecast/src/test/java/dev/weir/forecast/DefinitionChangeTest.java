package dev.weir.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.core.reading.WorkflowReader;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;

class DefinitionChangeTest {
    private static final String DEFINITION = """
            workflow: w
            flow_control: { key: house, parallelism: 5, rate: 20, period: 1m }
            steps:
              - { id: label, with_items: [a], concurrency: 3, uses: m }
              - id: pay
                uses: m
                flow_control: [{ key: bank, rate: 2, period: 10s }, { key: money, parallelism: 20 }]
            """;

    private static JsonNode changed(String set, String pointer) {
        var json = WorkflowReader.read(DEFINITION).orThrow().toJson();
        DefinitionChange.parse(set).apply(json);
        return json.at(JsonPointer.compile(pointer));
    }

    @Test
    void a_path_names_fields_and_entries_of_lists_by_index_id_or_key() {
        assertThat(changed("max_concurrent_steps=5", "/max_concurrent_steps").intValue())
                .isEqualTo(5);
        assertThat(changed("runtime.max_parallel=4", "/runtime/max_parallel").intValue())
                .isEqualTo(4);
        assertThat(changed("steps.label.concurrency=10", "/steps/0/concurrency").intValue())
                .isEqualTo(10);
        assertThat(changed("steps.pay.flow_control.0.rate=5", "/steps/1/flow_control/0/rate")
                        .intValue())
                .isEqualTo(5);
        assertThat(changed("steps.pay.flow_control.money.parallelism=9", "/steps/1/flow_control/1/parallelism")
                        .intValue())
                .isEqualTo(9);
    }

    @Test
    void the_only_entry_of_a_list_need_not_be_named() {
        assertThat(changed("flow_control.parallelism=7", "/flow_control/0/parallelism")
                        .intValue())
                .isEqualTo(7);
    }

    @Test
    void null_clears_a_limit_and_what_means_nothing_without_it() {
        JsonNode control = changed("flow_control.rate=null", "/flow_control/0");
        assertThat(control.propertyNames()).containsExactlyInAnyOrder("key", "parallelism");
    }

    @Test
    void an_entry_that_has_to_be_named_and_is_not_is_refused_with_the_names() {
        assertThatThrownBy(() -> changed("steps.pay.flow_control.rate=5", ""))
                .isInstanceOf(DefinitionChange.InvalidChange.class)
                .hasMessageContaining("bank", "money");
    }

    @Test
    void one_path_with_values_gives_a_variant_for_each_and_several_paths_give_every_combination() {
        assertThat(DefinitionChange.variants("a=1,2,3")).hasSize(3);
        assertThat(DefinitionChange.variants("a=1,b=2")).hasToString("[[a=1, b=2]]");
        assertThat(DefinitionChange.variants("a=1,2,b=3,4"))
                .hasToString("[[a=1, b=3], [a=1, b=4], [a=2, b=3], [a=2, b=4]]");
    }
}
