package dev.weir.cli;

import dev.weir.api.Runs.CancelRequest;
import dev.weir.api.Runs.OverrideRequest;
import dev.weir.api.Runs.RunAction;
import dev.weir.client.Client;
import java.io.IOException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/** The common part of the commands that act on one run. */
@SuppressWarnings("NullAway.Init") // picocli writes the annotated fields
abstract sealed class RunCommands implements Callable<Integer> {
    @Spec
    CommandSpec spec;

    @Mixin
    private ServerOptions remote;

    @Mixin
    private OutputOptions output;

    @Parameters(index = "0", paramLabel = "RUN", description = "The id of a run.")
    private String run;

    abstract RunAction operate(Client client, String id) throws IOException, InterruptedException;

    abstract String outcomeText();

    @Override
    public final Integer call() throws Exception {
        RunAction answer = operate(remote.client(), run);
        var printer = new ResultPrinter(spec.commandLine().getOut(), output);
        if (!printer.json(answer)) {
            String what = answer.changed() ? outcomeText() : "unchanged";
            String note = answer.warning() == null ? "" : " (" + answer.warning() + ")";
            printer.line(run + ": " + ResultPrinter.actionAndState(what, answer.state()) + note);
        }
        return 0;
    }

    /** The {@code weir cancel} command. */
    @Command(
            name = "cancel",
            description = "Cancel a run. No more steps start; the run ends when its running steps have ended.",
            footer = {"", "Example:", "  weir cancel order-7 --running --reason 'ordered twice'"})
    static final class Cancel extends RunCommands {
        @Option(names = "--running", description = "Also tell the workers of running steps to stop.")
        private boolean running;

        @Option(names = "--reason", paramLabel = "TEXT", description = "The reason, stored with the run.")
        private @Nullable String reason;

        @Override
        RunAction operate(Client client, String id) throws InterruptedException {
            return client.cancel(id, new CancelRequest(running ? "cancel_running" : null, reason));
        }

        @Override
        String outcomeText() {
            return "cancelled";
        }
    }

    /** The {@code weir pause} command. */
    @Command(
            name = "pause",
            description = "Pause a run. No more steps start; running steps continue.",
            footer = {"", "Example:", "  weir pause order-7"})
    static final class Pause extends RunCommands {
        @Override
        RunAction operate(Client client, String id) throws InterruptedException {
            return client.pause(id);
        }

        @Override
        String outcomeText() {
            return "paused";
        }
    }

    /** The {@code weir extend} command. */
    @Command(
            name = "extend",
            description = "Extend the deadline of a run.",
            footer = {"", "Example:", "  weir extend order-7 2h"})
    static final class Extend extends RunCommands {
        @Parameters(index = "1", paramLabel = "TIME", description = "The new deadline, counted from now, such as 2h.")
        private String in;

        @Override
        RunAction operate(Client client, String id) throws InterruptedException {
            return client.extend(id, in);
        }

        @Override
        String outcomeText() {
            return "extended";
        }
    }

    /** The {@code weir resume} command. */
    @Command(
            name = "resume",
            description = "Resume a paused run. Weir retries a step whose failure paused the run.",
            footer = {"", "Example:", "  weir resume order-7"})
    static final class Resume extends RunCommands {
        @Override
        RunAction operate(Client client, String id) throws InterruptedException {
            return client.resume(id);
        }

        @Override
        String outcomeText() {
            return "resumed";
        }
    }

    /** The {@code weir override} command. */
    @Command(
            name = "override",
            description = "Change the limits of a run while it runs. Limits that you do not name stay unchanged.",
            footer = {
                "",
                "Examples:",
                "  weir override order-7 --max-parallel 4 --for 10m   for ten minutes",
                "  weir override order-7 --max-parallel none          the value of the workflow"
            })
    static final class OverrideLimits extends RunCommands {
        @Option(
                names = "--max-parallel",
                paramLabel = "N|none",
                description = "Maximum number of slots in use at once.")
        private @Nullable String maxParallel;

        @Option(
                names = "--max-concurrent-steps",
                paramLabel = "N|none",
                description = "Maximum number of steps in flight at once.")
        private @Nullable String maxConcurrentSteps;

        @Option(names = "--for", paramLabel = "DURATION", description = "End the override after this time.")
        private @Nullable String forTime;

        @Option(names = "--reason", paramLabel = "TEXT", description = "The reason, for the node's log.")
        private @Nullable String reason;

        @Override
        RunAction operate(Client client, String id) throws InterruptedException {
            return client.changeOverrides(
                    id,
                    new OverrideRequest(
                            CountArgument.read(spec, "--max-parallel", maxParallel),
                            CountArgument.read(spec, "--max-concurrent-steps", maxConcurrentSteps),
                            forTime,
                            reason));
        }

        @Override
        String outcomeText() {
            return "overridden";
        }
    }

    /** The {@code weir signal} command. */
    @Command(
            name = "signal",
            description = "Send a signal to a run. The run keeps a signal that no step waits for yet.",
            footer = {
                "",
                "Examples:",
                "  weir signal order-7 delivered '{\"at\": \"the door\"}'",
                "  weir signal order-7 delivered --id parcel-3   safe to repeat"
            })
    static final class Signal extends RunCommands {
        @Parameters(index = "1", paramLabel = "NAME", description = "The name of the signal.")
        private String name;

        @Parameters(index = "2", arity = "0..1", paramLabel = "JSON|@FILE", description = "The payload.")
        private @Nullable String payload;

        @Option(
                names = "--id",
                paramLabel = "ID",
                description =
                        "The id of the signal. A signal with a known id is not delivered again (default: a new id).")
        private @Nullable String signal;

        @Override
        RunAction operate(Client client, String id) throws IOException, InterruptedException {
            JsonNode json = payload == null ? null : JsonArgument.read(spec, "JSON", payload);
            return signal == null ? client.signal(id, name, json) : client.signal(id, name, signal, json);
        }

        @Override
        String outcomeText() {
            return "signal sent";
        }
    }
}
