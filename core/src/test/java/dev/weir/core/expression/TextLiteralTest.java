package dev.weir.core.expression;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TextLiteralTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "plain",
                "${{ secrets.BILLING }}",
                "a ${{ input.b }} c ${{",
                "}} ${{ '\\' \" }}",
                "${{ \n\t🙂 ü\\u0041 }}",
            })
    void a_text_renders_to_itself_also_after_it_was_stored(String text) {
        Template template = Template.ofText(text);

        assertThat(template.renderText(Scope.of("test"))).isEqualTo(text);
        assertThat(Template.fromStored(template.source()).renderText(Scope.of("test")))
                .isEqualTo(text);
        assertThat(template.variables()).isEmpty();
    }
}
