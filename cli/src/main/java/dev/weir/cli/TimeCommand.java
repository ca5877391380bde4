package dev.weir.cli;

import dev.weir.api.Times;
import dev.weir.forecast.text.HumanText;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The {@code weir time} command: shows where the time of a run went. */
@Command(
        name = "time",
        description = "Show how a run that has ended spent its time: on work, and waiting for what.",
        footer = {"", "Examples:", "  weir time order-7", "  weir time order-7 --steps"})
@SuppressWarnings("NullAway.Init") // picocli writes the annotated fields
final class TimeCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private ServerOptions remote;

    @Mixin
    private OutputOptions output;

    @Parameters(paramLabel = "RUN", description = "The id of a run that has ended.")
    private String run;

    @Option(names = "--steps", description = "Show every step, not only the critical path.")
    private boolean steps;

    @Override
    public Integer call() throws Exception {
        Times.RunTime time = remote.client().time(run);
        var printer = new ResultPrinter(spec.commandLine().getOut(), output);
        if (printer.json(time)) {
            return 0;
        }
        String total = HumanText.time(time.micros());
        printer.line(time.run() + " is " + time.state() + " after " + total + ": " + HumanText.time(time.work())
                + " of work");
        for (Times.Wait wait : time.waited()) {
            printer.line("  " + HumanText.time(wait.micros()) + " of " + total + " waiting for " + wait.message());
        }
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("STEP", "TOOK", "WORK", "WAITED FOR"));
        (steps ? time.steps() : time.path()).forEach(leg -> rows.add(row(leg)));
        printer.table(rows);
        return 0;
    }

    private static List<String> row(Times.Leg leg) {
        String name = leg.step() == null ? "(the run)" : StepArgument.format(leg.step(), leg.item());
        String waited = leg.waited().stream()
                .map(wait -> HumanText.time(wait.micros()) + " " + wait.message())
                .collect(Collectors.joining(", "));
        return List.of(name, HumanText.time(leg.micros()), HumanText.time(leg.work()), waited);
    }
}
