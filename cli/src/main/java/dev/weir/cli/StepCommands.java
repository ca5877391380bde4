package dev.weir.cli;

import dev.weir.api.Runs.AbandonRequest;
import dev.weir.api.Runs.GateRequest;
import dev.weir.api.Runs.StepAction;
import dev.weir.client.Client;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The common part of the commands that act on one step. */
@SuppressWarnings("NullAway.Init") // picocli writes the annotated fields
abstract sealed class StepCommands implements Callable<Integer> {
    @Spec
    CommandSpec spec;

    @Mixin
    private ServerOptions remote;

    @Mixin
    private OutputOptions output;

    @Parameters(index = "0", paramLabel = "RUN", description = "The id of a run.")
    private String run;

    @Parameters(index = "1", paramLabel = "STEP", description = "The id of a step of the run.")
    private String step;

    abstract StepAction operate(Client client, String runId, StepArgument target) throws Exception;

    /** Returns the step or item that the command acts on. By default, items are refused. */
    StepArgument parseTarget(String text) {
        return new StepArgument(StepArgument.readStep(spec, text), null);
    }

    @Override
    public final Integer call() throws Exception {
        StepArgument target = parseTarget(step);
        StepAction answer = operate(remote.client(), run, target);
        var printer = new ResultPrinter(spec.commandLine().getOut(), output);
        if (!printer.json(answer)) {
            printer.line(run + "/" + target + ": " + ResultPrinter.actionAndState(answer.outcome(), answer.state()));
        }
        return 0;
    }

    /** The options for the person who decides and that person's comment. */
    static final class Person {
        @Option(names = "--by", paramLabel = "NAME", description = "Who decides; stored with the step.")
        private @Nullable String by;

        @Option(names = "--note", paramLabel = "TEXT", description = "A comment; stored with the step.")
        private @Nullable String note;

        GateRequest request() {
            return new GateRequest(by, note);
        }
    }

    /** The {@code weir approve} command. */
    @Command(
            name = "approve",
            description = "Approve a step that waits at its gate.",
            footer = {"", "Example:", "  weir approve order-7 check --by ann --note 'address is right'"})
    static final class Approve extends StepCommands {
        @Mixin
        private Person person;

        @Override
        StepAction operate(Client client, String runId, StepArgument target) throws InterruptedException {
            return client.approve(runId, target.step(), person.request());
        }
    }

    /** The {@code weir revoke} command. */
    @Command(
            name = "revoke",
            description = "Revoke an approval. This is possible until the step has started.",
            footer = {"", "Example:", "  weir revoke order-7 check --by ann --note 'wrong parcel'"})
    static final class Revoke extends StepCommands {
        @Mixin
        private Person person;

        @Override
        StepAction operate(Client client, String runId, StepArgument target) throws InterruptedException {
            return client.revoke(runId, target.step(), person.request());
        }
    }

    /** The {@code weir skip} command. */
    @Command(
            name = "skip",
            description = "Skip an optional step that is not running.",
            footer = {"", "Example:", "  weir skip order-7 gift_wrap"})
    static final class Skip extends StepCommands {
        @Override
        StepAction operate(Client client, String runId, StepArgument target) throws InterruptedException {
            return client.skip(runId, target.step());
        }
    }

    /** The {@code weir input} command. */
    @Command(
            name = "input",
            description = "Provide the input that a step waits for.",
            footer = {
                "",
                "Examples:",
                "  weir input order-7 label '{\"size\": \"L\"}'",
                "  weir input order-7 resize/4 3"
            })
    static final class Provide extends StepCommands {
        @Parameters(index = "2", paramLabel = "JSON|@FILE", description = "The input; @FILE reads it from a file.")
        private String input;

        @Option(
                names = "--item",
                paramLabel = "N",
                description = "The index of an item, for a step with items. STEP/N means the same.")
        private @Nullable Integer item;

        @Override
        StepArgument parseTarget(String text) {
            return StepArgument.read(spec, text, item);
        }

        @Override
        StepAction operate(Client client, String runId, StepArgument target) throws Exception {
            return client.provide(runId, target.step(), target.item(), JsonArgument.read(spec, "JSON", input));
        }
    }

    /** The {@code weir abandon} command. */
    @Command(
            name = "abandon",
            description = "Fail a step that waits for input, without another attempt.",
            footer = {"", "Example:", "  weir abandon order-7 label --reason 'nobody knows the size'"})
    static final class Abandon extends StepCommands {
        @Option(
                names = "--item",
                paramLabel = "N",
                description = "The index of an item, for a step with items. STEP/N means the same.")
        private @Nullable Integer item;

        @Option(names = "--by", paramLabel = "NAME", description = "Who decides; stored with the step.")
        private @Nullable String by;

        @Option(names = "--reason", paramLabel = "TEXT", description = "The reason; stored with the step.")
        private @Nullable String reason;

        @Override
        StepArgument parseTarget(String text) {
            return StepArgument.read(spec, text, item);
        }

        @Override
        StepAction operate(Client client, String runId, StepArgument target) throws InterruptedException {
            return client.abandon(runId, target.step(), new AbandonRequest(target.item(), by, reason));
        }
    }
}
