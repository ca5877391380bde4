package dev.weir.cli;

import dev.weir.forecast.ScenarioRunner;
import dev.weir.forecast.text.HumanText;
import java.io.PrintWriter;

/** Shows the progress of a long simulation if a person watches. */
final class SimulationProgress implements ScenarioRunner.ProgressListener {
    private static final long PRINT_INTERVAL_NANOS = 500_000_000;
    private static final int CALLS_PER_CHECK = 1_024;

    private final PrintWriter err;
    private final boolean visible;
    private final long runs;
    private long lastPrintedNanos = System.nanoTime();
    private int calls;
    private int printedWidth;

    SimulationProgress(PrintWriter err, boolean visible, long runs) {
        this.err = err;
        this.visible = visible;
        this.runs = runs;
    }

    @Override
    public void onProgress(long events, long now, long ended) {
        calls++;
        if (!visible || calls % CALLS_PER_CHECK != 0 || System.nanoTime() - lastPrintedNanos < PRINT_INTERVAL_NANOS) {
            return;
        }
        lastPrintedNanos = System.nanoTime();
        String text = "simulating: " + HumanText.count(ended) + " of " + HumanText.count(runs) + " runs, "
                + HumanText.count(events) + " events, " + HumanText.time(now) + " of virtual time";
        err.print("\r" + HumanText.pad(text, printedWidth));
        err.flush();
        printedWidth = text.length();
    }

    /** Clears the progress line. */
    void clear() {
        if (printedWidth > 0) {
            err.print("\r" + " ".repeat(printedWidth) + "\r");
            err.flush();
        }
    }
}
