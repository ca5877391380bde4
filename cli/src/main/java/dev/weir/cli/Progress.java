package dev.weir.cli;

import dev.weir.core.forecast.Simulation;
import java.io.PrintWriter;

/** Says how far a long simulation has come, where a person looks on. */
final class Progress implements Simulation.Watcher {
    private static final long EVERY_NANOS = 500_000_000;
    private static final int LOOKS = 1_024;

    private final PrintWriter err;
    private final boolean shown;
    private final long runs;
    private long last = System.nanoTime();
    private int looks;
    private int width;

    Progress(PrintWriter err, boolean shown, long runs) {
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
        String text = "simulating: " + Words.count(ended) + " of " + Words.count(runs) + " runs, " + Words.count(events)
                + " events, " + Words.time(now) + " of virtual time";
        err.print("\r" + Words.pad(text, width));
        err.flush();
        width = text.length();
    }

    /** Takes the line away again. */
    void done() {
        if (width > 0) {
            err.print("\r" + " ".repeat(width) + "\r");
            err.flush();
        }
    }
}
