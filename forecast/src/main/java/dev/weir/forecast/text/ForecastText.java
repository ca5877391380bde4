package dev.weir.forecast.text;

import dev.weir.core.limit.LimitId;
import dev.weir.forecast.Forecast;
import dev.weir.forecast.Forecast.Limit;
import dev.weir.forecast.Forecast.Wait;
import dev.weir.forecast.StepStatistics;
import dev.weir.forecast.text.Canvas.Style;
import dev.weir.forecast.text.LimitFamilies.Family;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Formats a forecast for people. */
public final class ForecastText {
    /** The most limits, and the most causes of waiting, that are listed. */
    static final int LISTED_MAX = 8;

    private static final int TITLE_WIDTH = 12;

    private final Forecast forecast;
    private final Canvas canvas;
    private final LimitFamilies families;
    private final List<String> lines = new ArrayList<>();

    private ForecastText(Forecast forecast, Canvas canvas) {
        this.forecast = forecast;
        this.canvas = canvas;
        this.families = LimitFamilies.of(forecast.scenario().workflow());
    }

    public static List<String> page(Forecast forecast, List<String> notes, Canvas canvas) {
        var text = new ForecastText(forecast, canvas);
        text.addHeader();
        notes.forEach(note -> text.lines.add(canvas.paint(Style.FAINT, "  " + note)));
        text.lines.add("");
        if (!forecast.steps().isEmpty()) {
            text.lines.addAll(Timeline.lines(forecast, canvas));
            text.lines.add("");
        }
        text.addTotals();
        text.addLimits();
        text.addWaits();
        text.addWarnings();
        return text.lines;
    }

    private void addHeader() {
        long runs = forecast.scenario().runs();
        String what = runs == 1 ? "one run" : HumanText.count(runs) + " runs";
        String name = forecast.scenario().workflow().name();
        lines.add(canvas.paint(Style.BOLD, name) + ": " + what + " in virtual time, " + outcome());
    }

    private String outcome() {
        StepStatistics runs = forecast.runs();
        List<String> parts = new ArrayList<>();
        addCount(parts, runs.completed(), "completed");
        addCount(parts, runs.failed(), "failed");
        addCount(parts, runs.cancelled(), "cancelled");
        addCount(parts, forecast.unfinished(), "unfinished");
        return String.join(", ", parts);
    }

    private void addCount(List<String> parts, long count, String word) {
        if (count > 0) {
            parts.add(count == forecast.scenario().runs() ? word : HumanText.count(count) + " " + word);
        }
    }

    private void addTotals() {
        lines.add(title("makespan") + HumanText.time(forecast.makespan()));
        long starts = forecast.starts();
        String steps = HumanText.count(starts) + (starts == 1 ? " step start" : " step starts") + ", "
                + HumanText.rate(starts, forecast.makespan());
        boolean hasSeveralRuns = forecast.scenario().runs() > 1;
        long ended = forecast.scenario().runs() - forecast.unfinished();
        lines.add(title("throughput")
                + (hasSeveralRuns ? "runs: " + HumanText.rate(ended, forecast.makespan()) + "; " : "")
                + steps);
    }

    private String title(String word) {
        return canvas.paint(Style.BOLD, word) + " ".repeat(TITLE_WIDTH - word.length());
    }

    private void addLimits() {
        List<Family> all =
                families.group(forecast.limits().stream().filter(this::isListed).toList());
        if (all.isEmpty()) {
            lines.add(title("limits") + "none");
            return;
        }
        List<Family> first = all.subList(0, Math.min(LISTED_MAX, all.size()));
        int width =
                first.stream().mapToInt(family -> family.name().length()).max().orElse(0);
        List<String> peaks = first.stream().map(ForecastText::describePeak).toList();
        int peakWidth = peaks.stream().mapToInt(String::length).max().orElse(0);
        String title = title("limits");
        for (int i = 0; i < first.size(); i++) {
            Family family = first.get(i);
            String each = family.members() == 1 ? "" : ", " + HumanText.count(family.members()) + " of them";
            lines.add(title + HumanText.pad(family.name(), width + 2) + HumanText.pad(peaks.get(i), peakWidth + 2)
                    + "mean " + HumanText.percent(family.utilisation()) + each);
            title = " ".repeat(TITLE_WIDTH);
        }
        addOmittedCount(all.size(), "limits");
    }

