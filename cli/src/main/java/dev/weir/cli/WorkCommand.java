package dev.weir.cli;

import dev.weir.client.Client;
import dev.weir.client.Connection;
import dev.weir.client.RequestFailed;
import dev.weir.client.Worker;
import dev.weir.client.WorkerBuilder;
import dev.weir.core.definition.DurationText;
import dev.weir.core.plan.BuiltInModule;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
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
            "Run a worker that executes a program for each step of a module.",
            "",
            "The program reads the step's input as JSON from standard input. What it prints to standard output is the"
                    + " step's output: JSON, or else a string. Exit code 0 means success, "
                    + ShellHandler.PERMANENT_FAILURE_EXIT_CODE
                    + " a failure without retry, and any other code a failure that Weir retries as the workflow says."
                    + " The text on standard error is the reason of a failure; `weir logs` shows it while the program"
                    + " runs."
        },
        footer = {
            "",
            "Environment of the program: WEIR_RUN, WEIR_STEP, WEIR_ITEM, WEIR_MODULE,",
            "WEIR_ATTEMPT, WEIR_EFFECT_NUMBER, WEIR_FENCE.",
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

    @Parameters(paramLabel = "MODULE", description = "The module whose steps to execute.")
    private String module;

    @Option(names = "--exec", required = true, paramLabel = "COMMAND", description = "The command to run in a shell.")
    private String command;

    @Option(
            names = "--concurrency",
            paramLabel = "N",
            defaultValue = "1",
            description = "Maximum number of steps at once (default: 1).")
    private int concurrency;

    @Option(
            names = "--lease",
            paramLabel = "DURATION",
            defaultValue = "30s",
            description = "If the worker is lost, another one may take over its steps after this time (default: 30s).")
    private String lease;

    @Option(
            names = "--count",
            paramLabel = "N",
            description = "Stop after this many reports (default: run until stopped).")
    private @Nullable Integer jobs;

    @Override
    public Integer call() throws Exception {
        PrintWriter err = TerminalWriter.err(spec.commandLine());
        checkArguments();
        checkSettings();
        Client client = connect(err);
        Worker worker = builder(client)
                .onTrouble(skipRepeats(message -> err.println("weir: " + message)))
                .start();
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
        if (module.isBlank() || BuiltInModule.isBuiltIn(module)) {
            throw new ParameterException(
                    spec.commandLine(),
                    "MODULE: expected the name of a module that workers serve (names that begin with weir. are"
                            + " reserved), found '" + module + "'");
        }
        if (command.isBlank()) {
            throw new ParameterException(spec.commandLine(), "--exec: expected a command, found an empty one");
        }
    }

    /**
     * Returns a client after checking that the server accepts the token. A server that does not answer yet gets
     * some time to start.
     */
    private Client connect(PrintWriter err) throws IOException, InterruptedException {
        try {
            remote.client().keys("", null);
        } catch (RequestFailed.Unreachable e) {
            err.println("weir: " + e.getMessage() + "; retrying for " + Connection.DEFAULT_RETRY_TIMEOUT.toSeconds()
                    + " s");
            remote.retryingClient().keys("", null);
        }
        return remote.retryingClient();
    }

    /** Wraps a listener so that it hears a message only if it differs from the one before. */
    private static Consumer<String> skipRepeats(Consumer<String> listener) {
        var last = new AtomicReference<>("");
        return message -> {
            if (!message.equals(last.getAndSet(message))) {
                listener.accept(message);
            }
        };
    }

    /** Checks the settings before anything is sent. */
    private void checkSettings() throws IOException {
        WorkerBuilder unused = builder(remote.client());
    }

    private WorkerBuilder builder(Client client) {
        Duration leaseDuration = DurationText.parse(lease)
                .orElseThrow(() -> new ParameterException(
                        spec.commandLine(), "--lease: expected " + DurationText.EXPECTED + ", found '" + lease + "'"));
        try {
            return Worker.of(client)
                    .module(module, new ShellHandler(command))
                    .name("weir work " + ProcessHandle.current().pid())
                    .concurrency(concurrency)
                    .lease(leaseDuration);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
    }
}
