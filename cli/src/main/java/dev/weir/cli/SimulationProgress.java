package dev.weir.cli;

import dev.weir.forecast.ScenarioRunner;
import dev.weir.forecast.text.HumanText;
import java.io.PrintWriter;

/** Shows the progress of a long simulation if a person watches. */
final class SimulationProgress implements ScenarioRunner.Watcher {
    private static final long EVERY_NANOS = 500_000_000;
    private static final int LOOKS = 1_024;

    private final PrintWriter err;
    private final boolean shown;
    private final long runs;
    private long last = System.nanoTime();
    private int looks;
    private int width;

    SimulationProgress(PrintWriter err, boolean shown, long runs) {
        this.err = err;
        this.shown = shown;
        this.runs = runs;
    }

    @Override
    public void at(long events, long now, long ended) {
        looks++;
        if (!shown || looks % LOOKS != 0 || System.nanoTime() - last < EVERY_NANOS) {
            return;
        }
        last = System.nanoTime();
        String text = "simulating: " + HumanText.count(ended) + " of " + HumanText.count(runs) + " runs, "
                + HumanText.count(events) + " events, " + HumanText.time(now) + " of virtual time";
        err.print("\r" + HumanText.pad(text, width));
        err.flush();
        width = text.length();
    }

    /** Clears the progress line. */
    void done() {
        if (width > 0) {
            err.print("\r" + " ".repeat(width) + "\r");
            err.flush();
        }
    }
}
