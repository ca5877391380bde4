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
    private static final int REMARK = 17;
    /** The most rows of one step. If its items differ more, the timeline counts them instead. */
    private static final int ROWS_MAX = 6;

    private static final String LEVELS = "▁▂▃▄▅▆▇█";
    private static final String WAITING_LEVELS = "░▒▓";

    private final Forecast forecast;
    private final Canvas canvas;
    private final TimelineAxis axis;
    private final int label;
    private final List<String> lines = new ArrayList<>();
    private boolean counted;
    private boolean rested;
    private boolean waited;
    private boolean moments;

    private Timeline(Forecast forecast, Canvas canvas) {
        this.forecast = forecast;
        this.canvas = canvas;
        int longest = forecast.steps().stream().mapToInt(this::room).max().orElse(0);
        this.label = Math.min(LABEL_MAX, Math.max(title(forecast.runs()).length(), longest));
        this.axis = TimelineAxis.of(forecast, canvas.width() - label - REMARK);
    }

    static List<String> lines(Forecast forecast, Canvas canvas) {
        return new Timeline(forecast, canvas).draw();
    }

    private List<String> draw() {
        lines.add(" ".repeat(label + 1) + canvas.paint(Style.FAINT, axis.labels()));
        boolean single = !forecast.spans().isEmpty();
        if (!single && forecast.scenario().runs() > 1) {
            counts(forecast.runs());
        }
        for (StepStatistics step : forecast.steps()) {
            Map<String, Group> groups = single ? groups(step.id()) : Map.of();
            if (single && groups.size() <= ROWS_MAX) {
                groups.values().forEach(group -> row(step, group));
            } else {
                counts(step);
            }
        }
        lines.add(" ".repeat(label + 1) + canvas.paint(Style.FAINT, legend()));
        return lines;
    }

    /** Returns the width that the label of a step's rows needs, whether they count the items or name them. */
    private int room(StepStatistics step) {
        int last = String.valueOf(step.units()).length();
        boolean named = step.units() > 1 && !forecast.spans().isEmpty();
        int items = named ? step.id().length() + 2 * last + 3 : 0;
        return Math.max(title(step).length(), items);
    }

    private static String title(StepStatistics tally) {
        String name = tally.id().isEmpty() ? "runs" : tally.id();
        return tally.units() > 1 ? name + " x" + HumanText.count(tally.units()) : name;
    }

    /** Items that did the same at the same time. */
    private record Group(List<Span> spans, List<Integer> items) {}

    private Map<String, Group> groups(String step) {
        Map<Integer, List<Span>> byItem = new LinkedHashMap<>();
        for (Span span : forecast.spans()) {
            if (span.step().equals(step)) {
                byItem.computeIfAbsent(span.item(), ignored -> new ArrayList<>())
                        .add(span);
            }
        }
        Map<String, Group> groups = new LinkedHashMap<>();
        byItem.entrySet().stream().sorted(Map.Entry.comparingByKey()).forEach(entry -> {
            var what = new StringBuilder();
            entry.getValue()
                    .forEach(span -> what.append(span.phase())
                            .append(span.from())
                            .append('-')
                            .append(span.to()));
            groups.computeIfAbsent(what.toString(), ignored -> new Group(entry.getValue(), new ArrayList<>()))
                    .items
                    .add(entry.getKey());
        });
        if (groups.isEmpty()) {
            groups.put("", new Group(List.of(), List.of(UnitId.NO_ITEM)));
        }
        return groups;
    }

    private void row(StepStatistics step, Group group) {
        var cells = new StringBuilder();
        Phase before = null;
        var run = new StringBuilder();
        for (TimelineAxis.Column column : axis.columns()) {
            Phase phase = phase(group.spans, column);
            if (phase != before) {
                cells.append(paint(before, run.toString()));
                run.setLength(0);
                before = phase;
            }
            run.append(phase == null && momentIn(group.spans, column) ? moment() : glyph(phase));
        }
        cells.append(paint(before, run.toString()));
        add(name(step.id(), group.items), cells.toString(), remark(step, group));
    }

    private static String name(String step, List<Integer> items) {
        if (items.size() == 1 && items.getFirst() == UnitId.NO_ITEM) {
            return step;
        }
        boolean together = items.getLast() - items.getFirst() == items.size() - 1;
        String which = items.size() == 1
                ? "[" + items.getFirst() + "]"
                : together ? "[" + items.getFirst() + "-" + items.getLast() + "]" : " x" + items.size();
        return step + which;
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
    private boolean momentIn(List<Span> spans, TimelineAxis.Column column) {
        boolean last = column.equals(axis.columns().getLast());
        boolean found = spans.stream()
                .anyMatch(span -> span.from() == span.to()
                        && span.from() >= column.from()
                        && (span.from() < column.to() || (last && span.from() == column.to())));
        moments |= found;
        return found;
    }

    private String moment() {
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
                waited = true;
                yield canvas.paint(Style.YELLOW, cells);
            }
            case RESTING -> {
                rested = true;
                yield canvas.paint(Style.BLUE, cells);
            }
        };
    }

    /** Adds rows with the number of units in flight and of those that wait, relative to their peaks. */
    private void counts(StepStatistics tally) {
        int running = tally.series(Phase.RUNNING).peak();
        int waiting = tally.series(Phase.WAITING).peak();
        int resting = tally.series(Phase.RESTING).peak();
        boolean rests = running == 0 && resting > 0;
        counted = true;
        Phase main = rests ? Phase.RESTING : Phase.RUNNING;
        String most = HumanText.count(Math.max(running, resting)) + (rests ? " resting" : " running");
        String remark = running + resting > 0 ? most : tally.completed() > 0 ? "instant" : "";
        add(title(tally), paint(main, levels(tally, main)), remark);
        if (waiting > 0) {
            add("", paint(Phase.WAITING, levels(tally, Phase.WAITING)), HumanText.count(waiting) + " waiting");
        }
    }

    private String levels(StepStatistics tally, Phase phase) {
        String scale = scale(phase);
        int peak = Math.max(1, tally.series(phase).peak());
        var cells = new StringBuilder();
        for (TimelineAxis.Column column : axis.columns()) {
            double mean = tally.series(phase).area(column.from(), column.to()) / (column.to() - column.from());
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

    private void add(String name, String cells, String remark) {
        lines.add((HumanText.pad(HumanText.fit(name, label), label) + " " + cells
                        + (remark.isEmpty() ? "" : "  " + remark))
                .stripTrailing());
    }

    private String legend() {
        List<String> parts = new ArrayList<>();
        if (counted) {
            parts.add(canvas.pick("▁▄█ running", "1..9 running") + " (share of the peak)");
            parts.add(canvas.pick("░▒▓", ". : |") + " waiting");
        } else {
            parts.add(glyph(Phase.RUNNING) + " running");
            if (waited) {
                parts.add(glyph(Phase.WAITING) + " waiting for a limit");
            }
        }
        if (moments) {
            parts.add(moment() + " instant");
        }
        if (rested) {
            parts.add("~ resting");
        }
        if (axis.hasCuts()) {
            parts.add("/// idle time omitted");
        }
        return String.join("   ", parts);
    }
}
