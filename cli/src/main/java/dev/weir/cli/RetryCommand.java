package dev.weir.cli;

import dev.weir.api.Starts.RetryRequest;
import dev.weir.api.Starts.StartedRun;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The {@code weir retry} command: retries a run that failed or was cancelled. */
@Command(
        name = "retry",
        description = "Retry a run that failed or was cancelled. A new run keeps the completed steps of the old run and"
                + " executes the others.",
        footer = {
            "",
            "Examples:",
            "  weir retry order-7",
            "  weir retry order-7 --id order-7-again",
            "",
            "Without --id, the new run is order-7.retry-1. Repeating the command starts no second run."
        })
@SuppressWarnings("NullAway.Init") // picocli writes the annotated fields
final class RetryCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private ServerOptions remote;

    @Mixin
    private OutputOptions output;

    @Parameters(paramLabel = "RUN", description = "The id of a run that has ended.")
    private String run;

    @Option(names = "--id", paramLabel = "ID", description = "The id of the new run.")
    private @Nullable String id;

    @Override
    public Integer call() throws Exception {
        StartedRun started = remote.client().retry(run, new RetryRequest(id));
        var printer = new ResultPrinter(spec.commandLine().getOut(), output);
        if (!printer.json(started)) {
            String note = started.created() ? "retry of " + run + ", " : "already exists, ";
            printer.line(started.id() + ": " + note + started.state());
        }
        return ExitCode.OK;
    }
}
