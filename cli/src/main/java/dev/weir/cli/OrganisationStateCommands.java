package dev.weir.cli;

import dev.weir.api.Organisations;
import dev.weir.api.Organisations.Evaluation;
import dev.weir.api.Organisations.Snapshot;
import java.util.ArrayList;
import java.util.List;
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

/** The {@code weir org} commands: what concerns the token's organisation as a whole. */
@Command(
        name = "org",
        description = "Show usage, totals and quota of the organisation, or evaluate a start.",
        subcommands = {
            OrganisationStateCommands.Evaluate.class,
            OrganisationStateCommands.ShowSnapshot.class,
            QuotaCommands.OfToken.class
        },
        synopsisSubcommandLabel = "COMMAND",
        footer = {
            "",
            "Examples:",
            "  weir org snapshot",
            "  weir org evaluate orders --run-key customer-7",
            "  weir org quota --limit 100000 --time-zone Europe/Berlin"
        })
@SuppressWarnings("NullAway.Init") // picocli writes the annotated fields
final class OrganisationStateCommands implements Runnable {
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "expected a command: evaluate, snapshot or quota");
    }

    /** A command about the organisation of the token. */
    @SuppressWarnings("NullAway.Init") // picocli writes the annotated fields
    abstract static class StateCommand implements Callable<Integer> {
        @Spec
        CommandSpec spec;

        @Mixin
        ServerOptions remote;

        @Mixin
        OutputOptions output;

        ResultPrinter printer() {
            return new ResultPrinter(spec.commandLine().getOut(), output);
        }
    }

    /** The {@code weir org evaluate} command. */
    @Command(
            name = "evaluate",
            description = "Evaluate if a run could start now, by the rules that decide about real starts.",
            footer = {
                "",
                "Nothing is started. The command succeeds if the run could start, and fails with 1 otherwise.",
                "",
                "Examples:",
                "  weir org evaluate orders",
                "  weir org evaluate orders --input '{\"customer\": 7}' --parent order-12"
            })
    @SuppressWarnings("NullAway.Init") // picocli writes the annotated fields
    static final class Evaluate extends StateCommand {
        @Parameters(index = "0", paramLabel = "WORKFLOW", description = "The name of a workflow.")
        private String workflow;

        @Option(names = "--trigger", paramLabel = "ID", description = "The trigger that would start the run.")
        private @Nullable String trigger;

        @Option(names = "--parent", paramLabel = "RUN", description = "The run before it in its chain.")
        private @Nullable String parent;

        @Option(names = "--correlation-id", paramLabel = "RUN", description = "The run with which its chain began.")
        private @Nullable String correlationId;

        @Option(names = "--run-key", paramLabel = "KEY", description = "The run key (default: from the input).")
        private @Nullable String runKey;

        @Option(names = "--input", paramLabel = "JSON", description = "The input of the run.")
        private @Nullable String input;

        @Override
        public Integer call() throws Exception {
            JsonNode data = input == null ? null : JsonArgument.read(spec, "--input", input);
            Evaluation evaluation = remote.client()
                    .operations()
                    .evaluate(new Organisations.EvaluateRequest(
                            workflow, trigger, parent, correlationId, null, runKey, data));
            ResultPrinter printer = printer();
            if (!printer.json(evaluation)) {
                printer.line(text(evaluation));
            }
            return evaluation.allowed() ? ExitCode.OK : ExitCode.SOFTWARE;
        }

        private static String text(Evaluation evaluation) {
            if (evaluation.allowed()) {
                return "a run would start now";
            }
            return evaluation.deferSeconds() == null
                    ? "a run would not start: " + evaluation.reason()
                    : "a run would wait about " + evaluation.deferSeconds() + " s: " + evaluation.reason();
        }
    }

    /** The {@code weir org snapshot} command. */
    @Command(
            name = "snapshot",
            description = "Show usage, limits and totals of the organisation.",
            footer = {"", "Examples:", "  weir org snapshot", "  weir org snapshot -o json"})
    static final class ShowSnapshot extends StateCommand {
        @Override
        public Integer call() throws Exception {
            Snapshot snapshot = remote.client().operations().snapshot();
            ResultPrinter printer = printer();
            if (!printer.json(snapshot)) {
                print(printer, snapshot);
            }
            return ExitCode.OK;
        }

        private static void print(ResultPrinter printer, Snapshot snapshot) {
            Organisations.SnapshotLimits limits = snapshot.limits();
            List<List<String>> rows = new ArrayList<>();
            rows.add(List.of("", "NOW", "LIMIT"));
            rows.add(row("concurrent_runs", snapshot.concurrentRuns(), limits.maxConcurrentRuns()));
            rows.add(row("started_in_last_minute", snapshot.startedInLastMinute(), limits.runsPerMinute()));
            rows.add(row("waiting", snapshot.waiting(), limits.maxQueuedRuns()));
            rows.add(row("held", snapshot.held(), null));
            rows.add(row("started", snapshot.started(), null));
            rows.add(row("deferred", snapshot.deferred(), null));
            rows.add(row("debounced", snapshot.debounced(), null));
            rows.add(row("cascade_detected", snapshot.cascadeDetected(), limits.maxCascadeDepth()));
            printer.table(rows);
        }

        private static List<String> row(String name, @Nullable Long value, @Nullable Integer limit) {
            return List.of(name, ResultPrinter.textOrEmpty(value), ResultPrinter.textOrEmpty(limit));
        }
    }
}
