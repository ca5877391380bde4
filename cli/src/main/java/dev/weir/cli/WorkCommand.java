package dev.weir.cli;

import dev.weir.client.Client;
import dev.weir.client.Connection;
import dev.weir.client.RequestFailed;
import dev.weir.client.Worker;
import dev.weir.client.WorkerSettings;
import dev.weir.core.definition.DurationText;
import dev.weir.core.plan.BuiltInModule;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The {@code weir work} command: a worker that runs a program for each step. */
@Command(
        name = "work",
        description = {
            "Do the steps of a module with a program: it is started for each of them.",
            "",
            "The step's input comes as JSON on standard input. What the program prints is the step's output: JSON, or a"
                    + " text. Exit code 0 is done, " + ShellHandler.PERMANENT
                    + " is failed for good, any other is failed"
                    + " and tried again as the workflow says; what it wrote to standard error is the reason, and can be read"
                    + " while it runs with weir logs."
        },
        footer = {
            "",
            "Environment of the program: WEIR_RUN, WEIR_STEP, WEIR_ITEM, WEIR_MODULE, WEIR_ATTEMPT,",
            "WEIR_EFFECT_NUMBER, WEIR_FENCE.",
            "",
            "Examples:",
            "  weir work shipping.label --exec './print-label' --concurrency 4",
            "  weir work echo --exec 'cat'"
        })
@SuppressWarnings("NullAway.Init") // picocli writes the annotated fields
final class WorkCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private ServerOptions remote;

    @Parameters(paramLabel = "MODULE", description = "The module whose steps it does.")
    private String module;

    @Option(names = "--exec", required = true, paramLabel = "COMMAND", description = "What to run, by the shell.")
    private String command;

    @Option(names = "--concurrency", paramLabel = "N", defaultValue = "1", description = "Steps at once (default: 1).")
    private int concurrency;

    @Option(
            names = "--lease",
            paramLabel = "DURATION",
            defaultValue = "30s",
            description = "After which a step of a worker that was lost is tried by another (default: 30s).")
    private String lease;

    @Option(
            names = "--count",
            paramLabel = "N",
            description = "End after so many steps were reported (default: never).")
    private @Nullable Integer jobs;

    @Override
    public Integer call() throws Exception {
        PrintWriter err = TerminalWriter.err(spec.commandLine());
        checkArguments();
        WorkerSettings settings = settings(err);
        Client client = reached(err);
        Worker worker = Worker.start(client, Map.of(module, new ShellHandler(command)), settings);
        Thread stop = Thread.ofPlatform().unstarted(worker::close);
        Runtime.getRuntime().addShutdownHook(stop);
        err.println("weir: working on " + module + " (press Ctrl-C to stop after the current steps)");
        worker.awaitReports(jobs == null ? Integer.MAX_VALUE : jobs);
        worker.close();
        return 0;
    }

    private void checkArguments() {
        if (jobs != null && jobs < 1) {
            throw new ParameterException(spec.commandLine(), "--count: expected at least 1, found " + jobs);
        }
        if (module.isBlank() || BuiltInModule.owns(module)) {
            throw new ParameterException(
                    spec.commandLine(),
                    "MODULE: expected the name of a module that workers serve (those that begin with weir. are Weir's"
                            + " own), found '" + module + "'");
        }
        if (command.isBlank()) {
            throw new ParameterException(spec.commandLine(), "--exec: expected a command, found an empty one");
        }
    }

    /**
     * Returns a client after checking that the server accepts the token. A server that does not answer yet gets
     * some time to start.
     */
    private Client reached(PrintWriter err) throws IOException, InterruptedException {
        try {
            remote.client().keys("", null);
        } catch (RequestFailed.Unreachable e) {
            err.println(
                    "weir: " + e.getMessage() + "; asking again for " + Connection.PATIENCE_USUAL.toSeconds() + " s");
            remote.patientClient().keys("", null);
        }
        return remote.patientClient();
    }

    /** Wraps a listener so that it hears a message only if it differs from the one before. */
    private static Consumer<String> changes(Consumer<String> told) {
        var last = new AtomicReference<>("");
        return words -> {
            if (!words.equals(last.getAndSet(words))) {
                told.accept(words);
            }
        };
    }

    private WorkerSettings settings(PrintWriter err) {
        Duration time = DurationText.parse(lease)
                .orElseThrow(() -> new ParameterException(
                        spec.commandLine(), "--lease: expected " + DurationText.EXPECTED + ", found '" + lease + "'"));
        try {
            return WorkerSettings.named("weir work " + ProcessHandle.current().pid())
                    .withConcurrency(concurrency)
                    .withLease(time)
                    .withTrouble(changes(words -> err.println("weir: " + words)));
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
    }
}
