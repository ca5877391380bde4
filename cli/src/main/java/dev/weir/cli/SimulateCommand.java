package dev.weir.cli;

import dev.weir.forecast.DefinitionChange;
import dev.weir.forecast.Forecast;
import dev.weir.forecast.ScenarioRunner;
import dev.weir.forecast.text.ForecastComparison;
import dev.weir.forecast.text.ForecastJson;
import dev.weir.forecast.text.ForecastText;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.json.JsonMapper;

/** The {@code weir simulate} command: runs a definition in virtual time with the production rules. */
@Command(
        name = "simulate",
        description = {
            "Simulate a workflow in virtual time with the production rules. Shows how long the runs take, how full the"
                    + " limits get, and what the steps wait for. Needs no server.",
            "",
            "Each step takes 1s unless --durations says otherwise. Gates are approved and signals arrive immediately."
                    + " If several limits hold a step, its waiting time counts for the limit that Weir names first."
        },
        footer = {
            "",
            "A durations file has an entry for a step, a module or default. Weir finds a file",
            "next to FILE by its name (order.durations.yaml for order.yaml):",
            "  label: 2s",
            "  pay: { min: 1s, max: 4s, fail: 0.1 }",
            "  reserve: { mean: 3s, jitter: 0.5, output: { parcels: [a, b, c] } }",
            "",
            "Examples:",
            "  weir simulate examples/order.yaml",
            "  weir simulate examples/order.yaml --runs 100 --every 2s --workers 20",
            "  weir simulate examples/order.yaml --runs 20 \\",
            "    --compare steps.pay.flow_control.billing-api.rate=2,5,10"
        })
@SuppressWarnings("NullAway.Init") // picocli writes the annotated fields
final class SimulateCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private OutputOptions output;

    @Parameters(paramLabel = "FILE", description = "The definition, YAML or JSON.")
    private Path file;

    @Option(names = "--runs", paramLabel = "N", defaultValue = "1", description = "The number of runs (default: 1).")
    private int runs;

    @Option(
            names = "--every",
            paramLabel = "DURATION",
            defaultValue = "0s",
            description = "The time between the starts of two runs (default: all at once).")
    private String every;

    @Option(
            names = "--workers",
            paramLabel = "N",
            description = "Maximum number of steps that workers execute at once (default: unlimited).")
    private @Nullable Integer workers;

    @Option(names = "--durations", paramLabel = "FILE", description = "Durations and outputs of steps.")
    private @Nullable Path durations;

    @Option(
            names = "--input",
            paramLabel = "JSON|@FILE",
            description = "The input of the runs, or a list of inputs to use in turn; @FILE reads it from a file."
                    + " Strings may contain $${{ run.id }} (default: sample data for the fields that the workflow"
                    + " reads).")
    private @Nullable String input;

    @Option(
            names = "--set",
            paramLabel = "PATH=VALUE",
            description = "Change the definition first; null removes a limit. Example: steps.label.concurrency=10")
    private List<String> sets = new ArrayList<>();

    @Option(
            names = "--compare",
            paramLabel = "PATH=V1,V2,...",
            description = "Also simulate with each of these values, and compare the results.")
    private List<String> compares = new ArrayList<>();

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "The seed of random values (default: 1).")
    private long seed;

    @Option(names = "--ascii", negatable = true, description = "Draw in ASCII (default: if the terminal lacks UTF-8).")
    private @Nullable Boolean ascii;

    @Option(names = "--width", paramLabel = "N", description = "Width in columns (default: the terminal's).")
    private @Nullable Integer width;

    @Override
    public Integer call() throws IOException {
        PrintWriter err = TerminalWriter.err(spec.commandLine());
        try {
            var subject = SimulationSubject.read(new SimulationSubject.Source(file, durations, input, sets));
            return simulate(subject);
        } catch (SimulationSubject.Refused refused) {
            refused.lines().forEach(err::println);
            return ExitCode.SOFTWARE;
        } catch (DefinitionChange.InvalidChange | SimulationSubject.InvalidOption | ScenarioRunner.RunRefused wrong) {
            throw new ParameterException(spec.commandLine(), String.valueOf(wrong.getMessage()), wrong);
        }
    }

    private int simulate(SimulationSubject subject) {
        PrintWriter out = spec.commandLine().getOut();
        Map<String, SimulationSubject> variants = new LinkedHashMap<>();
        for (String compare : compares) {
            for (List<DefinitionChange> variant : DefinitionChange.variants(compare)) {
                String name = variant.stream().map(DefinitionChange::toString).collect(Collectors.joining(" "));
                variants.put(name, subject.with(variant));
            }
        }
        Forecast base = forecast(subject);
        Map<String, Forecast> others = new LinkedHashMap<>();
        variants.forEach((name, variant) -> others.put(name, forecast(variant)));
        var comparison = new ForecastComparison(base, others);
        List<String> notes = subject.notes();
        switch (output.format()) {
            case JSON ->
                out.println(JsonMapper.shared()
                        .writerWithDefaultPrettyPrinter()
                        .writeValueAsString(
                                others.isEmpty() ? ForecastJson.of(base, notes) : comparison.toJson(notes)));
            case TEXT -> {
                PrintWriter page = TerminalWriter.out(spec.commandLine());
                ForecastText.page(base, notes, terminal()).forEach(page::println);
                comparison.tables(terminal()).forEach(page::println);
            }
        }
        out.flush();
        return base.end() == Forecast.End.DONE ? ExitCode.OK : ExitCode.SOFTWARE;
    }

    private Forecast forecast(SimulationSubject subject) {
        var options = new SimulationSubject.Options(runs, every, workers, seed);
        var progress = new SimulationProgress(spec.commandLine().getErr(), Terminal.isInteractive(), runs);
        try {
            return ScenarioRunner.run(subject.scenario(options), progress);
        } finally {
            progress.clear();
        }
    }

    private Terminal terminal() {
        int columns = width == null ? Terminal.detectWidth() : width;
        boolean unicode = ascii == null ? Terminal.detectUnicode() : !ascii;
        return new Terminal(
                columns, unicode, spec.commandLine().getColorScheme().ansi());
    }
}
