package dev.weir.bench;

import dev.weir.bench.core.CoreBench;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The entry point of the {@code weir bench} command. */
@Command(
        name = "weir bench",
        description = "Measures Weir and says which goals it meets.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  weir bench core           the pure core alone: cost of a start, weight of a waiting step",
            "  weir bench core --quick   the same, shorter and rougher"
        })
@SuppressWarnings("NullAway.Init") // picocli writes the annotated fields
public final class Main implements Callable<Integer> {
    @Parameters(arity = "0..*", paramLabel = "NAME", description = "What to measure: core. Default: all.")
    private List<Name> names = List.of();

    @Option(names = "--quick", description = "Shorter rounds: a first look, not a figure to quote.")
    private boolean quick;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "text",
            description = "text or json. Default: text.")
    private Format format;

    /** The benchmarks there are. */
    enum Name {
        core
    }

    /** How results are printed. */
    enum Format {
        text,
        json
    }

    private Main() {}

    public static void main(String[] args) {
        System.exit(new CommandLine(new Main())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .execute(args));
    }

    @Override
    public Integer call() throws Exception {
        List<Goal> goals = new ArrayList<>();
        for (Name name : names.isEmpty() ? List.of(Name.values()) : names) {
            switch (name) {
                case core -> goals.addAll(CoreBench.run(quick));
            }
        }
        System.out.println(
                switch (format) {
                    case text ->
                        String.join("\n", goals.stream().map(Goal::line).toList());
                    case json -> Goal.json(goals);
                });
        return 0;
    }
}
