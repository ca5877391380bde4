package dev.weir.cli;

import dev.weir.core.forecast.Forecast;
import dev.weir.core.forecast.Forecast.Phase;
import dev.weir.core.forecast.Tally;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;

/** The columns of a timeline: equal pieces of time, save for long stretches in which nothing changes, which are cut. */
final class Axis {
    /** Stretches are cut if all the rest is less than this part of them. */
    private static final int CUT_FACTOR = 12;

    private static final long DAY = 24 * 3_600_000_000L;
    private static final int CUTS_MAX = 5;
    private static final int CUT_COLUMNS = 3;
    /** Times that are named at the most, about. */
    private static final int LABELS = 5;
    /** Round times that a timeline must have for its columns to be made even. */
    private static final int COUNT_MIN = 4;
    /** Round times, in microseconds. */
    private static final long[] STEPS = steps();

    private final List<Column> columns = new ArrayList<>();
    private final boolean cuts;

    /**
     * One column.
     *
     * @param cut whether it is part of a stretch that is cut
     */
    record Column(long from, long to, boolean cut) {}

    /** A time in which nothing changes. */
    private record Stretch(long from, long to) {
        long length() {
            return to - from;
        }
    }

    private Axis(long end, Set<Stretch> cut, int width) {
        List<Stretch> pieces = pieces(end, cut);
        long kept = pieces.stream()
                .filter(piece -> !cut.contains(piece))
                .mapToLong(Stretch::length)
                .sum();
        int free = even(kept, Math.max(pieces.size(), width - CUT_COLUMNS * cut.size()));
        this.cuts = !cut.isEmpty();
        long before = 0;
        for (Stretch piece : pieces) {
            if (cut.contains(piece)) {
                split(piece, CUT_COLUMNS, true);
            } else {
                long first = Math.round((double) before / kept * free);
                before += piece.length();
                split(piece, (int) Math.max(1, Math.round((double) before / kept * free) - first), false);
            }
        }
    }

    private static long[] steps() {
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

    /** The most columns, of nearly all, in which a column is a round time or an even part of one. */
    private static int even(long kept, int free) {
        int best = 0;
        for (long step : STEPS) {
            long count = kept / step;
            if (kept % step == 0 && count >= COUNT_MIN && count <= free) {
                best = Math.max(best, (int) (free - free % count));
            }
        }
        return best >= free * 4 / 5 ? best : free;
    }

    static Axis of(Forecast forecast, int width) {
        long end = Math.max(1, forecast.makespan());
        return new Axis(end, cut(stretches(forecast, end), end), width);
    }

    private static List<Stretch> stretches(Forecast forecast, long end) {
        var changes = new TreeSet<Long>();
        changes.add(0L);
        changes.add(end);
        for (Tally step : forecast.steps()) {
            for (Phase phase : Phase.values()) {
                for (long change : step.series(phase).changes()) {
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

    /** The fewest stretches that leave little beside them; none if there are no such. */
    private static Set<Stretch> cut(List<Stretch> stretches, long end) {
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

    private void split(Stretch piece, int count, boolean cut) {
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

    /** The line of times above the columns: each stands where its column begins, round ones wherever they fit. */
    String labels() {
        String end = Words.time(columns.getLast().to());
        var line = new StringBuilder(" ".repeat(Math.max(columns.size(), end.length() + 5)));
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).cut()) {
                line.setCharAt(i, '/');
            }
        }
        put(line, 0, Words.time(0), 0);
        put(line, line.length() - end.length(), end, 1);
        long step = step();
        for (int i = 1; i < columns.size(); i++) {
            Column column = columns.get(i);
            long round = Math.ceilDiv(column.from(), step) * step;
            if (!column.cut() && round < column.to()) {
                put(line, i, Words.time(round), 2);
            }
        }
        return line.toString().stripTrailing();
    }

    /** The smallest round time of which a few fit beside each other. */
    private long step() {
        long kept = columns.stream()
                .filter(column -> !column.cut())
                .mapToLong(column -> column.to() - column.from())
                .sum();
        for (long step : STEPS) {
            if (step * LABELS >= kept) {
                return step;
            }
        }
        return STEPS[STEPS.length - 1];
    }

    /** Puts a text where there is room for it and so much around it. */
    private static void put(StringBuilder line, int at, String text, int around) {
        int from = Math.max(0, at - around);
        int to = Math.min(line.length(), at + text.length() + around);
        boolean fits =
                at + text.length() <= line.length() && line.substring(from, to).isBlank();
        if (fits) {
            line.replace(at, at + text.length(), text);
        }
    }
}
