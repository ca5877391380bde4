package dev.weir.core.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.core.json.CanonicalJson;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Tests templates that were read from the store: they give what new ones give, and are compiled when they are used. */
class StoredTemplateTest {
    private static final JsonNode INPUT =
            json("{'a': {'b': [1, 2.5, null], 'c': null, 'd': 'text', 'e': true, 'f': 12345678901}}");

    private static JsonNode json(String text) {
        return JsonMapper.shared().readTree(text.replace('\'', '"'));
    }

    private static JsonNode text(String text) {
        return JsonMapper.shared().getNodeFactory().stringNode(text);
    }

    private static Scope scope(UnitCounter counter) {
        return Scope.of("step s", counter)
                .with(Variable.INPUT, INPUT)
                .with(Variable.INDEX, JsonMapper.shared().getNodeFactory().numberNode(3));
    }

    private static String outcome(Template template) {
        try {
            return template.renderKeepingSecrets(scope(new UnitCounter())).toString();
        } catch (RenderFailed e) {
            return String.valueOf(e.getMessage());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "${{ input }}",
                "${{ input.a }}",
                "${{ input.a.b }}",
                "${{ input.a.c }}",
                "${{ input.a.d }}",
                "${{ input.a.e }}",
                "${{ input.a.f }}",
                "${{ index }}",
                "n-${{ index }}-${{ input.a.d }}-${{ input.a.e }}",
                "n-${{ input.a.c }}",
                "${{ input.a.x }}",
                "${{ input.a.c.x }}",
                "${{ input.a.d.x }}",
                "${{ item.x }}",
                "${{ secrets.KEY }}",
                "Bearer ${{ secrets.KEY }}",
                "${{ size(input.a.b) + 1 }}",
            })
    void a_stored_template_gives_what_a_new_one_gives(String source) {
        assertThat(outcome(Template.fromStored(text(source)))).isEqualTo(outcome(Template.of(source)));
    }

    /** Paths are read without CEL. A condition around them makes CEL read them. */
    @ParameterizedTest
    @ValueSource(
            strings = {"input", "input.a", "input.a.b", "input.a.c", "input.a.d", "input.a.e", "input.a.f", "index"})
    void a_path_gives_what_the_compiler_gives(String path) {
        assertThat(outcome(Template.of("${{ " + path + " }}")))
                .isEqualTo(outcome(Template.of("${{ true ? " + path + " : 0 }}")));
    }

    @Test
    void the_first_use_is_charged_whatever_was_compiled_before() {
        Template first = Template.fromStored(text("${{ size(input.a.b) + 41 }}"));
        Template second = Template.fromStored(text("${{ size(input.a.b) + 41 }}"));

        assertThat(units(first)).isGreaterThan(Expression.COMPILE_UNITS).isEqualTo(units(second));
        assertThat(units(first)).isLessThan(100);
    }

    private static long units(Template template) {
        var counter = new UnitCounter();
        template.render(scope(counter));
        return counter.units();
    }

    @Test
    void an_expression_that_this_version_refuses_fails_where_it_is_used() {
        Template broken = Template.fromStored(text("${{ input.a + }}"));

        assertThat(broken.makeReady(new UnitCounter(), () -> false)).isTrue();
        assertThatThrownBy(() -> broken.render(scope(new UnitCounter()))).isInstanceOf(RenderFailed.class);
    }

    @Test
    void a_template_of_many_expressions_is_compiled_in_parts() {
        Template template =
                Template.fromStored(json("['${{ input.a.f + 1 }}', '${{ input.a.f + 2 }}', '${{ input.a }}']"));
        var counter = new UnitCounter();

        assertThat(template.makeReady(counter, () -> true)).isFalse();
        assertThat(counter.units()).isZero();
        assertThat(template.makeReady(counter, () -> counter.units() > 0)).isFalse();
        assertThat(template.makeReady(counter, () -> false)).isTrue();
        assertThat(counter.units()).isBetween(2L * Expression.COMPILE_UNITS, 3L * Expression.COMPILE_UNITS);
    }

    @Test
    void an_object_of_templates_equals_the_template_of_the_object() {
        JsonNode source = json("{'data': {'z': 1, 'x': '${{ input.a.d }}'}, 'event': 'paid'}");
        Template object = Template.ofFields(
                new TreeMap<>(Map.of("event", Template.of("paid"), "data", Template.of(source.get("data")))));

        assertThat(object).isEqualTo(Template.of(source));
        assertThat(object.source().toString()).isEqualTo(CanonicalJson.text(source));
        assertThat(outcome(object)).isEqualTo(outcome(Template.of(source)));
    }
}
