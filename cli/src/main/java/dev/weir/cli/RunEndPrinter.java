package dev.weir.cli;

import dev.weir.api.Runs.RunView;
import picocli.CommandLine.ExitCode;

/** Prints how a run ended, for commands that waited for it, and names their exit code. */
final class RunEndPrinter {
    /** The exit code if the run was cancelled. */
    static final int EXIT_CANCELLED = 3;

    private RunEndPrinter() {}

    /** Prints the run. Returns the exit code. */
    static int print(RunView view, ResultPrinter printer) {
        if (!printer.json(view)) {
            String reason = view.reason() == null ? "" : ": " + view.reason();
            String time = view.endedAt() == null
                    ? ", not ended after "
                            + ResultPrinter.ago(view.acceptedAt()).replace(" ago", "")
                    : " after " + ResultPrinter.duration(view.acceptedAt(), view.endedAt());
            printer.line(view.id() + ": " + view.state() + time + reason);
        }
        return exitCode(view.state());
    }

    /** Returns the exit code of every command that waits for a run or watches it. */
    static int exitCode(String state) {
        return switch (state) {
            case "completed" -> ExitCode.OK;
            case "cancelled" -> EXIT_CANCELLED;
            default -> ExitCode.SOFTWARE;
        };
    }
}
