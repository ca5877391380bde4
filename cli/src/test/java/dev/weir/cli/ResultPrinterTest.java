package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

class ResultPrinterTest {
    private final StringWriter out = new StringWriter();
    private final ResultPrinter printer = new ResultPrinter(new PrintWriter(out, true), new OutputOptions());

    @Test
    void control_characters_in_data_do_not_reach_the_terminal() {
        printer.line("a\u001b[2Jb\rc\nd\u009be\u0007");
        printer.table(List.of(List.of("NAME", "WHY"), List.of("x\ny", "\u001b]0;title\u0007 ü 😀")));
        assertThat(out.toString().lines())
                .containsExactly("a\uFFFD[2Jb c d\uFFFDe\uFFFD", "NAME  WHY", "x y   \uFFFD]0;title\uFFFD ü 😀");
    }
}
