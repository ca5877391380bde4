package dev.weir.cli;

import dev.weir.api.Keys.KeyRequest;
import dev.weir.api.Keys.PinRequest;
import dev.weir.api.Limits.RunLimitsRequest;
import dev.weir.api.WhatIf;
import dev.weir.api.WhatIf.Answer;
import dev.weir.api.WhatIf.Change;
import dev.weir.api.WhatIf.LimitsChange;
import dev.weir.api.WhatIf.Prediction;
import dev.weir.forecast.text.HumanText;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** The {@code weir what-if} command: predicts when the waiting work is done, now and with a change of limits. */
@Command(
        name = "what-if",
        description = {
            "Predict when the waiting work of the organisation is started, how long the longest wait is and which limit",
            "holds it, now and with a change of limits. Nothing is changed."
        },
        footer = {
            "",
            "The node runs a copy of the waiting work in virtual time. It assumes that no new runs arrive, and that each",
            "step takes as long as it did lately; -o json lists what was assumed.",
            "",
            "Examples:",
            "  weir what-if",
            "  weir what-if --pin billing-api --parallelism 20",
            "  weir what-if --pin billing-api --rate 100 --period 1m --for 1h",
            "  weir what-if --pause gpu-pool --for 30m",
            "  weir what-if --workflow orders --max-concurrent-runs 200",
            "  weir what-if --runs-per-minute none"
        })
@SuppressWarnings("NullAway.Init") // picocli writes the annotated fields
final class WhatIfCommand implements Callable<Integer> {
    private static final long MICROS_PER_SECOND = 1_000_000;

    @Spec
    private CommandSpec spec;

    @Mixin
    private ServerOptions remote;

    @Mixin
    private OutputOptions output;

    @ArgGroup(multiplicity = "0..1")
    private @Nullable KeyChoice key;

    /** The key that is changed, and how. */
    private static final class KeyChoice {
        @Option(names = "--pin", paramLabel = "KEY", description = "Pin values of this key.")
        private @Nullable String pin;

        @Option(names = "--unpin", paramLabel = "KEY", description = "Unpin this key.")
        private @Nullable String unpin;

        @Option(names = "--pause", paramLabel = "KEY", description = "Pause this key.")
        private @Nullable String pause;

        @Option(names = "--resume", paramLabel = "KEY", description = "Resume this key.")
        private @Nullable String resume;
    }

    @Option(names = "--parallelism", paramLabel = "N|none", description = "With --pin: steps at once.")
    private @Nullable String parallelism;

    @Option(names = "--rate", paramLabel = "N|none", description = "With --pin: starts in a period.")
    private @Nullable String rate;

    @Option(names = "--period", paramLabel = "DURATION", description = "With --pin: the period of the rate.")
    private @Nullable String period;

    @Option(
            names = "--workflow",
            paramLabel = "NAME",
            description = "Limits of this workflow (default: the organisation).")
    private @Nullable String workflow;

    @Option(names = "--run-key", paramLabel = "KEY", description = "Limits of this run key of the workflow.")
    private @Nullable String runKey;

    @Option(names = "--max-concurrent-runs", paramLabel = "N|none", description = "Runs at once.")
    private @Nullable String maxConcurrentRuns;

    @Option(names = "--runs-per-minute", paramLabel = "N|none", description = "Runs that start in any minute.")
    private @Nullable String runsPerMinute;

    @Option(
            names = "--max-concurrent-runs-per-key",
            paramLabel = "N|none",
            description = "Runs at once that have the same run key.")
    private @Nullable String maxConcurrentRunsPerKey;

    @Option(names = "--for", paramLabel = "DURATION", description = "End the change after this time.")
    private @Nullable String forTime;

    @Override
    public Integer call() throws Exception {
        Answer answer = remote.client().operations().whatIf(new WhatIf.WhatIfRequest(change()));
        var printer = new ResultPrinter(spec.commandLine().getOut(), output);
        if (!printer.json(answer)) {
            print(printer, answer);
        }
        return ExitCode.OK;
    }

