package dev.weir.cli;

import dev.weir.api.Json;
import dev.weir.api.Runs;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a command prints: columns for people, JSON for programs. */
final class Page {
    private static final String GAP = "  ";

    private final PrintWriter out;
    private final Output output;

    Page(PrintWriter out, Output output) {
        this.out = out;
        this.output = output;
    }

    /** Prints an answer as JSON, where that is asked for. */
    boolean json(Object answer) {
        if (output.format() == Output.Format.TEXT) {
            return false;
        }
        out.println(Json.STRICT.writerWithDefaultPrettyPrinter().writeValueAsString(answer));
        return true;
    }

    void line(String text) {
        out.println(plain(text));
    }

    /** What others have written is shown, and never followed: it may hold commands to the terminal. */
    static String plain(String text) {
        var shown = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char at = text.charAt(i);
            shown.append(Character.isWhitespace(at) ? ' ' : Character.isISOControl(at) ? '\uFFFD' : at);
        }
        return shown.toString();
    }

    /** Prints rows below each other; the first is the heading. */
    void table(List<List<String>> rows) {
        int[] widths = new int[rows.getFirst().size()];
        for (List<String> row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        for (List<String> row : rows) {
            List<String> cells = new ArrayList<>();
            for (int i = 0; i < widths.length; i++) {
                cells.add(Words.pad(row.get(i), widths[i]));
            }
            line(String.join(GAP, cells).stripTrailing());
        }
    }

    /** How long ago something was. */
    static String ago(@Nullable Instant at) {
        return at == null ? "" : Words.time(micros(Duration.between(at, Instant.now()))) + " ago";
    }

    static String span(@Nullable Instant from, @Nullable Instant to) {
        return from == null || to == null ? "" : Words.time(micros(Duration.between(from, to)));
    }

    private static long micros(Duration duration) {
        return Math.max(0, duration.toMillis() * 1_000);
    }

    /** What is said beside a state. */
    static String deadline(Runs.@Nullable Deadline deadline) {
        return deadline != null && deadline.near() ? ", deadline near" : "";
    }

    static String text(@Nullable Object value) {
        return value == null ? "" : value.toString();
    }
}