    /**
     * Returns true if the limit is listed. Every run may have its own run key, so run keys are listed only if a run
     * waited for one.
     */
    private boolean isListed(Limit limit) {
        return !(limit.name().limit() instanceof LimitId.RunKey)
                || forecast.waits().stream().anyMatch(wait -> wait.name().limit() instanceof LimitId.RunKey);
    }

    private static String describePeak(Family family) {
        Limit limit = family.fullest();
        String window = limit.period() == 0 ? "" : " starts in " + HumanText.time(limit.period());
        return "peak " + HumanText.count(limit.peak()) + " of " + HumanText.count(limit.max()) + window;
    }

    private void addOmittedCount(int size, String what) {
        if (size > LISTED_MAX) {
            lines.add(" ".repeat(TITLE_WIDTH) + "and " + HumanText.count(size - LISTED_MAX) + " more " + what
                    + " (-o json lists all)");
        }
    }

    /** Adds the causes of waiting, each with the step that waited most for it. */
    private void addWaits() {
        long all = forecast.totalWaitTime();
        if (all == 0) {
            lines.add(title("waiting") + "nothing waited for a limit");
            return;
        }
        List<Map.Entry<String, List<Wait>>> names = waitsByName();
        String title = title("waiting");
        for (var entry : names.subList(0, Math.min(LISTED_MAX, names.size()))) {
            long time = sum(entry.getValue());
            String share =
                    names.size() == 1 ? HumanText.time(all) : HumanText.time(time) + " of " + HumanText.time(all);
            lines.add(title + share + " for " + entry.getKey() + describeTopStep(entry.getValue()));
            title = " ".repeat(TITLE_WIDTH);
        }
        addOmittedCount(names.size(), "causes");
        if (names.size() > 1) {
            lines.add(" ".repeat(TITLE_WIDTH)
                    + canvas.paint(
                            Style.FAINT, "if several limits hold a step, its waiting time counts for the first one"));
        }
    }

    /**
     * Groups the waits by cause, longest first. A family of which only one member was waited for gets that member's
     * name.
     */
    private List<Map.Entry<String, List<Wait>>> waitsByName() {
        Map<String, List<Wait>> byName = new LinkedHashMap<>();
        for (Wait wait : forecast.waits()) {
            byName.computeIfAbsent(families.familyName(wait.name()), ignored -> new ArrayList<>())
                    .add(wait);
        }
        List<Map.Entry<String, List<Wait>>> names = new ArrayList<>();
        byName.forEach((name, waits) -> {
            boolean isSingle = waits.stream().map(Wait::name).distinct().count() == 1;
            names.add(Map.entry(isSingle ? waits.getFirst().name().toString() : name, waits));
        });
        names.sort((a, b) -> Long.compare(sum(b.getValue()), sum(a.getValue())));
        return names;
    }

    /** Returns the step that waited most, and for how long if other steps waited too. */
    private static String describeTopStep(List<Wait> waits) {
        Map<String, Long> bySteps = new LinkedHashMap<>();
        waits.forEach(wait -> bySteps.merge(wait.step(), wait.time(), Long::sum));
        var first = Collections.max(bySteps.entrySet(), Map.Entry.comparingByValue());
        String who = first.getKey().isEmpty() ? "runs" : first.getKey();
        return bySteps.size() == 1 ? " (" + who + ")" : " (" + who + " most: " + HumanText.time(first.getValue()) + ")";
    }

    private static long sum(List<Wait> waits) {
        return waits.stream().mapToLong(Wait::time).sum();
    }

    private void addWarnings() {
        List<String> warnings = forecast.warnings();
        if (!warnings.isEmpty()) {
            lines.add("");
            warnings.forEach(warning -> lines.add(canvas.paint(Style.YELLOW, "warning: ") + warning));
        }
    }
}
