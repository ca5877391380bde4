package dev.weir.core.expression;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that a scan finds the variables that the compiler finds. */
class MentionedVariablesTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "input",
                " input.steps.item ",
                "input['steps'] + \"run\"",
                "steps.a.output == run.id",
                "always()",
                "input.a || always ( )",
                "always // not yet\n ()",
                "failed() && !succeeded()",
                "input.l.all(x, x.item > 0)",
                "input.l.all(always, always)",
                "r'\\d' + input.a",
                "'it\\'s steps' + input.a",
                "'''steps''' + input.a",
                "b'item' == b'steps'",
                "1.5e3 > 0x1F ? item : index",
                "[input, {'item': item}]",
                "{input.a: 1}",
                "has(input.a)",
                "input.a // item",
                "item.size() + size(steps)",
                "-1 in [index]",
            })
    void the_scan_agrees_with_the_compiler(String text) {
        assertThat(MentionedVariables.of(text))
                .isEqualTo(Expression.of(text).references().variables());
    }

    @Test
    void a_name_that_a_loop_binds_counts_as_mentioned() {
        String text = "input.l.all(item, item > 0)";

        assertThat(MentionedVariables.of(text)).isEqualTo(Set.of(Variable.INPUT, Variable.ITEM));
        assertThat(Expression.of(text).references().variables()).isEqualTo(Set.of(Variable.INPUT));
    }
}
