package dev.weir.cli;

import dev.weir.api.Modules.WorkerPage;
import dev.weir.api.Modules.WorkerView;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The {@code weir workers} command: lists the workers that were heard recently. */
@Command(
        name = "workers",
        description = {
            "List the workers that were heard in the last ten minutes, and those that hold claims.",
            "",
            "FREE is the number of steps that a worker would take now; it is empty while the worker does not poll."
        },
        footer = {"", "Examples:", "  weir workers", "  weir workers --prefix label- -o json"})
@SuppressWarnings("NullAway.Init") // picocli writes the annotated fields
final class WorkersCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private ServerOptions remote;

    @Mixin
    private OutputOptions output;

    @Option(
            names = "--prefix",
            paramLabel = "TEXT",
            defaultValue = "",
            description = "List only workers with this prefix.")
    private String prefix;

    @Option(names = "--cursor", paramLabel = "CURSOR", description = "Continue after the previous page.")
    private @Nullable String cursor;

    @Override
    public Integer call() throws Exception {
        WorkerPage found = remote.client().operations().workers(prefix, cursor);
        var printer = new ResultPrinter(spec.commandLine().getOut(), output);
        if (printer.json(found)) {
            return 0;
        }
        if (found.workers().isEmpty()) {
            printer.line("no workers were heard in the last ten minutes");
            return 0;
        }
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("WORKER", "RUNNING", "FREE", "SEEN", "SINCE", "MODULES"));
        found.workers().forEach(worker -> rows.add(row(worker)));
        printer.table(rows);
        if (found.next() != null) {
            printer.line("next page: --cursor " + found.next());
        }
        return 0;
    }

    private static List<String> row(WorkerView worker) {
        int unnamed = worker.moduleCount() - worker.modules().size();
        String modules = String.join(", ", worker.modules()) + (unnamed == 0 ? "" : " and " + unnamed + " more");
        return List.of(
                worker.worker(),
                String.valueOf(worker.running()),
                worker.polling() ? String.valueOf(worker.freePlaces()) : "",
                ResultPrinter.ago(worker.lastSeen()),
                ResultPrinter.ago(worker.since()),
                modules);
    }
}
