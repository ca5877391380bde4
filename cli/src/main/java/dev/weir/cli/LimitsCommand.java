package dev.weir.cli;

import dev.weir.api.Limits.DurationValue;
import dev.weir.api.Limits.LimitValue;
import dev.weir.api.Limits.RunLimitsRequest;
import dev.weir.api.Limits.RunLimitsView;
import dev.weir.client.Client;
import dev.weir.client.Operations;
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
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** The {@code weir limits} command: shows and changes the limits on runs of the organisation or of a workflow. */
@Command(
        name = "limits",
        description = {
            "Show the limits on runs of the organisation or of a workflow, or set values. Values of a workflow replace",
            "those of its definition. A run starts when all limits that apply admit it."
        },
        footer = {
            "",
            "Values apply at once to the runs of every version, also to queued runs, until they are cleared (none) or",
            "--for is over. A lower value stops nothing that runs.",
            "",
            "Examples:",
            "  weir limits",
            "  weir limits --max-concurrent-runs 50 --runs-per-minute 600",
            "  weir limits orders",
            "  weir limits orders --max-concurrent-runs 200 --for 2h",
            "  weir limits orders --max-concurrent-runs none",
            "  weir limits orders --run-key customer-7 --max-concurrent-runs 2",
            "  weir limits --notice-oldest-waiter 30m --notice-dead-letters 50"
        })
@SuppressWarnings("NullAway.Init") // picocli writes the annotated fields
final class LimitsCommand implements Callable<Integer> {
    /** The value of a threshold that is not set. */
    private static final String OF_NODE = "of the node";

    @Spec
    private CommandSpec spec;

    @Mixin
    private ServerOptions remote;

