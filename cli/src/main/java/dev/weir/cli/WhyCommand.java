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
        var page = new ResultPrinter(spec.commandLine().getOut(), output);
        if (step != null) {
            StepArgument asked = StepArgument.read(spec, step, item);
            WhyAnswer answer = client.why(run, asked.step(), asked.item());
            if (!page.json(answer)) {
                explain(page, answer);
            }
            return 0;
        }
        if (item != null) {
            throw new ParameterException(
                    spec.commandLine(), "--item " + item + ": expected a STEP as well, found none");
        }
        List<WhyAnswer> answers = all(client);
        if (!page.json(answers)) {
            answers.forEach(answer -> explain(page, answer));
        }
        return 0;
    }

    /** Returns the reasons of the run, or else those of each step that waits. */
    private List<WhyAnswer> all(Client client) throws InterruptedException {
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

    private static void explain(ResultPrinter page, WhyAnswer answer) {
        String which = name(answer.run(), answer.step(), answer.item());
        page.line(which + " is " + answer.state() + (answer.reasons().isEmpty() ? ": " + idle(answer.state()) : ""));
        answer.reasons().forEach(reason -> explain(page, reason));
    }

    private static String idle(String state) {
        return state.equals("ready") || state.equals("requested")
                ? "nothing holds it; it starts with the next poll of a worker"
                : "it does not wait";
    }

    private static void explain(ResultPrinter page, Why.Reason reason) {
        page.line("  " + reason.reason() + ": " + reason.message());
        var more = new StringBuilder();
        Why.Limit limit = reason.limit();
        if (limit != null && limit.position() != null) {
            more.append("position ").append(limit.position());
            more.append(Boolean.TRUE.equals(limit.positionOrMore()) ? " or more" : "");
        }
        if (reason.since() != null) {
            more.append(more.isEmpty() ? "" : ", ")
                    .append("for ")
                    .append(ResultPrinter.span(reason.since(), Instant.now()));
        }
        if (reason.expectedAt() != null) {
            more.append(more.isEmpty() ? "" : ", ").append("expected at ").append(reason.expectedAt());
            more.append(Boolean.TRUE.equals(reason.estimate()) ? " (estimate)" : "");
        }
        if (!more.isEmpty()) {
            page.line("    " + more);
        }
        if (limit != null && limit.holders() != null && !limit.holders().isEmpty()) {
            page.line("    held by " + holders(limit.holders()));
        }
    }

    private static String name(String run, @Nullable String step, @Nullable Integer item) {
        return step == null ? run : run + "/" + StepArgument.words(step, item);
    }

    private static String holders(List<Why.Holder> holders) {
        String first = holders.stream()
                .limit(HOLDERS_SHOWN)
                .map(holder -> name(holder.run(), holder.step(), holder.item()))
                .collect(Collectors.joining(", "));
        return holders.size() > HOLDERS_SHOWN ? first + " and more" : first;
    }
}
