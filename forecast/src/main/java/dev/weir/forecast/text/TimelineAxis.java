package dev.weir.forecast.text;

import dev.weir.forecast.Forecast;
import dev.weir.forecast.Forecast.Phase;
import dev.weir.forecast.StepStatistics;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;

/**
 * The columns of a timeline. They stand for equal spans of time, except that long stretches without changes are
 * cut.
 */
final class TimelineAxis {
    /** Stretches are cut if they are together more than this many times as long as the rest. */
    private static final int CUT_FACTOR = 12;

    private static final long DAY = 24 * 3_600_000_000L;
    private static final int CUTS_MAX = 5;
    private static final int CUT_COLUMNS = 3;
    /** The approximate number of times that the axis names. */
    private static final int LABEL_COUNT = 5;
    /** The fewest round time steps that the timeline must span for its columns to be aligned to them. */
    private static final int STEP_COUNT_MIN = 4;
    /** Round time steps, in microseconds. */
    private static final long[] ROUND_STEPS = roundSteps();

    private final List<Column> columns = new ArrayList<>();
    private final boolean cuts;

    /**
     * One column.
     *
     * @param cut true if it belongs to a stretch that is cut
     */
    record Column(long from, long to, boolean cut) {}

    /** A stretch of time in which nothing changes. */
    private record Stretch(long from, long to) {
        long length() {
            return to - from;
        }
    }

    private TimelineAxis(long end, Set<Stretch> cut, int width) {
        List<Stretch> pieces = pieces(end, cut);
        long shownTime = pieces.stream()
                .filter(piece -> !cut.contains(piece))
                .mapToLong(Stretch::length)
                .sum();
        int availableColumns = alignedColumnCount(shownTime, Math.max(pieces.size(), width - CUT_COLUMNS * cut.size()));
        this.cuts = !cut.isEmpty();
        long before = 0;
        for (Stretch piece : pieces) {
            if (cut.contains(piece)) {
                addColumns(piece, CUT_COLUMNS, true);
            } else {
                long first = Math.round((double) before / shownTime * availableColumns);
                before += piece.length();
                addColumns(
                        piece,
                        (int) Math.max(1, Math.round((double) before / shownTime * availableColumns) - first),
                        false);
            }
        }
    }

    private static long[] roundSteps() {
        var steps = LongStream.builder();
        for (long power = 1; power < 1_000_000; power *= 10) {
            steps.add(power).add(2 * power).add(5 * power);
        }
        for (long unit : new long[] {1_000_000, 60_000_000}) {
            for (long count : new long[] {1, 2, 5, 10, 15, 30}) {
                steps.add(unit * count);
            }
        }
        for (long hours : new long[] {1, 2, 3, 6, 12}) {
            steps.add(hours * 3_600_000_000L);
        }
        for (long days = 1; days < 100_000; days *= 10) {
            steps.add(days * DAY).add(2 * days * DAY).add(5 * days * DAY);
        }
        return steps.build().toArray();
    }

    /**
     * Returns the greatest number of columns for which a column is a round time or an even part of one. If that is
     * less than four fifths of the columns, it returns all of them.
     */
    private static int alignedColumnCount(long shownTime, int availableColumns) {
        int best = 0;
        for (long step : ROUND_STEPS) {
            long count = shownTime / step;
            if (shownTime % step == 0 && count >= STEP_COUNT_MIN && count <= availableColumns) {
                best = Math.max(best, (int) (availableColumns - availableColumns % count));
            }
        }
        return best >= availableColumns * 4 / 5 ? best : availableColumns;
    }

    static TimelineAxis of(Forecast forecast, int width) {
        long end = Math.max(1, forecast.makespan());
        return new TimelineAxis(end, chooseCuts(findStretches(forecast, end), end), width);
    }

    private static List<Stretch> findStretches(Forecast forecast, long end) {
        var changes = new TreeSet<Long>();
        changes.add(0L);
        changes.add(end);
        for (StepStatistics step : forecast.steps()) {
            for (Phase phase : Phase.values()) {
                for (long change : step.series(phase).changeTimes()) {
                    changes.add(Math.min(change, end));
                }
            }
        }
        List<Stretch> stretches = new ArrayList<>();
        Long before = null;
        for (Long change : changes) {
            if (before != null) {
                stretches.add(new Stretch(before, change));
            }
            before = change;
        }
        return stretches;
    }

    /** Returns the fewest stretches whose removal leaves little time; none if there are no such stretches. */
    private static Set<Stretch> chooseCuts(List<Stretch> stretches, long end) {
        var longest = new ArrayList<>(stretches);
        longest.sort((a, b) -> Long.compare(b.length(), a.length()));
        Set<Stretch> cut = new HashSet<>();
        long rest = end;
        for (Stretch stretch : longest.subList(0, Math.min(CUTS_MAX, longest.size()))) {
            cut.add(stretch);
            rest -= stretch.length();
            if (rest > 0 && end - rest > CUT_FACTOR * rest) {
                return cut;
            }
        }
        return Set.of();
    }

    private static List<Stretch> pieces(long end, Collection<Stretch> cut) {
        List<Stretch> pieces = new ArrayList<>();
        long at = 0;
        for (Stretch stretch :
                cut.stream().sorted((a, b) -> Long.compare(a.from, b.from)).toList()) {
            if (stretch.from > at) {
                pieces.add(new Stretch(at, stretch.from));
            }
            pieces.add(stretch);
            at = stretch.to;
        }
        if (at < end) {
            pieces.add(new Stretch(at, end));
        }
        return pieces;
    }

    private void addColumns(Stretch piece, int count, boolean cut) {
        for (int i = 0; i < count; i++) {
            long from = piece.from + Math.round((double) piece.length() / count * i);
            long to = piece.from + Math.round((double) piece.length() / count * (i + 1));
            columns.add(new Column(from, Math.max(from + 1, to), cut));
        }
    }

    List<Column> columns() {
        return columns;
    }

    boolean hasCuts() {
        return cuts;
    }

    /**
     * Returns the line of times above the columns. Each time stands where its column begins, and round times are
     * added wherever they fit.
     */
    String labels() {
        String end = HumanText.time(columns.getLast().to());
        var line = new StringBuilder(" ".repeat(Math.max(columns.size(), end.length() + 5)));
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).cut()) {
                line.setCharAt(i, '/');
            }
        }
        putIfFree(line, 0, HumanText.time(0), 0);
        putIfFree(line, line.length() - end.length(), end, 1);
        long step = labelStep();
        for (int i = 1; i < columns.size(); i++) {
            Column column = columns.get(i);
            long round = Math.ceilDiv(column.from(), step) * step;
            if (!column.cut() && round < column.to()) {
                putIfFree(line, i, HumanText.time(round), 2);
            }
        }
        return line.toString().stripTrailing();
    }

    /** Returns the smallest round time step of which only a few fit on the axis. */
    private long labelStep() {
        long shownTime = columns.stream()
                .filter(column -> !column.cut())
                .mapToLong(column -> column.to() - column.from())
                .sum();
        for (long step : ROUND_STEPS) {
            if (step * LABEL_COUNT >= shownTime) {
                return step;
            }
        }
        return ROUND_STEPS[ROUND_STEPS.length - 1];
    }

    /** Writes a text at a position if the text and this much space around it are free. */
    private static void putIfFree(StringBuilder line, int at, String text, int margin) {
        int from = Math.max(0, at - margin);
        int to = Math.min(line.length(), at + text.length() + margin);
        boolean fits =
                at + text.length() <= line.length() && line.substring(from, to).isBlank();
        if (fits) {
            line.replace(at, at + text.length(), text);
        }
    }
}
