package dev.weir.cli;

import dev.weir.api.Bulk.BulkView;
import dev.weir.client.Client;
import dev.weir.forecast.text.HumanText;
import java.io.PrintWriter;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;

/** Waits for an operation on many runs or dead letters, and shows its progress if somebody watches. */
final class BulkProgress {
    private static final long POLL_MILLIS = 300;
    private static final int WIDTH = 30;

    private final CommandLine command;
    private final OutputOptions output;
    private final Client client;

    BulkProgress(CommandLine command, OutputOptions output, Client client) {
        this.command = command;
        this.output = output;
        this.client = client;
    }

    /** Waits until an operation has ended. */
    BulkView await(BulkView begun) throws InterruptedException {
        BulkView view = begun;
        PrintWriter err = command.getErr();
        boolean visible = Terminal.isInteractive() && output.format() == OutputOptions.Format.TEXT;
        while (!view.state().equals("completed")) {
            if (visible) {
                err.print("\r" + progress(view));
                err.flush();
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
            view = client.operations().bulk(view.id());
        }
        if (visible) {
            err.print("\r" + " ".repeat(progress(view).length()) + "\r");
            err.flush();
        }
        return view;
    }

    private static String progress(BulkView view) {
        String what = isOfDeadLetters(view) ? "dead letters" : "runs";
        Long expected = view.expected();
        if (expected == null || expected == 0) {
            return view.action() + ": " + HumanText.count(view.processed()) + " " + what;
        }
        int done = (int) Math.min(WIDTH, WIDTH * view.processed() / expected);
        return view.action() + " [" + "#".repeat(done) + ".".repeat(WIDTH - done) + "] "
                + HumanText.count(view.processed()) + " of " + HumanText.count(expected) + " " + what;
    }

    private static boolean isOfDeadLetters(BulkView view) {
        return view.action().equals("redrive") || view.action().equals("discard");
    }

    /** Prints the outcome. Returns the exit code. */
    int print(ResultPrinter printer, BulkView view) {
        if (!printer.json(view)) {
            String done = switch (view.action()) {
                case "cancel" -> "cancelled";
                case "retry" -> "retried";
                case "redrive" -> "redriven";
                default -> "discarded";
            };
            printer.line(view.id() + ": " + view.state() + ", " + view.changed() + " " + done + ", " + view.unchanged()
                    + " unchanged, " + view.failed() + " failed");
            view.failures().forEach(failure -> printer.line("  " + failure.run() + ": " + failure.error()));
        }
        return view.failed() == 0 ? ExitCode.OK : ExitCode.SOFTWARE;
    }
}
