package dev.weir.cli;

import dev.weir.api.Runs.RunNowAnswer;
import dev.weir.api.Runs.RunNowRequest;
import dev.weir.api.Why;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The {@code weir run-step} command: puts a waiting step ahead of all others. */
@Command(
        name = "run-step",
        description = "Put a waiting step ahead of all others. The next worker of its module gets it as soon as its"
                + " limits allow; no limit is exceeded.",
        footer = {
            "",
            "Examples:",
            "  weir run-step order-7 pay --reason 'the customer waits'",
            "  weir run-step order-7 resize/4"
        })
@SuppressWarnings("NullAway.Init") // picocli writes the annotated fields
final class RunStepCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private ServerOptions remote;

    @Mixin
    private OutputOptions output;

    @Parameters(index = "0", paramLabel = "RUN", description = "The id of a run.")
    private String run;

    @Parameters(index = "1", paramLabel = "STEP", description = "The id of a step of the run.")
    private String step;

    @Option(
            names = "--item",
            paramLabel = "N",
            description = "The index of an item, for a step with items. STEP/N means the same.")
    private @Nullable Integer item;

    @Option(names = "--reason", paramLabel = "TEXT", description = "The reason, for the audit.")
    private @Nullable String reason;

    @Override
    public Integer call() throws Exception {
        StepArgument target = StepArgument.read(spec, step, item);
        RunNowAnswer answer =
                remote.client().operations().runNow(run, target.step(), new RunNowRequest(target.item(), reason));
        var printer = new ResultPrinter(spec.commandLine().getOut(), output);
        if (!printer.json(answer)) {
            printer.line(run + "/" + target + ": " + describe(answer));
            for (Why.Reason each : answer.reasons()) {
                printer.line("  " + each.reason() + ": " + each.message());
            }
        }
        return 0;
    }

    private static String describe(RunNowAnswer answer) {
        return switch (answer.outcome()) {
            case "granted" -> "a worker has it";
            case "no_worker" -> "first in the queue; the next worker of its module gets it";
            default -> "first in the queue; it starts as soon as its limits have room";
        };
    }
}
