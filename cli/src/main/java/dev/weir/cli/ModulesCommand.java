package dev.weir.cli;

import dev.weir.api.Modules.ModulePage;
import dev.weir.api.Modules.ModuleView;
import dev.weir.client.Client;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The {@code weir modules} command: shows which modules need workers, and which are held by limits. */
@Command(
        name = "modules",
        description = {
            "List modules, or show one: what is ready, what limits hold, and who works.",
            "",
            "READY counts steps that lack only a worker: more workers start them at once. HELD counts steps that",
            "limits hold, by kind of limit: more workers change nothing. FREE is the number of steps that the polling",
            "workers would take now."
        },
        footer = {
            "",
            "Examples:",
            "  weir modules",
            "  weir modules shipping.label",
            "  weir modules --prefix shipping. -o json"
        })
@SuppressWarnings("NullAway.Init") // picocli writes the annotated fields
final class ModulesCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private ServerOptions remote;

    @Mixin
    private OutputOptions output;

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "MODULE",
            description = "The module (default: list all modules).")
    private @Nullable String module;

    @Option(
            names = "--prefix",
            paramLabel = "TEXT",
            defaultValue = "",
            description = "List only modules with this prefix.")
    private String prefix;

    @Option(names = "--cursor", paramLabel = "CURSOR", description = "Continue after the previous page.")
    private @Nullable String cursor;

    @Override
    public Integer call() throws Exception {
        Client client = remote.client();
        var printer = new ResultPrinter(spec.commandLine().getOut(), output);
        if (module == null) {
            list(printer, client.operations().modules(prefix, cursor));
            return 0;
        }
        ModuleView view = client.operations().module(module);
        if (!printer.json(view)) {
            printer.table(List.of(heading(), row(view)));
        }
        return 0;
    }

    private static void list(ResultPrinter printer, ModulePage found) {
        if (printer.json(found)) {
            return;
        }
        if (found.modules().isEmpty()) {
            printer.line("no modules in use");
            return;
        }
        List<List<String>> rows = new ArrayList<>();
        rows.add(heading());
        found.modules().forEach(view -> rows.add(row(view)));
        printer.table(rows);
        if (found.next() != null) {
            printer.line("next page: --cursor " + found.next());
        }
    }

    private static List<String> heading() {
        return List.of("MODULE", "READY", "OLDEST", "RUNNING", "WORKERS", "FREE", "HELD");
    }

    private static List<String> row(ModuleView view) {
        return List.of(
                view.module(),
                String.valueOf(view.ready()),
                ResultPrinter.ago(view.oldestReadySince()),
                String.valueOf(view.running()),
                view.builtIn() ? "built in" : String.valueOf(view.pollingWorkers()),
                view.builtIn() ? "" : String.valueOf(view.freePlaces()),
                held(view.held()));
    }

    /** Returns the held steps by kind: {@code 4110 key_capacity, 3 run}. */
    private static String held(Map<String, Long> held) {
        return held.entrySet().stream()
                .map(kind -> kind.getValue() + " " + kind.getKey())
                .collect(Collectors.joining(", "));
    }
}
