package dev.weir.cli;

import dev.weir.api.Logs.LogView;
import dev.weir.client.Client;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The {@code weir logs} command: shows the log of an attempt of a step. */
@Command(
        name = "logs",
        description = {
            "Show the log of a step: what its handler logs, or what its program writes to standard error.",
            "With --key, show the ends of the logs of all steps under a flow-control key, newest run first.",
            "",
            "Weir keeps the last 64 KiB of each attempt, also after the attempt has ended."
        },
        footer = {
            "",
            "Examples:",
            "  weir logs order-7 label --follow",
            "  weir logs order-7 resize/4 --attempt 1",
            "  weir logs --key billing-api --limit 5"
        })
@SuppressWarnings("NullAway.Init") // picocli writes the annotated fields
final class LogsCommand implements Callable<Integer> {
    private static final Duration POLL_INTERVAL = Duration.ofMillis(500);
    private static final Set<String> ENDED_STATES = Set.of("completed", "failed", "cancelled", "skipped");

    @Spec
    private CommandSpec spec;

    @Mixin
    private ServerOptions remote;

    @Mixin
    private OutputOptions output;

    @Parameters(index = "0", arity = "0..1", paramLabel = "RUN", description = "The id of a run.")
    private @Nullable String run;

    @Parameters(index = "1", arity = "0..1", paramLabel = "STEP", description = "The id of a step of the run.")
    private @Nullable String step;

    @Option(names = "--key", paramLabel = "KEY", description = "Show the logs of the steps under this key.")
    private @Nullable String key;

    @Option(
            names = "--limit",
            paramLabel = "N",
            description = "With --key: the maximum number of attempts (default: 20).")
    private @Nullable Integer limit;

    @Option(names = "--cursor", paramLabel = "CURSOR", description = "With --key: continue after the previous page.")
    private @Nullable String cursor;

    @Option(
            names = "--item",
            paramLabel = "N",
            description = "The index of an item, for a step with items. STEP/N means the same.")
    private @Nullable Integer item;

    @Option(
            names = "--attempt",
            paramLabel = "N",
            description = "The number of an attempt, starting at 1 (default: the newest one with a log).")
    private @Nullable Integer attempt;

    @Option(
            names = {"-f", "--follow"},
            description = "Print new log text until the step has ended.")
    private boolean follow;

    private StepArgument target;

    @Override
    public Integer call() throws Exception {
        if (key != null) {
            checkOptionsOfKey();
            return new KeyLogs(spec, output, remote.client()).show(key, limit == null ? KeyLogs.LIMIT : limit, cursor);
        }
        if (run == null || step == null) {
            throw new ParameterException(spec.commandLine(), "expected RUN and STEP, or --key, found neither");
        }
        if (limit != null || cursor != null) {
            throw new ParameterException(
                    spec.commandLine(), "--limit and --cursor: expected --key with them, found none");
        }
        return show(run, step);
    }

    private void checkOptionsOfKey() {
        if (run != null || item != null || attempt != null || follow) {
            throw new ParameterException(
                    spec.commandLine(), "--key: expected no RUN, STEP, --item, --attempt or --follow with it");
        }
    }

    private int show(String ofRun, String ofStep) throws IOException, InterruptedException {
        target = StepArgument.read(spec, ofStep, item);
        Client client = remote.client();
        LogView view = fetch(client, ofRun, "");
        int shownAttempt = show(view, 0);
        // A step that has ended may have logged more than one response returns: its last attempts follow one after the
        // other.
        while (follow && !(ENDED_STATES.contains(view.state()) && view.text().isEmpty())) {
            if (!ENDED_STATES.contains(view.state())) {
                Thread.sleep(POLL_INTERVAL);
            }
            view = fetch(client, ofRun, view.next());
            shownAttempt = show(view, shownAttempt);
        }
        return 0;
    }

    private LogView fetch(Client client, String ofRun, String after) throws InterruptedException {
        Map<String, String> filter = new LinkedHashMap<>();
        if (target.item() != null) {
            filter.put("item", target.item().toString());
        }
        if (attempt != null) {
            filter.put("attempt", attempt.toString());
        }
        if (!after.isEmpty()) {
            filter.put("after", after);
        }
        return client.logs(ofRun, target.step(), filter);
    }

    /** Prints new text, preceded by the number of the attempt if that changes. Returns that number. */
    private int show(LogView view, int previousAttempt) {
        if ((follow && view.text().isEmpty())
                || new ResultPrinter(spec.commandLine().getOut(), output).json(view)) {
            return view.attempt();
        }
        PrintWriter out = TerminalWriter.out(spec.commandLine());
        PrintWriter err = TerminalWriter.err(spec.commandLine());
        if (view.text().isEmpty()) {
            err.println("weir: " + view.run() + "/" + target + " is " + view.state() + " and has logged nothing");
            return view.attempt();
        }
        if (view.attempt() != previousAttempt && view.attempt() > 1) {
            err.println("weir: attempt " + view.attempt());
            err.flush();
        }
        if (view.cut()) {
            err.println("weir: earlier text was dropped; Weir keeps the last 64 KiB of an attempt");
            err.flush();
        }
        out.print(view.text());
        out.flush();
        return view.attempt();
    }
}
