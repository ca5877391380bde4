package dev.weir.cli;

import dev.weir.api.Keys.KeyHistory;
import dev.weir.api.Keys.KeySample;
import dev.weir.forecast.text.HumanText;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.ToLongFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The {@code weir keys history} command: shows the last hour of a key. */
@Command(
        name = "history",
        description = {
            "Show the use of a key in the last hour: a column for each minute.",
            "",
            "The node keeps this history in memory, from its last start. -o json has a sample for every 10 s."
        },
        footer = {
            "",
            "Example:",
            "  weir keys history billing-api",
            "",
            "To show a key that is itself named history, use `weir keys -- history`."
        })
@SuppressWarnings("NullAway.Init") // picocli writes the annotated fields
final class KeyHistoryCommand implements Callable<Integer> {
    private static final int MINUTES = 60;
    private static final String UNICODE_BARS = " ▁▂▃▄▅▆▇█";
    private static final String ASCII_BARS = " .:-=+*#@";

    @Spec
    private CommandSpec spec;

    @Mixin
    private ServerOptions remote;

    @Mixin
    private OutputOptions output;

    @Parameters(paramLabel = "KEY", description = "The key.")
    private String key;

    @Override
    public Integer call() throws Exception {
        KeyHistory history = remote.client().operations().keyHistory(key);
        var printer = new ResultPrinter(spec.commandLine().getOut(), output);
        if (!printer.json(history)) {
            chart(history, Instant.now(), Terminal.detectUnicode()).forEach(printer::line);
        }
        return 0;
    }

    /** Returns the lines of the chart. */
    static List<String> chart(KeyHistory history, Instant now, boolean unicode) {
        if (history.samples().isEmpty()) {
            return List.of(history.key() + ": not used in the last hour");
        }
        long[] waiting = perMinute(history, now, KeySample::waiting, false);
        long[] used = perMinute(history, now, KeySample::used, false);
        long[] started = perMinute(history, now, KeySample::started, true);
        long starts = history.samples().stream().mapToLong(KeySample::started).sum();
        List<String> lines = new ArrayList<>();
        lines.add(history.key() + ": the last hour, one column per minute");
        lines.add("waiting  |" + bars(waiting, unicode) + "|  at most " + HumanText.count(max(waiting)));
        lines.add("running  |" + bars(used, unicode) + "|  at most " + HumanText.count(max(used)));
        lines.add("started  |" + bars(started, unicode) + "|  at most " + HumanText.count(max(started)) + " a minute, "
                + HumanText.count(starts) + " in all");
        return lines;
    }

    /** Sums the samples of each minute, or takes the largest. The last element is the present minute. */
    private static long[] perMinute(KeyHistory history, Instant now, ToLongFunction<KeySample> value, boolean sum) {
        long[] minutes = new long[MINUTES];
        for (KeySample sample : history.samples()) {
            int age = (int) Duration.between(sample.at(), now).toMinutes();
            if (age >= 0 && age < MINUTES) {
                int column = MINUTES - 1 - age;
                long found = value.applyAsLong(sample);
                minutes[column] = sum ? minutes[column] + found : Math.max(minutes[column], found);
            }
        }
        return minutes;
    }

    private static long max(long[] values) {
        return java.util.Arrays.stream(values).max().orElse(0);
    }

    /** Returns one character for each value. Every value above zero is visible. */
    static String bars(long[] values, boolean unicode) {
        String levels = unicode ? UNICODE_BARS : ASCII_BARS;
        long max = max(values);
        var text = new StringBuilder();
        for (long value : values) {
            int level = value == 0 ? 0 : (int) Math.max(1, value * (levels.length() - 1) / max);
            text.append(levels.charAt(level));
        }
        return text.toString();
    }
}
