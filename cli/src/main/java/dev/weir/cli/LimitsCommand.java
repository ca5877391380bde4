package dev.weir.cli;

import dev.weir.api.Limits.LimitValue;
import dev.weir.api.Limits.RunLimitsRequest;
import dev.weir.api.Limits.RunLimitsView;
import dev.weir.client.Client;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The {@code weir limits} command: shows and changes the limits on runs of a workflow. */
@Command(
        name = "limits",
        description = "Show the limits on runs of a workflow, or set values that replace those of its definition.",
        footer = {
            "",
            "Values apply at once to the runs of every version, also to queued runs, until they are cleared (none) or",
            "--for is over. A lower value stops nothing that runs.",
            "",
            "Examples:",
            "  weir limits orders",
            "  weir limits orders --max-concurrent-runs 200 --for 2h --reason 'catch up'",
            "  weir limits orders --max-concurrent-runs none"
        })
@SuppressWarnings("NullAway.Init") // picocli writes the annotated fields
final class LimitsCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private ServerOptions remote;

    @Mixin
    private OutputOptions output;

    @Parameters(index = "0", paramLabel = "WORKFLOW", description = "The name of a workflow.")
    private String workflow;

    @Option(names = "--max-concurrent-runs", paramLabel = "N|none", description = "Runs at once.")
    private @Nullable String maxConcurrentRuns;

    @Option(names = "--runs-per-minute", paramLabel = "N|none", description = "Runs that start in any minute.")
    private @Nullable String runsPerMinute;

    @Option(
            names = "--max-concurrent-runs-per-key",
            paramLabel = "N|none",
            description = "Runs at once that have the same run key.")
    private @Nullable String maxConcurrentRunsPerKey;

    @Option(
            names = "--max-cascade-depth",
            paramLabel = "N|none",
            description = "Longest chain of runs that start each other.")
    private @Nullable String maxCascadeDepth;

    @Option(names = "--for", paramLabel = "DURATION", description = "End the new values after this time.")
    private @Nullable String forTime;

    @Option(names = "--reason", paramLabel = "TEXT", description = "The reason, stored with the values.")
    private @Nullable String reason;

    @Option(
            names = "--if-version",
            paramLabel = "N",
            description = "Change nothing if the limits have another version.")
    private @Nullable Long ifVersion;

    @Override
    public Integer call() throws Exception {
        Client client = remote.client();
        boolean changes = Arrays.<@Nullable Object>asList(
                        maxConcurrentRuns, runsPerMinute, maxConcurrentRunsPerKey, maxCascadeDepth)
                .stream()
                .anyMatch(Objects::nonNull);
        if (!changes && (forTime != null || reason != null || ifVersion != null)) {
            throw new ParameterException(
                    spec.commandLine(), "expected a limit to change, such as --max-concurrent-runs 5, found none");
        }
        RunLimitsView view = changes
                ? client.operations().changeWorkflowLimits(workflow, request(), ifVersion)
                : client.operations().workflowLimits(workflow);
        var printer = new ResultPrinter(spec.commandLine().getOut(), output);
        if (!printer.json(view)) {
            print(printer, view);
        }
        return ExitCode.OK;
    }

    private RunLimitsRequest request() {
        return new RunLimitsRequest(
                CountArgument.read(spec, "--max-concurrent-runs", maxConcurrentRuns),
                CountArgument.read(spec, "--runs-per-minute", runsPerMinute),
                CountArgument.read(spec, "--max-concurrent-runs-per-key", maxConcurrentRunsPerKey),
                CountArgument.read(spec, "--max-cascade-depth", maxCascadeDepth),
                forTime,
                reason);
    }

    private static void print(ResultPrinter printer, RunLimitsView view) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("LIMIT", "IN FORCE", "DEFINED", "SET", "USED"));
        rows.add(row("max_concurrent_runs", view.maxConcurrentRuns()));
        rows.add(row("runs_per_minute", view.runsPerMinute()));
        rows.add(row("max_concurrent_runs_per_key", view.maxConcurrentRunsPerKey()));
        rows.add(row("max_cascade_depth", view.maxCascadeDepth()));
        printer.table(rows);
        printer.line(view.waiting() + (view.waiting() == 1 ? " run waits" : " runs wait")
                + " for these limits; version " + view.version()
                + (view.changedAt() == null ? "" : ", changed " + ResultPrinter.ago(view.changedAt()))
                + (view.reason() == null ? "" : ": " + view.reason()));
        if (view.warning() != null) {
            printer.line("warning: " + view.warning());
        }
    }

    private static List<String> row(String name, LimitValue value) {
        String until = value.until() == null
                ? ""
                : " until " + value.until() + (value.lasting() == null ? "" : ", then " + value.lasting());
        return List.of(
                name,
                value.effective() == null ? "unlimited" : String.valueOf(value.effective()),
                ResultPrinter.textOrEmpty(value.defined()),
                ResultPrinter.textOrEmpty(value.set()) + until,
                ResultPrinter.textOrEmpty(value.used()));
    }
}
