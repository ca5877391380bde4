package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

class StepArgumentTest {
    private final CommandSpec spec = new picocli.CommandLine(new StepCommands.Approve()).getCommandSpec();

    @Test
    void a_printed_step_can_be_passed_as_an_argument() {
        var item = new StepArgument("resize", 4);
        assertThat(item).hasToString("resize/4");
        assertThat(StepArgument.read(spec, item.toString(), null)).isEqualTo(item);
        var step = new StepArgument("resize", null);
        assertThat(step).hasToString("resize");
        assertThat(StepArgument.read(spec, step.toString(), null)).isEqualTo(step);
    }

    @Test
    void an_item_may_be_an_option_or_both_if_they_agree() {
        assertThat(StepArgument.read(spec, "resize", 4)).isEqualTo(new StepArgument("resize", 4));
        assertThat(StepArgument.read(spec, "resize/4", 4)).isEqualTo(new StepArgument("resize", 4));
        assertThatExceptionOfType(ParameterException.class)
                .isThrownBy(() -> StepArgument.read(spec, "resize/4", 5))
                .withMessage("STEP: expected one item, found resize/4 and --item 5");
    }

    @ParameterizedTest
    @ValueSource(strings = {"resize/", "resize/x", "resize/-1", "resize/+1", "resize/1/2", "resize/9999999999", "a/ 1"})
    void an_invalid_item_index_is_refused(String text) {
        assertThatExceptionOfType(ParameterException.class)
                .isThrownBy(() -> StepArgument.read(spec, text, null))
                .withMessage(
                        "STEP: expected an item index of at least 0 after the slash, such as resize/4, found " + text);
    }

    @Test
    void commands_about_whole_steps_accept_no_item() {
        for (List<String> command : List.of(
                List.of("approve", "r", "a/4"),
                List.of("revoke", "r", "a/4"),
                List.of("skip", "r", "a/4"),
                List.of("mend", "r", "1", "--step", "a/4"))) {
            assertThat(refused(command)).contains(command.get(0) + " applies to a whole step: expected a, found a/4");
        }
    }

    @Test
    void every_command_that_knows_items_refuses_two_of_them() {
        for (List<String> command : List.of(
                List.of("logs", "r", "a/4"),
                List.of("why", "r", "a/4"),
                List.of("input", "r", "a/4", "1"),
                List.of("abandon", "r", "a/4"))) {
            List<String> both = new ArrayList<>(command);
            both.addAll(List.of("--item", "5"));
            assertThat(refused(both)).contains("expected one item, found a/4 and --item 5");
        }
        assertThat(refused(List.of("why", "r", "--item", "5")))
                .contains("--item 5: expected a STEP as well, found none");
    }

    private static String refused(List<String> arguments) {
        var err = new StringWriter();
        List<String> all = new ArrayList<>(arguments);
        all.addAll(List.of("--url", "http://127.0.0.1:1", "--token", "none"));
        int status = Main.commandLine().setErr(new PrintWriter(err, true)).execute(all.toArray(String[]::new));
        assertThat(status).as(err.toString()).isEqualTo(2);
        return err.toString();
    }
}