    private @Nullable Change change() {
        boolean limits = anyGiven(maxConcurrentRuns, runsPerMinute, maxConcurrentRunsPerKey);
        boolean values = anyGiven(parallelism, rate, period);
        if (key != null && limits) {
            throw refusal("expected one change, found one of a key and one of limits on runs");
        }
        if (values && (key == null || key.pin == null)) {
            throw refusal("expected --pin KEY with --parallelism, --rate and --period, found none");
        }
        if (anyGiven(workflow, runKey) && !limits) {
            throw refusal("expected a limit to change, such as --max-concurrent-runs 5, found none");
        }
        if (key != null) {
            return keyChange(key);
        }
        if (!limits) {
            return null;
        }
        var request = new RunLimitsRequest(
                CountArgument.read(spec, "--max-concurrent-runs", maxConcurrentRuns),
                CountArgument.read(spec, "--runs-per-minute", runsPerMinute),
                CountArgument.read(spec, "--max-concurrent-runs-per-key", maxConcurrentRunsPerKey),
                null,
                null,
                null,
                null,
                null,
                forTime,
                null);
        return new Change(null, null, null, null, new LimitsChange(workflow, runKey, request));
    }

    private Change keyChange(KeyChoice choice) {
        if (choice.pin != null) {
            JsonNode length = period == null ? null : JsonNodeFactory.instance.stringNode(period);
            var pin = new PinRequest(
                    choice.pin,
                    null,
                    forTime,
                    CountArgument.read(spec, "--parallelism", parallelism),
                    CountArgument.read(spec, "--rate", rate),
                    length,
                    null);
            return new Change(pin, null, null, null, null);
        }
        if (choice.pause != null) {
            return new Change(null, null, new KeyRequest(choice.pause, null, forTime), null, null);
        }
        return choice.unpin != null
                ? new Change(null, new KeyRequest(choice.unpin, null, null), null, null, null)
                : new Change(null, null, null, new KeyRequest(String.valueOf(choice.resume), null, null), null);
    }

    private static boolean anyGiven(@Nullable String... values) {
        return Arrays.stream(values).anyMatch(Objects::nonNull);
    }

    private ParameterException refusal(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    private static void print(ResultPrinter printer, Answer answer) {
        printer.line(
                answer.backlog().waiting() + " waiting, of " + answer.backlog().runs() + " unfinished runs"
                        + (answer.backlog().oneIn() == null
                                ? ""
                                : "; predicted from one in " + answer.backlog().oneIn()));
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("", "EMPTY", "IN", "LONGEST WAIT", "STILL WAITING", "HELD BY"));
        rows.add(row("now", answer.at(), answer.present()));
        if (answer.changed() != null) {
            rows.add(row("with the change", answer.at(), answer.changed()));
        }
        printer.table(rows);
        Prediction last = answer.changed() == null ? answer.present() : answer.changed();
        if (last.nextLimit() != null) {
            printer.line("next limit: " + last.nextLimit().name());
        }
        answer.assumptions().notes().forEach(note -> printer.line("assumed: " + note));
    }

    private static List<String> row(String name, Instant begin, Prediction prediction) {
        Instant empty = prediction.target() == null
                ? prediction.drainedAt()
                : prediction.target().emptyAt();
        Double wait = prediction.longestWaitSeconds();
        return List.of(
                name,
                empty == null
                        ? prediction.end().equals("cut_off") ? "not by " + prediction.until() : "never"
                        : empty.toString(),
                empty == null
                        ? ""
                        : HumanText.time(Duration.between(begin, empty).toMillis() * 1_000),
                wait == null ? "" : HumanText.time(Math.round(wait * MICROS_PER_SECOND)),
                String.valueOf(prediction.waiting()),
                prediction.heldBy().isEmpty()
                        ? ""
                        : prediction.heldBy().getFirst().name());
    }
}
