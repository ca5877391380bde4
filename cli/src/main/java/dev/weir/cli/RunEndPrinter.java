package dev.weir.cli;

import dev.weir.api.Runs.RunView;
import picocli.CommandLine.ExitCode;

/** Prints how a run ended, for commands that waited for it. */
final class RunEndPrinter {
    private RunEndPrinter() {}

    /** Prints the run. The exit code is 0 if it has completed, and 1 otherwise. */
    static int print(RunView view, ResultPrinter printer) {
        if (!printer.json(view)) {
            String reason = view.reason() == null ? "" : ": " + view.reason();
            String time = view.endedAt() == null
                    ? ", not ended after "
                            + ResultPrinter.ago(view.acceptedAt()).replace(" ago", "")
                    : " after " + ResultPrinter.duration(view.acceptedAt(), view.endedAt());
            printer.line(view.id() + ": " + view.state() + time + reason);
        }
        return view.state().equals("completed") ? ExitCode.OK : ExitCode.SOFTWARE;
    }
}
