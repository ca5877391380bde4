package dev.weir.cli;

import dev.weir.api.Runs.OutputRequest;
import dev.weir.api.Runs.RunAction;
import dev.weir.api.Runs.StepAction;
import dev.weir.client.Client;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/** The {@code weir mend} command: corrects a run's input or a step's output for which the run waits. */
@Command(
        name = "mend",
        description = {
            "Correct a run's input, or with --step the output of a step.",
            "",
            "You can correct the input before the run has started or while a step lacks input, and an output while a"
                    + " step waits for it. `weir why` then shows the reason missing_input or invalid_artifact."
        },
        footer = {
            "",
            "Examples:",
            "  weir mend order-7 '{\"order\": 7}'",
            "  weir mend order-7 --step reserve '{\"parcels\": [1, 2]}' --by ann"
        })
@SuppressWarnings("NullAway.Init") // picocli writes the annotated fields
final class AmendCommands implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private ServerOptions remote;

    @Mixin
    private OutputOptions output;

    @Parameters(index = "0", paramLabel = "RUN", description = "The id of a run.")
    private String run;

    @Parameters(
            index = "1",
            paramLabel = "JSON|@FILE",
            description = "The corrected value; @FILE reads it from a file.")
    private String value;

    @Option(names = "--step", paramLabel = "STEP", description = "The step whose output to correct.")
    private @Nullable String step;

    @Option(names = "--by", paramLabel = "NAME", description = "With --step: who corrects the output.")
    private @Nullable String by;

    @Override
    public Integer call() throws Exception {
        JsonNode json = JsonArgument.read(spec, "JSON", value);
        String stepId = step == null ? null : StepArgument.readStep(spec, step);
        Client client = remote.client();
        var printer = new ResultPrinter(spec.commandLine().getOut(), output);
        if (stepId == null) {
            RunAction answer = client.amendInput(run, json);
            if (!printer.json(answer)) {
                printer.line(run + ": " + ResultPrinter.actionAndState("input corrected", answer.state()));
            }
        } else {
            StepAction answer = client.amendOutput(run, stepId, new OutputRequest(json, by));
            if (!printer.json(answer)) {
                printer.line(
                        run + "/" + stepId + ": " + ResultPrinter.actionAndState("output corrected", answer.state()));
            }
        }
        return 0;
    }
}
