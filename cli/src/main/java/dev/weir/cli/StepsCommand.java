package dev.weir.cli;

import dev.weir.api.Runs.Items;
import dev.weir.api.Runs.RunView;
import dev.weir.api.Runs.StepView;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The {@code weir steps} command: shows a run and its steps. */
@Command(
        name = "steps",
        description = "Show a run and its steps, and why steps wait.",
        footer = {
            "",
            "Examples:",
            "  weir steps order-7",
            "  weir steps order-7 --watch",
            "",
            "With --watch, the exit code is 0 if the run completes, 1 if it fails, and 3 if it is cancelled."
        })
@SuppressWarnings("NullAway.Init") // picocli writes the annotated fields
final class StepsCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private ServerOptions remote;

    @Mixin
    private OutputOptions output;

    @Parameters(paramLabel = "RUN", description = "The id of a run.")
    private String run;

    @Option(names = "--watch", description = "Show changes until the run has ended.")
    private boolean watch;

    @Override
    public Integer call() throws Exception {
        if (watch) {
            return RunWatch.watch(remote.retryingClient(), run, WatchOutput.of(spec.commandLine(), output));
        }
        RunView view = remote.client().run(run);
        var printer = new ResultPrinter(spec.commandLine().getOut(), output);
        if (printer.json(view)) {
            return 0;
        }
        String reason = view.reason() == null ? "" : ": " + view.reason();
        printer.line(view.id() + " of " + view.workflow() + " v" + view.version() + " is " + view.state() + reason);
        if (view.deadline() != null && view.endedAt() == null) {
            printer.line("deadline: " + view.deadline().at()
                    + (view.deadline().near()
                            ? ", which is near; extend it with `weir extend " + view.id() + " 2h`"
                            : ""));
        }
        if (!view.steps().isEmpty()) {
            List<List<String>> rows = new ArrayList<>();
            rows.add(List.of("STEP", "STATE", "ATTEMPTS", "ITEMS", "WHY"));
            view.steps().forEach(step -> rows.add(row(step)));
            printer.table(rows);
        }
        return 0;
    }

    private static List<String> row(StepView step) {
        String why = step.reason() == null
                ? ResultPrinter.textOrEmpty(step.error())
                : step.reason().message();
        String state = step.held() ? step.state() + ", held" : step.state();
        String attempts =
                step.items() == null ? String.valueOf(step.attempts()) : ""; // items have attempts of their own
        return List.of(step.id(), state, attempts, items(step), why);
    }

    private static String items(StepView step) {
        Items items = step.items();
        return items == null ? "" : items.ended() + " of " + items.total() + ", " + items.inFlight() + " running";
    }
}
