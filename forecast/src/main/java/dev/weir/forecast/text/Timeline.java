package dev.weir.forecast.text;

import dev.weir.core.state.UnitId;
import dev.weir.forecast.Forecast;
import dev.weir.forecast.Forecast.Phase;
import dev.weir.forecast.Forecast.Span;
import dev.weir.forecast.StepStatistics;
import dev.weir.forecast.text.Canvas.Style;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Draws a timeline in plain characters. Each step has a row; items of a step that did the same at the same time
 * share one.
 */
final class Timeline {
    private static final int LABEL_MAX = 26;
    private static final int REMARK_WIDTH = 17;
    /** The most rows of one step. If its items differ more, the timeline counts them instead. */
    private static final int ROWS_MAX = 6;

    private static final String LEVELS = "▁▂▃▄▅▆▇█";
    private static final String WAITING_LEVELS = "░▒▓";

    private final Forecast forecast;
    private final Canvas canvas;
    private final TimelineAxis axis;
    private final int labelWidth;
    private final List<String> lines = new ArrayList<>();
    private boolean showsCounts;
    private boolean showsResting;
    private boolean showsWaiting;
    private boolean showsInstants;

    private Timeline(Forecast forecast, Canvas canvas) {
        this.forecast = forecast;
        this.canvas = canvas;
        int longest =
                forecast.steps().stream().mapToInt(this::labelWidthOf).max().orElse(0);
        this.labelWidth = Math.min(LABEL_MAX, Math.max(title(forecast.runs()).length(), longest));
        this.axis = TimelineAxis.of(forecast, canvas.width() - labelWidth - REMARK_WIDTH);
    }

    static List<String> lines(Forecast forecast, Canvas canvas) {
        return new Timeline(forecast, canvas).draw();
    }

    private List<String> draw() {
        lines.add(" ".repeat(labelWidth + 1) + canvas.paint(Style.FAINT, axis.labels()));
        boolean hasSpans = !forecast.spans().isEmpty();
        if (!hasSpans && forecast.scenario().runs() > 1) {
            addCounts(forecast.runs());
        }
        for (StepStatistics step : forecast.steps()) {
            Map<String, Group> groups = hasSpans ? groupItems(step.id()) : Map.of();
            if (hasSpans && groups.size() <= ROWS_MAX) {
                groups.values().forEach(group -> addRow(step, group));
            } else {
                addCounts(step);
            }
        }
        lines.add(" ".repeat(labelWidth + 1) + canvas.paint(Style.FAINT, legend()));
        return lines;
    }

    /** Returns the width that the label of a step's rows needs, whether they count the items or name them. */
    private int labelWidthOf(StepStatistics step) {
        int last = String.valueOf(step.units()).length();
        boolean named = step.units() > 1 && !forecast.spans().isEmpty();
        int items = named ? step.id().length() + 2 * last + 3 : 0;
        return Math.max(title(step).length(), items);
    }

    private static String title(StepStatistics statistics) {
        String name = statistics.id().isEmpty() ? "runs" : statistics.id();
        return statistics.units() > 1 ? name + " x" + HumanText.count(statistics.units()) : name;
    }

    /** Items that did the same at the same time. */
    private record Group(List<Span> spans, List<Integer> items) {}

    private Map<String, Group> groupItems(String step) {
        Map<Integer, List<Span>> byItem = new LinkedHashMap<>();
        for (Span span : forecast.spans()) {
            if (span.step().equals(step)) {
                byItem.computeIfAbsent(span.item(), ignored -> new ArrayList<>())
                        .add(span);
            }
        }
        Map<String, Group> groups = new LinkedHashMap<>();
        byItem.entrySet().stream().sorted(Map.Entry.comparingByKey()).forEach(entry -> {
            var key = new StringBuilder();
            entry.getValue()
                    .forEach(span -> key.append(span.phase())
                            .append(span.from())
                            .append('-')
                            .append(span.to()));
            groups.computeIfAbsent(key.toString(), ignored -> new Group(entry.getValue(), new ArrayList<>()))
                    .items
                    .add(entry.getKey());
        });
        if (groups.isEmpty()) {
            groups.put("", new Group(List.of(), List.of(UnitId.NO_ITEM)));
        }
        return groups;
    }

    private void addRow(StepStatistics step, Group group) {
        var cells = new StringBuilder();
        Phase previous = null;
        var segment = new StringBuilder();
        for (TimelineAxis.Column column : axis.columns()) {
            Phase phase = phase(group.spans, column);
            if (phase != previous) {
                cells.append(paint(previous, segment.toString()));
                segment.setLength(0);
                previous = phase;
            }
            segment.append(phase == null && hasInstantIn(group.spans, column) ? instantGlyph() : glyph(phase));
        }
        cells.append(paint(previous, segment.toString()));
        addLine(name(step.id(), group.items), cells.toString(), remark(step, group));
    }

