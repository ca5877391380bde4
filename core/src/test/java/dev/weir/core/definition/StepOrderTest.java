package dev.weir.core.definition;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StepOrderTest {
    private static StepGraph.GraphStep node(String id, String... needs) {
        return new StepGraph.GraphStep(id, List.of(needs));
    }

    @Test
    void a_step_comes_after_what_it_needs_directly_or_through_others() {
        var order = StepOrder.of(List.of(node("d", "c", "b"), node("c", "a"), node("b", "a"), node("a"), node("e")));

        assertThat(order.isBefore("a", "d")).isTrue();
        assertThat(order.isBefore("b", "d")).isTrue();
        assertThat(order.isBefore("a", "c")).isTrue();
        assertThat(order.isBefore("b", "c")).isFalse();
        assertThat(order.isBefore("d", "a")).isFalse();
        assertThat(order.isBefore("a", "a")).isFalse();
        assertThat(order.isBefore("e", "d")).isFalse();
        assertThat(order.isBefore("x", "d")).isFalse();
        assertThat(order.ids()).containsExactly("d", "c", "b", "a", "e");
    }

    @Test
    void a_long_chain_has_an_order() {
        List<StepGraph.GraphStep> nodes = new ArrayList<>(List.of(node("s0")));
        for (int i = 1; i < DefinitionBounds.STEPS_MAX; i++) {
            nodes.add(node("s" + i, "s" + (i - 1)));
        }

        assertThat(StepOrder.of(nodes.reversed()).isBefore("s0", "s999")).isTrue();
    }
}
