package dev.weir.cli;

import dev.weir.api.Starts.StartRunRequest;
import dev.weir.api.Starts.StartedRun;
import dev.weir.client.Client;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/** The {@code weir start} command: starts a run. */
@Command(
        name = "start",
        description = "Start a run of a workflow. If a limit is reached, the run is queued, not rejected.",
        footer = {
            "",
            "Examples:",
            "  weir start order_fulfillment --input '{\"order\": 7, \"customer\": \"ann\"}'",
            "  weir start order_fulfillment --input @order.json --id order-7 --wait",
            "  weir start nightly_import --key warehouse --parallelism 2",
            "  weir start order_fulfillment --id order-8 --watch",
            "",
            "With --wait or --watch, the exit code is 0 if the run completes, 1 if it fails, and 3 if it is cancelled.",
            "Interrupting the command does not stop the run."
        })
@SuppressWarnings("NullAway.Init") // picocli writes the annotated fields
final class StartCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private ServerOptions remote;

    @Mixin
    private OutputOptions output;

    @Parameters(paramLabel = "WORKFLOW", description = "The name of a registered workflow.")
    private String workflow;

    @Option(names = "--input", paramLabel = "JSON|@FILE", description = "The run's input; @FILE reads it from a file.")
    private @Nullable String input;

    @Option(
            names = "--id",
            paramLabel = "ID",
            description = "The run's id. Repeating the command with the same id starts no second run.")
    private @Nullable String id;

    @Option(names = "--priority", paramLabel = "N", description = "From -100 to 100; higher values go first.")
    private @Nullable Integer priority;

    @Option(names = "--label", paramLabel = "NAME=VALUE", description = "A label to find the run by.")
    private Map<String, String> labels = new TreeMap<>();

    @Option(names = "--delay", paramLabel = "DURATION", description = "Wait this long before the run may start.")
    private @Nullable String delay;

    @Option(
            names = "--target",
            paramLabel = "STEP",
            description = "Execute only this step and the steps that it needs. Repeat the option for several steps.")
    private @Nullable List<String> targets;

    @Mixin
    private FlowControlOptions flowControl;

    @Option(names = "--wait", description = "Wait until the run has ended.")
    private boolean untilEnd;

    @Option(
            names = "--correlation-id",
            paramLabel = "ID",
            description = "The id that the run shares with what led to it (default: the run's id).")
    private @Nullable String correlationId;

    @Option(
            names = "--watch",
            description = "Show the progress of each step, and what it waits for, until the run has ended.")
    private boolean watch;

    @Override
    public Integer call() throws Exception {
        var printer = new ResultPrinter(spec.commandLine().getOut(), output);
        Client client = remote.client();
        var request = new StartRunRequest(
                workflow,
                id,
                readInput(),
                priority,
                flowControl.block(spec),
                labels.isEmpty() ? null : labels,
                delay,
                targets,
                correlationId);
        StartedRun started = client.start(request);
        if (watch) {
            return RunWatch.watch(remote.retryingClient(), started.id(), WatchOutput.of(spec.commandLine(), output));
        }
        if (untilEnd) {
            return RunEndPrinter.print(remote.retryingClient().awaitEnd(started.id(), null), printer);
        }
        if (!printer.json(started)) {
            printer.line(started.id() + ": " + (started.created() ? "" : "already exists, ") + started.state());
        }
        return ExitCode.OK;
    }

    private @Nullable JsonNode readInput() throws IOException {
        return input == null ? null : JsonArgument.read(spec, "--input", input);
    }
}
