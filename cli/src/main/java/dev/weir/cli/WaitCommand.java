package dev.weir.cli;

import dev.weir.core.definition.DurationText;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The {@code weir wait} command: waits for the end of a run. */
@Command(
        name = "wait",
        description = "Wait until a run has ended, also while the server restarts.",
        footer = {
            "",
            "Examples:",
            "  weir wait order-7",
            "  weir wait order-7 --timeout 5m -o json",
            "",
            "The exit code is 0 if the run completes, 1 if it fails or has not ended in time, and 3 if it is cancelled."
        })
@SuppressWarnings("NullAway.Init") // picocli writes the annotated fields
final class WaitCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private ServerOptions remote;

    @Mixin
    private OutputOptions output;

    @Parameters(index = "0", paramLabel = "RUN", description = "The id of a run.")
    private String run;

    @Option(
            names = "--timeout",
            paramLabel = "DURATION",
            description = "Stop waiting after this time (default: wait as long as it takes).")
    private @Nullable String timeout;

    @Override
    public Integer call() throws Exception {
        Duration longest = timeout == null
                ? null
                : DurationText.parse(timeout)
                        .orElseThrow(() -> new ParameterException(
                                spec.commandLine(),
                                "--timeout: expected " + DurationText.EXPECTED + ", found '" + timeout + "'"));
        var printer = new ResultPrinter(spec.commandLine().getOut(), output);
        return RunEndPrinter.print(remote.retryingClient().awaitEnd(run, longest), printer);
    }
}
