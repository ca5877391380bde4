package dev.weir.cli;

import dev.weir.api.Events.SchedulePage;
import dev.weir.api.Events.ScheduleView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The {@code weir schedules} command: lists the schedules of the newest versions. */
@Command(
        name = "schedules",
        description = "List schedules, with their next time and their last run.",
        footer = {"", "Examples:", "  weir schedules", "  weir schedules -o json"})
@SuppressWarnings("NullAway.Init") // picocli writes the annotated fields
final class SchedulesCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private ServerOptions remote;

    @Mixin
    private OutputOptions output;

    @Option(names = "--cursor", paramLabel = "CURSOR", description = "Continue after the previous page.")
    private @Nullable String cursor;

    @Override
    public Integer call() throws Exception {
        SchedulePage found = remote.client().events().schedules(cursor == null ? Map.of() : Map.of("cursor", cursor));
        var printer = new ResultPrinter(spec.commandLine().getOut(), output);
        if (printer.json(found)) {
            return 0;
        }
        if (found.schedules().isEmpty()) {
            printer.line("no schedules");
            return 0;
        }
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("WORKFLOW", "TRIGGER", "SCHEDULE", "TIME ZONE", "STATE", "NEXT", "LAST RUN"));
        found.schedules().forEach(schedule -> rows.add(row(schedule)));
        printer.table(rows);
        if (found.next() != null) {
            printer.line("next page: --cursor " + found.next());
        }
        return 0;
    }

    private static List<String> row(ScheduleView schedule) {
        String last = schedule.lastRun() == null ? "-" : schedule.lastRun();
        return List.of(
                schedule.workflow(),
                schedule.trigger(),
                schedule.schedule(),
                schedule.timezone(),
                schedule.state(),
                schedule.next().isEmpty() ? "never" : schedule.next().getFirst().toString(),
                schedule.problem() == null ? last : last + " (last start failed: " + schedule.problem() + ")");
    }
}
