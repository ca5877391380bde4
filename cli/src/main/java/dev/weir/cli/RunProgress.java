package dev.weir.cli;

import dev.weir.api.Runs.Items;
import dev.weir.api.Runs.RunView;
import dev.weir.api.Runs.StepView;
import dev.weir.api.Why;
import dev.weir.forecast.text.HumanText;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/** Formats the progress of a run: a bar for the run, and a bar and the reason to wait for each step. */
final class RunProgress {
    /** The number of steps that are listed, so that the block fits on a screen. */
    static final int STEPS_MAX = 30;

    private static final int BAR_WIDTH = 20;
    private static final Set<String> ENDED = Set.of("completed", "failed", "cancelled", "skipped");

    private RunProgress() {}

    /** Returns the lines of the block. */
    static List<String> lines(RunView run, boolean unicode, Instant now) {
        List<StepView> steps = run.steps();
        long ended = steps.stream().filter(RunProgress::isEnded).count();
        List<String> lines = new ArrayList<>();
        Instant end = run.endedAt() == null ? now : run.endedAt();
        lines.add(run.id() + " of " + run.workflow() + " v" + run.version() + "  "
                + bar(ended, steps.size(), unicode) + " " + ended + " of " + steps.size() + " steps  " + run.state()
                + " for " + ResultPrinter.duration(run.acceptedAt(), end));
        if (run.why() != null && !run.why().isEmpty()) {
            lines.add("  waits: " + run.why().getFirst().message());
        }
        int width = steps.stream().mapToInt(step -> step.id().length()).max().orElse(0);
        // A long run shows its open steps. The sort keeps the definition's order otherwise.
        List<StepView> shown = steps.size() <= STEPS_MAX
                ? steps
                : steps.stream()
                        .sorted(Comparator.comparing(RunProgress::isEnded))
                        .limit(STEPS_MAX)
                        .toList();
        shown.forEach(step -> lines.add("  " + HumanText.pad(step.id(), width) + "  " + describe(step, unicode)));
        if (shown.size() < steps.size()) {
            lines.add("  … and " + (steps.size() - shown.size()) + " more steps");
        }
        return lines;
    }

    private static boolean isEnded(StepView step) {
        return ENDED.contains(step.state());
    }

    private static String describe(StepView step, boolean unicode) {
        Items items = step.items();
        String bar =
                items == null ? bar(isEnded(step) ? 1 : 0, 1, unicode) : bar(items.ended(), items.total(), unicode);
        return bar + " " + step.state() + (items == null ? "" : ", " + describe(items)) + waits(step);
    }

    /** Describes the progress of a fan-out. */
    static String describe(Items items) {
        return items.ended() + " of " + items.total() + " items, " + items.inFlight() + " running"
                + (items.failed() == 0 ? "" : ", " + items.failed() + " failed");
    }

    /** Describes what a step waits for; empty if it does not wait. */
    static String waits(StepView step) {
        if (step.error() != null && isEnded(step)) {
            return ": " + step.error();
        }
        Why.Reason reason = step.reason();
        return reason == null || isEnded(step) || reason.reason().equals("already_running")
                ? ""
                : ", waits: " + reason.message();
    }

    /** Returns a bar of constant width. */
    static String bar(long done, long total, boolean unicode) {
        int full = total <= 0 ? 0 : (int) Math.min(BAR_WIDTH, done * BAR_WIDTH / total);
        return unicode
                ? "█".repeat(full) + "░".repeat(BAR_WIDTH - full)
                : "[" + "#".repeat(full) + "-".repeat(BAR_WIDTH - full) + "]";
    }
}
