package dev.weir.cli;

import dev.weir.api.LiveEvent;
import dev.weir.api.WireJson;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.List;
import picocli.CommandLine;
import tools.jackson.databind.node.ObjectNode;

/**
 * The output of a command that watches: a block of lines that is painted again on a terminal, lines that follow each
 * other in a file or pipe, or one JSON object per line. Texts of other people cannot control the terminal.
 */
final class WatchOutput {
    /** The exit code of a command that the user has interrupted. */
    static final int EXIT_INTERRUPTED = 130;

    private static final String ESCAPE = "\u001b[";

    private final PrintWriter out;
    private final Terminal terminal;
    private final Mode mode;
    private int paintedLines;

    /** The form of the output. */
    enum Mode {
        SCREEN,
        LINES,
        JSON
    }

    WatchOutput(PrintWriter out, Terminal terminal, Mode mode) {
        this.out = out;
        this.terminal = terminal;
        this.mode = mode;
    }

    static WatchOutput of(CommandLine command, OutputOptions output) {
        boolean json = output.format() == OutputOptions.Format.JSON;
        Mode mode = json ? Mode.JSON : Terminal.isInteractive() ? Mode.SCREEN : Mode.LINES;
        var terminal = new Terminal(
                Terminal.detectWidth(),
                Terminal.detectUnicode(),
                command.getColorScheme().ansi());
        return new WatchOutput(command.getOut(), terminal, mode);
    }

    Mode mode() {
        return mode;
    }

    Terminal terminal() {
        return terminal;
    }

    /** Paints a block of lines over the previous one. */
    void paint(List<String> lines) {
        if (paintedLines > 0) {
            out.print(ESCAPE + paintedLines + "A" + ESCAPE + "J");
        }
        lines.forEach(this::plainLine);
        paintedLines = lines.size();
        out.flush();
    }

    /** Prints a line that begins with the time of day. */
    void line(Instant at, String text) {
        LocalTime time = at.atZone(ZoneId.systemDefault()).toLocalTime().truncatedTo(ChronoUnit.SECONDS);
        plainLine(time.format(java.time.format.DateTimeFormatter.ISO_LOCAL_TIME) + " " + text);
        out.flush();
    }

    /** Prints an event as one line of JSON. */
    void json(LiveEvent event) {
        ObjectNode line = WireJson.STRICT.createObjectNode().put("event", name(event));
        if (!(event instanceof LiveEvent.Opened)) {
            line.setAll((ObjectNode) WireJson.STRICT.valueToTree(event));
        }
        out.println(WireJson.STRICT.writeValueAsString(line));
        out.flush();
    }

    private static String name(LiveEvent event) {
        return switch (event) {
            case LiveEvent.Opened ignored -> LiveEvent.Opened.NAME;
            case LiveEvent.Reset ignored -> LiveEvent.Reset.NAME;
            case LiveEvent.RunEvent ignored -> LiveEvent.RunEvent.NAME;
            case LiveEvent.StepEvent ignored -> LiveEvent.StepEvent.NAME;
            case LiveEvent.KeyEvent ignored -> LiveEvent.KeyEvent.NAME;
            case LiveEvent.DeadLetterEvent ignored -> LiveEvent.DeadLetterEvent.NAME;
            case LiveEvent.NoticeEvent ignored -> LiveEvent.NoticeEvent.NAME;
        };
    }

    /** Prints a line without characters that control the terminal. */
    void plainLine(String text) {
        String plain = ResultPrinter.toPlainLine(text);
        boolean tooLong = mode == Mode.SCREEN && plain.length() >= terminal.width();
        out.println(tooLong ? plain.substring(0, terminal.width() - 1) : plain);
    }

    /** True if nobody reads the output any more, such as after {@code | head}. */
    boolean isClosed() {
        return out.checkError();
    }
}
