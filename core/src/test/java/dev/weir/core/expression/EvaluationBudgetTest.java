package dev.weir.core.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cel.common.CelOverloadDecl;
import dev.cel.common.types.SimpleType;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

class EvaluationBudgetTest {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    @Test
    @Tag("L8")
    void every_function_of_the_environment_has_a_price() {
        List<String> unpriced = ExpressionFunctions.DECLARATIONS.stream()
                .flatMap(function -> function.overloads().stream())
                .filter(overload -> FunctionPrices.find(overload) == null)
                .map(CelOverloadDecl::overloadId)
                .toList();

        assertThat(unpriced).isEmpty();
        assertThat(ExpressionFunctions.DECLARATIONS).hasSizeGreaterThan(25);
    }

    @Test
    void a_function_that_reads_text_has_no_price_until_somebody_sets_one() {
        var added = CelOverloadDecl.newMemberOverload("reverse_string", SimpleType.STRING, SimpleType.STRING);

        assertThat(FunctionPrices.find(added)).isNull();
    }

    /**
     * Each expression reads the data in a different way. With ten times the data, each costs about ten times as much.
     */
    @ParameterizedTest
    @Tag("L8")
    @ValueSource(
            strings = {
                "input.text.contains(input.part)",
                "input.text.startsWith(input.same)",
                "input.text.endsWith(input.same)",
                "input.text < input.same",
                "input.text == input.same",
                "size(input.text) == 1",
                "input.text + input.part == ''",
                "string(input.text) == ''",
                "input.text.matches('xy')",
                "-1 in input.list",
                "'y' in input.texts",
                "input.list == input.list2",
                "input.list != input.list2",
                "input.texts == input.texts2",
                "input.object == input.object2",
                "input.list + input.list2 == []",
                "[input.texts] == [input.texts2]",
                "input.list.exists(x, x == -1)",
                "input.object.exists(k, k == '')",
                "{input.text: 1} == {input.same: 1}",
                "{'a': 1}[input.text] == 1 || true",
            })
    void an_expression_over_ten_times_the_data_costs_ten_times_as_much(String expression) {
        long small = unitsSpent(expression, data(200));
        long large = unitsSpent(expression, data(2_000));

        assertThat(large).isBetween(5 * small, 11 * small);
    }

    @Test
    void a_text_is_parsed_only_if_it_is_short() {
        for (String type : List.of("int", "double", "duration", "timestamp")) {
            assertThatThrownBy(() -> unitsSpent(type + "(input.text)", data(100)))
                    .isInstanceOf(RenderFailed.class)
                    .hasMessageContaining("costs too much");
        }
    }

    @Test
    @Tag("L8")
    void a_search_costs_the_sum_of_the_lengths_and_not_their_product() {
        ObjectNode input = NODES.objectNode();
        input.put("s", "a".repeat(160_000));
        input.put("p", "a".repeat(80_000) + "b");

        // 240,001 characters are read from the data, become two values, and are searched. Each time, 32 of them cost a
        // unit.
        assertThat(unitsSpent("input.s.contains(input.p)", input)).isBetween(3 * 7_500L, 3 * 7_500L + 20);
        assertThat(unitsSpent("range(5).map(i, input.s.contains(input.p))", input))
                .isLessThan(5 * (3 * 7_500L + 40));
        assertThatThrownBy(() -> unitsSpent("range(30).map(i, input.s.contains(input.p))", input))
                .isInstanceOf(RenderFailed.class)
                .hasMessageContaining("costs too much");
    }

    @Test
    void a_loop_costs_a_unit_for_each_node_that_it_evaluates() {
        assertThat(unitsSpent("range(19000).all(i, i >= 0)", data(1))).isBetween(8 * 19_000L, 8 * 19_000L + 10);
    }

    /** Loops and boolean operators tolerate errors, each of which takes as long as many nodes. */
    @ParameterizedTest
    @Tag("L8")
    @ValueSource(
            strings = {
                "input.nope == i",
                "1 / 0 == i",
                "int('x') == i",
                "input.list[99999] == i",
                "dyn('a') < 1",
                "'a'.matches('(')",
                "range(-1) == []",
                "{'a': 1, 'a': 2} == {}",
                "{'a': 1}.b == i",
                "9223372036854775807 + 1 == i",
                "(1 / 0 == i || dyn('a')) && false",
                "(dyn('a') ? true : false)",
                "[1 / 0] == []",
            })
    void an_error_that_is_tolerated_at_every_turn_of_a_loop_is_paid_for(String failing) {
        assertThatThrownBy(() -> unitsSpent("range(19000).exists(i, " + failing + ")", data(1)))
                .isInstanceOf(RenderFailed.class)
                .hasMessageContaining("costs too much");
    }

    @Test
    void a_result_is_charged_by_its_size() {
        assertThat(unitsSpent("input.texts", data(2_000))).isGreaterThan(2_000 * 32 / 8);
    }

    private static ObjectNode data(int size) {
        ObjectNode input = NODES.objectNode();
        input.put("text", "x".repeat(size * 32));
        input.put("same", "x".repeat(size * 32));
        input.put("part", "x".repeat(size * 16) + "y");
        for (String name : List.of("", "2")) {
            ArrayNode numbers = input.putArray("list" + name);
            ArrayNode texts = input.putArray("texts" + name);
            ObjectNode object = input.putObject("object" + name);
            for (int i = 0; i < size; i++) {
                numbers.add(i);
                texts.add("x".repeat(32));
                object.put("key" + i, i);
            }
        }
        return input;
    }

    private static long unitsSpent(String expression, ObjectNode input) {
        var counter = new UnitCounter();
        Scope scope = Scope.of("step pay", counter).with(Variable.INPUT, input);
        var unused = Template.of("${{ " + expression + " }}").render(scope);
        return counter.units();
    }
}
