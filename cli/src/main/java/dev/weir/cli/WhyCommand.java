package dev.weir.cli;

import dev.weir.api.Runs.RunView;
import dev.weir.api.Runs.StepView;
import dev.weir.api.Why;
import dev.weir.api.Why.WhyAnswer;
import dev.weir.client.Client;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The {@code weir why} command: explains why a run or step waits. */
@Command(
        name = "why",
        description = "Explain why a run or a step waits: each limit that holds it, the usage and the holders of the"
                + " limit, and since when and until when it waits.",
        footer = {"", "Examples:", "  weir why order-7", "  weir why order-7 pay", "  weir why order-7 resize/4"})
@SuppressWarnings("NullAway.Init") // picocli writes the annotated fields
final class WhyCommand implements Callable<Integer> {
    private static final int HOLDERS_SHOWN = 5;

    @Spec
    private CommandSpec spec;

    @Mixin
    private ServerOptions remote;

    @Mixin
    private OutputOptions output;

    @Parameters(index = "0", paramLabel = "RUN", description = "The id of a run.")
    private String run;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "STEP",
            description = "A step of the run (default: all steps that wait).")
    private @Nullable String step;

    @Option(
            names = "--item",
            paramLabel = "N",
            description = "The index of an item (default: the next one). STEP/N means the same.")
    private @Nullable Integer item;

    @Override
    public Integer call() throws Exception {
        Client client = remote.client();
        var printer = new ResultPrinter(spec.commandLine().getOut(), output);
        if (step != null) {
            StepArgument asked = StepArgument.read(spec, step, item);
            WhyAnswer answer = client.why(run, asked.step(), asked.item());
            if (!printer.json(answer)) {
                explain(printer, answer);
            }
            return 0;
        }
        if (item != null) {
            throw new ParameterException(
                    spec.commandLine(), "--item " + item + ": expected a STEP as well, found none");
        }
        List<WhyAnswer> answers = fetchAll(client);
        if (!printer.json(answers)) {
            answers.forEach(answer -> explain(printer, answer));
        }
        return 0;
    }

    /** Returns the reasons of the run, or else those of each step that waits. */
    private List<WhyAnswer> fetchAll(Client client) throws InterruptedException {
        RunView view = client.run(run);
        List<String> waiting = view.steps().stream()
                .filter(one -> one.reason() != null && !one.reason().reason().equals("dependency"))
                .map(StepView::id)
                .toList();
        if (view.why() != null || waiting.isEmpty()) {
            return List.of(client.why(run));
        }
        List<WhyAnswer> answers = new ArrayList<>();
        for (String id : waiting) {
            answers.add(client.why(run, id, null));
        }
        return answers;
    }

    private static void explain(ResultPrinter printer, WhyAnswer answer) {
        String subject = name(answer.run(), answer.step(), answer.item());
        printer.line(subject + " is " + answer.state()
                + (answer.reasons().isEmpty() ? ": " + noReasonText(answer.state()) : ""));
        answer.reasons().forEach(reason -> explain(printer, reason));
    }

    private static String noReasonText(String state) {
        return state.equals("ready") || state.equals("requested")
                ? "nothing holds it; it starts with the next poll of a worker"
                : "it does not wait";
    }

    private static void explain(ResultPrinter printer, Why.Reason reason) {
        printer.line("  " + reason.reason() + ": " + reason.message());
        var details = new StringBuilder();
        Why.Limit limit = reason.limit();
        if (limit != null && limit.position() != null) {
            details.append("position ").append(limit.position());
            details.append(Boolean.TRUE.equals(limit.positionOrMore()) ? " or more" : "");
        }
        if (reason.since() != null) {
            details.append(details.isEmpty() ? "" : ", ")
                    .append("for ")
                    .append(ResultPrinter.duration(reason.since(), Instant.now()));
        }
        if (reason.expectedAt() != null) {
            details.append(details.isEmpty() ? "" : ", ").append("expected at ").append(reason.expectedAt());
            details.append(Boolean.TRUE.equals(reason.estimate()) ? " (estimate)" : "");
        }
        if (!details.isEmpty()) {
            printer.line("    " + details);
        }
        if (limit != null && limit.holders() != null && !limit.holders().isEmpty()) {
            printer.line("    held by " + holders(limit.holders()));
        }
    }

    private static String name(String run, @Nullable String step, @Nullable Integer item) {
        return step == null ? run : run + "/" + StepArgument.format(step, item);
    }

    private static String holders(List<Why.Holder> holders) {
        String first = holders.stream()
                .limit(HOLDERS_SHOWN)
                .map(holder -> name(holder.run(), holder.step(), holder.item()))
                .collect(Collectors.joining(", "));
        return holders.size() > HOLDERS_SHOWN ? first + " and more" : first;
    }
}
