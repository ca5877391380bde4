package dev.weir.cli;

import dev.weir.api.Starts.RefusedStart;
import dev.weir.api.Starts.RefusedStartPage;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The {@code weir refused} command: lists the starts of the inbox that could not be carried out. */
@Command(
        name = "refused",
        description = {
            "List starts that programs inserted in their own transactions and that Weir refused.",
            "",
            "The newest start comes first. Weir keeps the newest 1,000. BY is the database user who inserted the start."
        },
        footer = {"", "Examples:", "  weir refused", "  weir refused -o json"})
@SuppressWarnings("NullAway.Init") // picocli writes the annotated fields
final class RefusedStartsCommand implements Callable<Integer> {
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
        RefusedStartPage found = remote.client().operations().refusedStarts(cursor);
        var printer = new ResultPrinter(spec.commandLine().getOut(), output);
        if (printer.json(found)) {
            return 0;
        }
        if (found.refusedStarts().isEmpty()) {
            printer.line("no refused starts");
            return 0;
        }
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("RUN", "WORKFLOW", "BY", "WHEN", "WHY"));
        found.refusedStarts().forEach(start -> rows.add(row(start)));
        printer.table(rows);
        if (found.next() != null) {
            printer.line("next page: --cursor " + found.next());
        }
        return 0;
    }

    private static List<String> row(RefusedStart start) {
        return List.of(
                start.run(),
                start.workflow(),
                start.by(),
                ResultPrinter.ago(start.at()),
                start.reason() + ": " + start.message());
    }
}