    private static String name(String step, List<Integer> items) {
        if (items.size() == 1 && items.getFirst() == UnitId.NO_ITEM) {
            return step;
        }
        boolean consecutive = items.getLast() - items.getFirst() == items.size() - 1;
        String suffix = items.size() == 1
                ? "[" + items.getFirst() + "]"
                : consecutive ? "[" + items.getFirst() + "-" + items.getLast() + "]" : " x" + items.size();
        return step + suffix;
    }

    private static String remark(StepStatistics step, Group group) {
        if (step.skipped() > 0 && group.spans.isEmpty()) {
            return "skipped";
        }
        int count = group.items.size();
        return count > 1 ? count + " items" : "";
    }

    private @Nullable Phase phase(List<Span> spans, TimelineAxis.Column column) {
        Phase found = null;
        for (Span span : spans) {
            if (span.from() < column.to() && span.to() > column.from() && span.from() < span.to()) {
                if (span.phase() == Phase.RUNNING) {
                    return Phase.RUNNING;
                }
                found = span.phase() == Phase.WAITING ? Phase.WAITING : found == null ? span.phase() : found;
            }
        }
        return found;
    }

    /** Returns true if a span without duration lies in the column. */
    private boolean hasInstantIn(List<Span> spans, TimelineAxis.Column column) {
        boolean last = column.equals(axis.columns().getLast());
        boolean found = spans.stream()
                .anyMatch(span -> span.from() == span.to()
                        && span.from() >= column.from()
                        && (span.from() < column.to() || (last && span.from() == column.to())));
        showsInstants |= found;
        return found;
    }

    private String instantGlyph() {
        return canvas.pick("╵", "'");
    }

    private String glyph(@Nullable Phase phase) {
        return switch (phase) {
            case null -> " ";
            case RUNNING -> canvas.pick("█", "#");
            case WAITING -> canvas.pick("·", ".");
            case RESTING -> "~";
        };
    }

    private String paint(@Nullable Phase phase, String cells) {
        return switch (phase) {
            case null -> cells;
            case RUNNING -> canvas.paint(Style.GREEN, cells);
            case WAITING -> {
                showsWaiting = true;
                yield canvas.paint(Style.YELLOW, cells);
            }
            case RESTING -> {
                showsResting = true;
                yield canvas.paint(Style.BLUE, cells);
            }
        };
    }

    /** Adds rows with the number of units in flight and of those that wait, relative to their peaks. */
    private void addCounts(StepStatistics statistics) {
        int running = statistics.series(Phase.RUNNING).peak();
        int waiting = statistics.series(Phase.WAITING).peak();
        int resting = statistics.series(Phase.RESTING).peak();
        boolean onlyRests = running == 0 && resting > 0;
        showsCounts = true;
        Phase main = onlyRests ? Phase.RESTING : Phase.RUNNING;
        String peakText = HumanText.count(Math.max(running, resting)) + (onlyRests ? " resting" : " running");
        String remark = running + resting > 0 ? peakText : statistics.completed() > 0 ? "instant" : "";
        addLine(title(statistics), paint(main, levelCells(statistics, main)), remark);
        if (waiting > 0) {
            addLine(
                    "",
                    paint(Phase.WAITING, levelCells(statistics, Phase.WAITING)),
                    HumanText.count(waiting) + " waiting");
        }
    }

    private String levelCells(StepStatistics statistics, Phase phase) {
        String scale = scale(phase);
        int peak = Math.max(1, statistics.series(phase).peak());
        var cells = new StringBuilder();
        for (TimelineAxis.Column column : axis.columns()) {
            double mean = statistics.series(phase).area(column.from(), column.to()) / (column.to() - column.from());
            int level = (int) Math.ceil(mean / peak * scale.length());
            cells.append(mean == 0 ? ' ' : scale.charAt(Math.max(0, Math.min(scale.length(), level) - 1)));
        }
        return cells.toString();
    }

    private String scale(Phase phase) {
        return switch (phase) {
            case RUNNING -> canvas.pick(LEVELS, "123456789");
            case WAITING -> canvas.pick(WAITING_LEVELS, ".:|");
            case RESTING -> "~";
        };
    }

    private void addLine(String name, String cells, String remark) {
        lines.add((HumanText.pad(HumanText.truncate(name, labelWidth), labelWidth) + " " + cells
                        + (remark.isEmpty() ? "" : "  " + remark))
                .stripTrailing());
    }

    private String legend() {
        List<String> parts = new ArrayList<>();
        if (showsCounts) {
            parts.add(canvas.pick("▁▄█ running", "1..9 running") + " (share of the peak)");
            parts.add(canvas.pick("░▒▓", ". : |") + " waiting");
        } else {
            parts.add(glyph(Phase.RUNNING) + " running");
            if (showsWaiting) {
                parts.add(glyph(Phase.WAITING) + " waiting for a limit");
            }
        }
        if (showsInstants) {
            parts.add(instantGlyph() + " instant");
        }
        if (showsResting) {
            parts.add("~ resting");
        }
        if (axis.hasCuts()) {
            parts.add("/// idle time omitted");
        }
        return String.join("   ", parts);
    }
}
