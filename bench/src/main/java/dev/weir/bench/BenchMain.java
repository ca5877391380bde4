package dev.weir.bench;

import dev.weir.bench.core.CoreBench;
import dev.weir.bench.core.WhyBench;
import dev.weir.bench.database.ConsoleBench;
import dev.weir.bench.database.FanOutBench;
import dev.weir.bench.database.HttpBench;
import dev.weir.bench.database.IdleBench;
import dev.weir.bench.database.KeyPageBench;
import dev.weir.bench.database.NeighbourBench;
import dev.weir.bench.database.StartTimeBench;
import dev.weir.bench.database.StreamBench;
import dev.weir.bench.database.Throughput;
import dev.weir.bench.database.WaitingBench;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The entry point of the {@code weir bench} command. */
@Command(
        name = "weir bench",
        description = "Measure Weir, and show which goals it meets.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  weir bench floor          jobs per second, relative to PostgreSQL's minimum",
            "  weir bench core           the core alone: cost of a start, memory per step",
            "  weir bench http           client, node and PostgreSQL, relative to the engine in process",
            "  weir bench neighbour      delay that a large organisation causes in another one",
            "  weir bench core --quick   the same, shorter and less precise"
        })
@SuppressWarnings("NullAway.Init") // picocli writes the annotated fields
public final class BenchMain implements Callable<Integer> {
    @Parameters(
            arity = "0..*",
            paramLabel = "NAME",
            description =
                    "What to measure: core, floor, org-limits, dbos, db-scheduler, keys, limit10, backlog, latency, history, snapshot, open, why, large, keys-page, http, neighbour, organisations, console, streams, start. Default: all.")
    private List<String> names = List.of();

    @Spec
    private CommandSpec spec;

    @Option(names = "--quick", description = "Shorter rounds, for a first impression; do not quote the results.")
    private boolean quick;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "text",
            description = "The output format: text or json (default: text).")
    private Format format;

    /** The benchmarks. */
    enum Name {
        core("core"),
        floor("floor"),
        organisationLimits("org-limits"),
        dbos("dbos"),
        dbScheduler("db-scheduler"),
        keys("keys"),
        limit10("limit10"),
        backlog("backlog"),
        latency("latency"),
        history("history"),
        snapshot("snapshot"),
        open("open"),
        why("why"),
        large("large"),
        keysPage("keys-page"),
        http("http"),
        neighbour("neighbour"),
        organisations("organisations"),
        console("console"),
        streams("streams"),
        start("start");

        private final String title;

        Name(String title) {
            this.title = title;
        }

        static Name of(String title, CommandSpec spec) {
            for (Name name : values()) {
                if (name.title.equals(title)) {
                    return name;
                }
            }
            throw new ParameterException(spec.commandLine(), "expected one of " + titles() + ", found '" + title + "'");
        }

        static String titles() {
            return Arrays.stream(values()).map(name -> name.title).collect(Collectors.joining(", "));
        }
    }

    /** The output formats. */
    enum Format {
        text,
        json
    }

    private BenchMain() {}

    public static void main(String[] args) {
        System.exit(new CommandLine(new BenchMain())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .execute(args));
    }

    @Override
    public Integer call() throws Exception {
        List<Name> chosen = names.stream().map(title -> Name.of(title, spec)).toList();
        if (chosen.size() == 1) {
            System.err.println(chosen.getFirst().title + ":");
            List<Goal> goals = run(chosen.getFirst());
            System.out.println(
                    switch (format) {
                        case text ->
                            String.join("\n", goals.stream().map(Goal::line).toList());
                        case json -> Goal.json(goals);
                    });
            return 0;
        }
        List<String> printed = new ArrayList<>();
        for (Name name : chosen.isEmpty() ? List.of(Name.values()) : chosen) {
            printed.add(runInOwnProcess(name));
        }
        System.out.println(
                switch (format) {
                    case text -> String.join("\n", printed);
                    case json -> Goal.join(printed);
                });
        return 0;
    }

    /** Runs one of several benchmarks in a process of its own. */
    private String runInOwnProcess(Name name) throws Exception {
        List<String> arguments = new ArrayList<>(List.of(name.title, "-o", format.name()));
        if (quick) {
            arguments.add("--quick");
        }
        return SeparateProcess.run(arguments);
    }

    private List<Goal> run(Name name) throws Exception {
        var throughput = new Throughput(quick);
        var waiting = new WaitingBench(quick);
        return switch (name) {
            case core -> CoreBench.run(quick);
            case floor -> throughput.floor();
            case organisationLimits -> throughput.organisationLimits();
            case dbos -> throughput.dbos();
            case dbScheduler -> throughput.dbScheduler();
            case keys -> throughput.keys();
            case limit10 -> throughput.limit10();
            case snapshot -> throughput.snapshot();
            case history -> throughput.history();
            case latency -> waiting.latency();
            case backlog -> waiting.backlog();
            case open -> waiting.open();
            case why -> WhyBench.why(quick);
            case large -> new FanOutBench(quick).run();
            case keysPage -> new KeyPageBench(quick).run();
            case http -> new HttpBench(quick).run();
            case neighbour -> new NeighbourBench(quick).run();
            case organisations -> new IdleBench(quick).run();
            case console -> new ConsoleBench(quick).run();
            case streams -> new StreamBench(quick).run();
            case start -> new StartTimeBench(quick).run();
        };
    }
}
