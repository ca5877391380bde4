package dev.weir.cli;

import dev.weir.api.LiveEvent;
import dev.weir.api.Runs.RunView;
import dev.weir.api.Runs.StepView;
import dev.weir.api.Why;
import dev.weir.client.Client;
import dev.weir.client.StreamFilter;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import picocli.CommandLine.ExitCode;

/** Watches one run until it ends, for {@code weir start --watch} and {@code weir steps --watch}. */
final class RunWatch implements WatchLoop.WatchView {
    private final Client client;
    private final String run;
    private final WatchOutput output;
    /** The last printed remark about each step, so that it is not repeated. */
    private final Map<String, String> remarks = new HashMap<>();

    private boolean endPrinted;

    private RunWatch(Client client, String run, WatchOutput output) {
        this.client = client;
        this.run = run;
        this.output = output;
    }

    /** Watches a run. Returns the exit code. */
    static int watch(Client client, String run, WatchOutput output) {
        return WatchLoop.run(client, StreamFilter.run(run), new RunWatch(client, run, output));
    }

    @Override
    public OptionalInt show(List<LiveEvent> events) throws InterruptedException {
        if (output.mode() != WatchOutput.Mode.SCREEN) {
            events.forEach(this::print);
        }
        RunView view = client.run(run);
        Instant endedAt = view.endedAt();
        switch (output.mode()) {
            case SCREEN ->
                output.paint(RunProgress.lines(view, output.terminal().unicode(), Instant.now()));
            case LINES -> {
                view.steps().forEach(this::remark);
                if (endedAt != null) {
                    printEnd(view, endedAt);
                }
            }
            case JSON -> {
                if (endedAt != null && !endPrinted) {
                    output.json(new LiveEvent.RunEvent(run, view.workflow(), view.state(), null, endedAt));
                }
            }
        }
        if (output.isClosed()) {
            return OptionalInt.of(ExitCode.OK);
        }
        return endedAt != null ? OptionalInt.of(RunEndPrinter.exitCode(view.state())) : OptionalInt.empty();
    }

    private void print(LiveEvent event) {
        if (output.mode() == WatchOutput.Mode.JSON) {
            output.json(event);
            endPrinted |= event instanceof LiveEvent.RunEvent change && isEnd(change.state());
        } else if (event instanceof LiveEvent.StepEvent change && change.item() == null) {
            output.line(change.at(), run + "/" + change.step() + " " + change.state());
        } else if (event instanceof LiveEvent.RunEvent change && !isEnd(change.state())) {
            output.line(change.at(), run + " " + change.state());
        }
    }

    private static boolean isEnd(String state) {
        return state.equals("completed") || state.equals("failed") || state.equals("cancelled");
    }

    /** Prints the progress of a fan-out, and what a step waits for, if that has changed. */
    private void remark(StepView step) {
        String text = step.items() == null ? "" : RunProgress.describe(step.items());
        String kind = text;
        Why.Reason reason = step.reason();
        if (step.held() && reason != null) {
            text = "waits: " + reason.message();
            // The numbers in the message change all the time.
            Why.Limit limit = reason.limit();
            kind = reason.reason() + (limit == null ? "" : limit.id());
        }
        if (!text.isEmpty() && !kind.equals(remarks.put(step.id(), kind))) {
            output.line(Instant.now(), run + "/" + step.id() + " " + text);
        }
    }

    private void printEnd(RunView view, Instant endedAt) {
        String reason = view.reason() == null ? "" : ": " + view.reason();
        output.line(
                endedAt,
                run + " " + view.state() + " after " + ResultPrinter.duration(view.acceptedAt(), endedAt) + reason);
    }
}
