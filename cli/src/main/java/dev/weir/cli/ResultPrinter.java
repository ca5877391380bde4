package dev.weir.cli;

import dev.weir.api.Runs;
import dev.weir.api.WireJson;
import dev.weir.forecast.text.HumanText;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Prints the result of a command: columns for people, JSON for programs. */
final class ResultPrinter {
    private static final String GAP = "  ";

    private final PrintWriter out;
    private final OutputOptions output;

    ResultPrinter(PrintWriter out, OutputOptions output) {
        this.out = out;
        this.output = output;
    }

    /** Prints a result as JSON if the user asked for that. Returns false if nothing was printed. */
    boolean json(Object answer) {
        if (output.format() == OutputOptions.Format.TEXT) {
            return false;
        }
        out.println(WireJson.STRICT.writerWithDefaultPrettyPrinter().writeValueAsString(answer));
        return true;
    }

    void line(String text) {
        out.println(toPlainLine(text));
    }

    /** Returns a text on one line, without characters that control the terminal. */
    static String toPlainLine(String text) {
        var result = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char at = text.charAt(i);
            result.append(Character.isWhitespace(at) ? ' ' : TerminalWriter.printable(at));
        }
        return result.toString();
    }

    /** Prints rows as a table. The first row is the heading. */
    void table(List<List<String>> rows) {
        tableLines(rows).forEach(this::line);
    }

    /** Returns the lines of a table. */
    static List<String> tableLines(List<List<String>> rows) {
        int[] widths = new int[rows.getFirst().size()];
        for (List<String> row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        List<String> lines = new ArrayList<>();
        for (List<String> row : rows) {
            List<String> cells = new ArrayList<>();
            for (int i = 0; i < widths.length; i++) {
                cells.add(HumanText.pad(row.get(i), widths[i]));
            }
            lines.add(String.join(GAP, cells).stripTrailing());
        }
        return lines;
    }

    /** Formats the time since an instant. */
    static String ago(@Nullable Instant at) {
        return at == null ? "" : HumanText.time(micros(Duration.between(at, Instant.now()))) + " ago";
    }

    static String duration(@Nullable Instant from, @Nullable Instant to) {
        return from == null || to == null ? "" : HumanText.time(micros(Duration.between(from, to)));
    }

    /** Joins an action and the resulting state, or prints the word once if they are the same. */
    static String actionAndState(String done, String state) {
        return done.equals(state) ? done : done + ", " + state;
    }

    private static long micros(Duration duration) {
        return Math.max(0, duration.toMillis() * 1_000);
    }

    /** Returns the remark about a near deadline that follows a run's state. */
    static String deadlineNote(Runs.@Nullable Deadline deadline) {
        return deadline != null && deadline.near() ? ", deadline near" : "";
    }

    static String textOrEmpty(@Nullable Object value) {
        return value == null ? "" : value.toString();
    }
}
