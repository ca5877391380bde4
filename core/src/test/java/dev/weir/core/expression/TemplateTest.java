package dev.weir.core.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class TemplateTest {
    private static final Scope SCOPE = Scope.of("step pay")
            .with(Variable.INPUT, json("""
                    {"total": 3, "price": 1.5, "customer": "ada", "none": null, "a-b": 7,
                     "list": [1, 2, 3], "evil": "${{ input.total }}", "deep": {"flag": true}}"""))
            .with(Variable.STEPS, json("{\"reserve\": {\"output\": {\"parcels\": [{\"id\": 1}, {\"id\": 2}]}}}"))
            .with(Variable.FAILED, json("true"));

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "${{ input.total }}                        | 3",
                "${{ input.total + 1 }}                    | 4",
                "${{ 9007199254740993 }}                   | 9007199254740993",
                "${{ input.price }}                        | 1.5",
                "${{ input.price > 1 && input.total > 0 }} | true",
                "${{ input.none }}                         | null",
                "${{ input.deep }}                         | {\"flag\":true}",
                "${{ input['a-b'] }}                       | 7",
                "${{ input.list.map(x, x * 2) }}           | [2,4,6]",
                "${{ input.list.filter(x, x > 1) }}        | [2,3]",
                "${{ {'a': {'b': 1}} }}                    | {\"a\":{\"b\":1}}",
                "${{ '}}' }}                               | \"}}\"",
                "${{ '${{' }}                              | \"${{\"",
                "${{ has(input.nothing) }}                 | false",
                "${{ range(3) }}                           | [0,1,2]",
                "${{ steps.reserve.output.parcels[1].id }} | 2",
                "${{ always() }}                           | true",
                "${{ failed() }}                           | true",
                "customer-${{ input.customer }}            | \"customer-ada\"",
                "${{ input.total }}/${{ input.price }}     | \"3/1.5\"",
                "no expression                             | \"no expression\"",
            })
    void a_whole_expression_keeps_its_type_and_one_in_a_text_becomes_text(String template, String expected) {
        assertThat(Template.of(template).render(SCOPE)).isEqualTo(json(expected));
    }

    @Test
    void a_line_break_of_a_block_scalar_does_not_make_a_number_text() {
        assertThat(Template.of("${{ input.total }}\n").render(SCOPE)).isEqualTo(json("3"));
    }

    @Test
    void expressions_are_found_at_any_depth_and_the_rest_stays_as_it_is() {
        Template template = Template.of(json("{\"a\": [1, {\"b\": \"${{ input.total }}\"}], \"c\": \"x\"}"));

        assertThat(template.render(SCOPE)).isEqualTo(json("{\"a\": [1, {\"b\": 3}], \"c\": \"x\"}"));
    }

    @Test
    void an_expression_that_comes_from_data_is_data() {
        assertThat(Template.of("${{ input.evil }}").render(SCOPE)).isEqualTo(json("\"${{ input.total }}\""));
        assertThat(Template.of("x ${{ input.evil }}").render(SCOPE)).isEqualTo(json("\"x ${{ input.total }}\""));
    }

    @Test
    void a_secret_stays_a_name_until_it_is_revealed() {
        Template template = Template.of(json("{\"auth\": \"Bearer ${{ secrets.BILLING }} ${{ input.evil }}\"}"));

        RenderedTemplate rendered = template.renderKeepingSecrets(SCOPE);

        assertThat(rendered.value()).isEqualTo(json("{\"auth\": null}"));
        assertThat(rendered.toString()).doesNotContain("hunter2");
        assertThat(rendered.insertSecrets(name -> name.equals("BILLING") ? "hunter2 ${{ input.total }}" : "?"))
                .isEqualTo(json("{\"auth\": \"Bearer hunter2 ${{ input.total }} ${{ input.total }}\"}"));
        assertThat(template.variables()).containsExactlyInAnyOrder(Variable.SECRETS, Variable.INPUT);
    }

    @Test
    void a_secret_cannot_be_computed_with() {
        assertThatThrownBy(() -> Template.of("${{ size(secrets.BILLING) }}"))
                .isInstanceOf(InvalidExpression.class)
                .hasMessageContaining("stand alone");
    }

    @Test
    void a_template_with_secrets_is_not_rendered_as_if_it_had_none() {
        assertThatThrownBy(() -> Template.of("${{ secrets.X }}").renderText(SCOPE))
                .isInstanceOf(RenderFailed.class);
    }

    @Test
    void the_steps_and_variables_that_are_read_are_known_without_rendering() {
        Template template = Template.of(
                json("[\"${{ steps.a.output + steps['b-c'].output }}\", \"${{ input.l.map(item, item.steps) }}\"]"));

        assertThat(template.steps()).containsExactlyInAnyOrder("a", "b-c");
        assertThat(template.variables()).containsExactlyInAnyOrder(Variable.STEPS, Variable.INPUT);
    }

    @Test
    @Tag("R1.6")
    void an_expression_that_gives_no_list_is_refused_as_items() {
        assertThatThrownBy(() -> Template.of("${{ input.total }}").renderItems(SCOPE))
                .isInstanceOf(RenderFailed.class)
                .hasMessage("step pay: expected a list from \"${{ input.total }}\", found a number");
    }

    @Test
    @Tag("R1.10")
    void a_million_items_are_counted_and_not_stored() {
        var items = Template.of("${{ range(1000000) }}").renderItems(SCOPE);

        assertThat(items.size()).isEqualTo(1_000_000);
        assertThat(items.get(999_999)).isEqualTo(json("999999"));
        assertThatThrownBy(() -> Template.of("${{ range(1000001) }}").renderItems(SCOPE))
                .isInstanceOf(RenderFailed.class);
    }

    @Test
    void items_come_from_data_from_a_literal_list_and_from_an_expression_that_makes_one() {
        assertThat(Template.of("${{ input.list }}").renderItems(SCOPE)).hasSize(3);
        assertThat(Template.of(json("[\"${{ input.total }}\", 4]")).renderItems(SCOPE))
                .containsExactly(json("3"), json("4"));
        assertThat(Template.of("${{ input.list.filter(x, x > 1) }}").renderItems(SCOPE))
                .hasSize(2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a ${{ inpt.total }}       | 6  | unknown name 'inpt'; did you mean 'input'?",
                "${{ input.total + }}      | 18 | mismatched input the end of the expression",
                "${{ nope(1) }}            | 8  | unknown name 'nope'",
                "${{ input.total           | 0  | expected }} to close the expression",
                "${{ }}                    | 3  | expected an expression, found nothing",
            })
    @Tag("RX.5")
    void a_wrong_expression_is_refused_with_its_place(String template, int offset, String message) {
        var refused = catchThrowableOfType(InvalidExpression.class, () -> Template.of(template));

        assertThat(refused.detail()).contains(message);
        assertThat(refused.offset()).isEqualTo(offset);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "${{ input.nothing }}     | expected the field 'nothing' in input, which has: total, price",
                "${{ input.total / 0 }}   | / by zero",
                "${{ item }}              | item is not available here",
                "x${{ input.none }}       | found null",
                "${{ 1.0 / 0.0 }}         | JSON cannot represent",
                "${{ b'a' }}              | JSON cannot represent",
                "${{ {1: 2} }}            | expected strings as keys",
            })
    @Tag("RX.5")
    void a_failure_names_the_step_and_the_expression(String template, String message) {
        assertThatThrownBy(() -> Template.of(template).render(SCOPE))
                .isInstanceOf(RenderFailed.class)
                .hasMessageStartingWith("step pay: ${{ ")
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "range(100000).map(x, x)",
                "range(1000).map(x, range(1000).map(y, x + y))",
                "range(20000).filter(x, x in input.many)",
                "range(20000).filter(x, input.many == input.many)",
                "range(20000).map(x, input.long + 'a')",
                "['xxxxxxxx'].map(a,[a+a+a+a+a+a+a+a].map(b,[b+b+b+b+b+b+b+b].map(c,[c+c+c+c+c+c+c+c].map(d,[d+d+d+d+d+d+d+d].map(e,[e+e+e+e+e+e+e+e].map(f,[f+f+f+f+f+f+f+f].map(g,[g+g+g+g+g+g+g+g])))))))",
                "[[1]].map(a,[a+a+a+a+a+a+a+a].map(b,[b+b+b+b+b+b+b+b].map(c,[c+c+c+c+c+c+c+c].map(d,[d+d+d+d+d+d+d+d].map(e,[e+e+e+e+e+e+e+e].map(f,[f+f+f+f+f+f+f+f].map(g,[g+g+g+g+g+g+g+g])))))))",
                "[[1]].map(a,[a,a,a,a,a,a,a,a]).map(a,[a,a,a,a,a,a,a,a]).map(a,[a,a,a,a,a,a,a,a]).map(a,[a,a,a,a,a,a,a,a]).map(a,[a,a,a,a,a,a,a,a]).map(a,[a,a,a,a,a,a,a,a]).map(a,[a,a,a,a,a,a,a,a]).map(a,[a,a,a,a,a,a,a,a]).exists(x, x == x)",
                "[range(9000).map(x, [x])].map(a, range(9000).filter(i, a == a))",
                "range(20000).exists(x, -1 in range(1000000))",
                "range(20000).exists(x, range(1000000) != range(1000000))",
                "range(20000).exists(x, input.long.matches('(x?){500}y'))",
                "range(20000).exists(x, ('' + string(x)).matches('(x?){500}y'))",
                "input.long.matches('((((x{1000}){1000}){1000}){1000}){1000}')",
            })
    @Timeout(60)
    void an_expression_that_costs_too_much_ends_soon(String expression) {
        Scope big = SCOPE.with(
                Variable.INPUT,
                json("{\"many\": [" + "1, ".repeat(50_000) + "1], \"long\": \"" + "x".repeat(200_000) + "\"}"));

        assertThatThrownBy(() -> Template.of("${{ " + expression + " }}").render(big))
                .isInstanceOf(RenderFailed.class);
    }

    @Test
    void a_text_is_searched_for_a_pattern() {
        assertThat(Template.of("${{ 'order-17'.matches('^order-[0-9]+$') }}").evaluateCondition(SCOPE))
                .isTrue();
        assertThat(Template.of("${{ matches('order-17', '^[0-9]+$') }}").evaluateCondition(SCOPE))
                .isFalse();
        assertThatThrownBy(() -> Template.of("${{ 'a'.matches('(') }}").evaluateCondition(SCOPE))
                .isInstanceOf(RenderFailed.class)
                .hasMessageContaining("expected a regular expression (RE2), found '('");
    }

    @Test
    void an_output_that_is_too_large_is_refused() {
        Scope big = SCOPE.with(Variable.INPUT, json("{\"long\": \"" + "x".repeat(200_000) + "\"}"));

        assertThatThrownBy(() -> Template.of("${{ [input.long, input.long] }}").render(big))
                .isInstanceOf(RenderFailed.class)
                .hasMessageContaining("at most 262144 characters");
    }

    @Test
    void an_expression_that_is_too_long_or_too_deep_is_refused() {
        assertThatThrownBy(() -> Template.of("${{ 1" + " + 1".repeat(2_000) + " }}"))
                .isInstanceOf(InvalidExpression.class);
        assertThatThrownBy(() -> Template.of("${{ " + "(".repeat(500) + "1" + ")".repeat(500) + " }}"))
                .isInstanceOf(InvalidExpression.class);
    }

    @Test
    void templates_are_equal_when_their_sources_are() {
        assertThat(Template.of(json("{\"a\": 1, \"b\": 2}"))).isEqualTo(Template.of(json("{\"b\": 2, \"a\": 1}")));
        assertThat(Template.of("a")).isNotEqualTo(Template.of("b"));
    }

    private static JsonNode json(String text) {
        return JsonMapper.shared().readTree(text);
    }
}
