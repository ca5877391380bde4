package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

class MainTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void help_goes_to_stdout_and_names_the_benchmarks_of_a_checkout() {
        assertThat(weir("--help")).isZero();
        assertThat(out.toString()).contains("Usage: weir", "Examples:", "./weir bench");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void suggested_commands_use_the_name_by_which_it_was_called() {
        CommandLine called = Main.commandLine("../my weir/weir");
        assertThat(called.setOut(new PrintWriter(out, true)).execute("--help")).isZero();
        assertThat(out.toString())
                .contains(
                        "Usage: '../my weir/weir' [", "\n  '../my weir/weir' up --demo", "'../my weir/weir' bench runs")
                .doesNotContain("  weir ", "./weir");
        assertThat(called.setErr(new PrintWriter(err, true)).execute("start")).isEqualTo(2);
        assertThat(err.toString()).contains("Run `'../my weir/weir' start --help` for usage.");
        assertThat(Objects.requireNonNull(called.getSubcommands().get("start")).getUsageMessage())
                .contains("\n  '../my weir/weir' start order_fulfillment");
        assertThat(WelcomeMessage.lines("../weir", List.of(new WelcomeMessage.Hint("runs", "what there is")), ""))
                .containsExactly("  ../weir runs  what there is");
    }

    @Test
    void version_says_the_version_of_the_build() {
        assertThat(weir("--version")).isZero();
        assertThat(out.toString()).matches("weir \\d+\\.\\d+\\.\\d+\\S* \\(Java .+\\)\\R");
    }

    @Test
    void every_command_has_help_with_an_example() {
        assertEveryCommandHasHelpWithAnExample(Main.commandLine());
    }

    private static void assertEveryCommandHasHelpWithAnExample(CommandLine command) {
        var name = command.getCommandSpec().qualifiedName();
        assertThat(command.getUsageMessage()).as(name).contains("--help", "Example");
        command.getSubcommands().values().forEach(MainTest::assertEveryCommandHasHelpWithAnExample);
    }

    @Test
    void commands_in_the_help_can_be_copied() {
        assertNothingIsBroken(Main.commandLine());
    }

    /** Asserts that no example is wider than the page, and that no name is broken at the end of a line. */
    private static void assertNothingIsBroken(CommandLine command) {
        var name = command.getCommandSpec().qualifiedName();
        assertThat(command.getCommandSpec().usageMessage().footer())
                .as(name)
                .filteredOn(line -> line.startsWith("  "))
                .allMatch(line -> line.length() <= 80);
        assertThat(command.getUsageMessage()).as(name).doesNotContainPattern("[a-z]\\.\\R( {20,})?[a-z]");
        command.getSubcommands().values().forEach(MainTest::assertNothingIsBroken);
    }

    @Test
    void no_command_is_an_error_in_the_arguments() {
        assertThat(weir()).isEqualTo(2);
        assertThat(err.toString()).contains("weir: Missing command", "Run `weir --help` for usage.");
    }

    @Test
    void a_wrong_argument_exits_2_says_what_was_meant_and_where_to_look() {
        assertThat(weir("--versoin")).isEqualTo(2);
        assertThat(err.toString()).contains("Unknown option: '--versoin'", "--version", "Run `weir --help` for usage.");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void a_wrong_output_format_exits_2_and_lists_the_formats() {
        assertThat(weir("probe", "-o", "xml", "x")).isEqualTo(2);
        assertThat(err.toString()).contains("expected text or json, found 'xml'", "Run `weir probe --help` for usage.");
    }

    @Test
    void output_is_text_unless_json_is_asked_for() {
        assertThat(weir("probe", "x")).isZero();
        assertThat(weir("probe", "-o", "json", "x")).isZero();
        assertThat(out.toString().lines()).containsExactly("text", "json");
    }

    @Test
    void a_bug_exits_70_with_one_line_that_explains_how_to_see_more() {
        assertThat(weir("probe", "bug")).isEqualTo(70);
        assertThat(err.toString().lines()).singleElement().asString().contains("broken", "--stacktrace");
    }

    @Test
    void a_bug_shows_its_stack_when_asked_before_or_after_the_command() {
        assertThat(weir("probe", "bug", "--stacktrace")).isEqualTo(70);
        assertThat(err.toString()).contains("at dev.weir.cli.MainTest");
        err.getBuffer().setLength(0);
        assertThat(weir("--stacktrace", "probe", "bug")).isEqualTo(70);
        assertThat(err.toString()).contains("at dev.weir.cli.MainTest");
    }

    @Test
    void a_file_that_cannot_be_read_is_no_bug() {
        assertThat(weir("probe", "missing")).isEqualTo(1);
        assertThat(err.toString().lines()).containsExactly("weir: file not found: order.yaml");
    }

    private int weir(String... args) {
        return Main.commandLine()
                .addSubcommand(new Probe())
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(args);
    }

    /** A subcommand that shows what a command inherits from the main command. */
    @Command(name = "probe")
    static final class Probe implements Callable<Integer> {
        @Mixin
        private OutputOptions output = new OutputOptions();

        @Parameters
        private String what = "";

        @CommandLine.Spec
        private CommandLine.Model.CommandSpec spec = CommandLine.Model.CommandSpec.create();

        @Override
        public Integer call() {
            switch (what) {
                case "bug" -> throw new IllegalStateException("broken");
                case "missing" -> throw new UncheckedIOException(new NoSuchFileException("order.yaml"));
                default -> spec.commandLine().getOut().println(output.format());
            }
            return 0;
        }
    }
}