    @Mixin
    private OutputOptions output;

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "WORKFLOW",
            description = "The name of a workflow (default: the organisation).")
    private @Nullable String workflow;

    @Option(names = "--run-key", paramLabel = "KEY", description = "Only the runs of the workflow with this run key.")
    private @Nullable String runKey;

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

    @Option(
            names = "--max-queued-runs",
            paramLabel = "N|none",
            description = "Waiting runs at which further starts are refused (429).")
    private @Nullable String maxQueuedRuns;

    @Option(
            names = "--default-debounce",
            paramLabel = "DURATION|none",
            description = "Quiet period of triggers that define no debounce.")
    private @Nullable String defaultDebounce;

    @Option(
            names = "--notice-oldest-waiter",
            paramLabel = "DURATION|none",
            description = "Waiting time at which a notice is issued (only for the organisation).")
    private @Nullable String noticeOldestWaiter;

    @Option(
            names = "--notice-dead-letters",
            paramLabel = "N|none",
            description = "Open dead letters at which a notice is issued (only for the organisation).")
    private @Nullable String noticeDeadLetters;

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
                        maxConcurrentRuns,
                        runsPerMinute,
                        maxConcurrentRunsPerKey,
                        maxCascadeDepth,
                        maxQueuedRuns,
                        defaultDebounce,
                        noticeOldestWaiter,
                        noticeDeadLetters)
                .stream()
                .anyMatch(Objects::nonNull);
        if (!changes && (forTime != null || reason != null || ifVersion != null)) {
            throw new ParameterException(
                    spec.commandLine(), "expected a limit to change, such as --max-concurrent-runs 5, found none");
        }
        if (runKey != null && workflow == null) {
            throw new ParameterException(spec.commandLine(), "expected a WORKFLOW with --run-key, found none");
        }
        RunLimitsView view = changes ? change(client.operations()) : show(client.operations());
        var printer = new ResultPrinter(spec.commandLine().getOut(), output);
        if (!printer.json(view)) {
            print(printer, view);
        }
        return ExitCode.OK;
    }

    private RunLimitsView show(Operations operations) throws InterruptedException {
        if (workflow == null) {
            return operations.organisationLimits();
        }
        return runKey == null ? operations.workflowLimits(workflow) : operations.runKeyLimits(workflow, runKey);
    }

    private RunLimitsView change(Operations operations) throws InterruptedException {
        if (workflow == null) {
            return operations.changeOrganisationLimits(request(), ifVersion);
        }
        return runKey == null
                ? operations.changeWorkflowLimits(workflow, request(), ifVersion)
                : operations.changeRunKeyLimits(workflow, runKey, request(), ifVersion);
    }

    private RunLimitsRequest request() {
        return new RunLimitsRequest(
                CountArgument.read(spec, "--max-concurrent-runs", maxConcurrentRuns),
                CountArgument.read(spec, "--runs-per-minute", runsPerMinute),
                CountArgument.read(spec, "--max-concurrent-runs-per-key", maxConcurrentRunsPerKey),
                CountArgument.read(spec, "--max-cascade-depth", maxCascadeDepth),
                CountArgument.read(spec, "--max-queued-runs", maxQueuedRuns),
                duration(defaultDebounce),
                duration(noticeOldestWaiter),
                CountArgument.read(spec, "--notice-dead-letters", noticeDeadLetters),
                forTime,
                reason);
    }

    private static @Nullable JsonNode duration(@Nullable String text) {
        if (text == null) {
            return null;
        }
        return text.equals("none") ? JsonNodeFactory.instance.nullNode() : JsonNodeFactory.instance.stringNode(text);
    }

    private static void print(ResultPrinter printer, RunLimitsView view) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("LIMIT", "IN FORCE", "DEFINED", "SET", "USED"));
        rows.add(row("max_concurrent_runs", view.maxConcurrentRuns()));
        rows.add(row("runs_per_minute", view.runsPerMinute()));
        if (view.maxConcurrentRunsPerKey() != null) {
            rows.add(row("max_concurrent_runs_per_key", view.maxConcurrentRunsPerKey()));
        }
        if (view.maxCascadeDepth() != null) {
            rows.add(row("max_cascade_depth", view.maxCascadeDepth()));
        }
        rows.add(row("max_queued_runs", view.maxQueuedRuns()));
        if (view.defaultDebounce() != null) {
            rows.add(row("default_debounce", view.defaultDebounce(), "none"));
        }
        if (view.noticeOldestWaiter() != null && view.noticeDeadLetters() != null) {
            rows.add(row("notice_oldest_waiter", view.noticeOldestWaiter(), OF_NODE));
            rows.add(row("notice_dead_letters", view.noticeDeadLetters(), OF_NODE));
        }
        printer.table(rows);
        printer.line(view.waiting() + (view.waiting() == 1 ? " run waits" : " runs wait")
                + " for these limits; version " + view.version()
                + (view.changedAt() == null ? "" : ", changed " + ResultPrinter.ago(view.changedAt()))
                + (view.reason() == null ? "" : ": " + view.reason()));
        if (view.quota() != null) {
            printer.line(QuotaCommands.describe(view.quota()));
        }
        if (view.warning() != null) {
            printer.line("warning: " + view.warning());
        }
    }

    private static List<String> row(String name, DurationValue value, String unset) {
        String until = value.until() == null
                ? ""
                : " until " + value.until() + (value.lasting() == null ? "" : ", then " + value.lasting());
        String set = ResultPrinter.textOrEmpty(value.effective());
        return List.of(name, set.isEmpty() ? unset : set, "", set + until, "");
    }

    private static List<String> row(String name, LimitValue value) {
        return row(name, value, "unlimited");
    }

    /** Returns a row; {@code unset} stands for a value that nobody has set. */
    private static List<String> row(String name, LimitValue value, String unset) {
        String until = value.until() == null
                ? ""
                : " until " + value.until() + (value.lasting() == null ? "" : ", then " + value.lasting());
        return List.of(
                name,
                value.effective() == null ? unset : String.valueOf(value.effective()),
                ResultPrinter.textOrEmpty(value.defined()),
                ResultPrinter.textOrEmpty(value.set()) + until,
                ResultPrinter.textOrEmpty(value.used()));
    }
}
