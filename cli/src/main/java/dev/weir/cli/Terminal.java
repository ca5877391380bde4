package dev.weir.cli;

import dev.weir.forecast.text.Canvas;
import java.io.Console;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;

/**
 * The capabilities of the terminal or file that a command prints to.
 *
 * @param width the number of columns
 * @param unicode true if it can show characters other than ASCII
 */
record Terminal(int width, boolean unicode, Ansi ansi) implements Canvas {
    static final int DEFAULT_WIDTH = 100;
    static final int WIDTH_MIN = 60;
    static final int WIDTH_MAX = 200;

    Terminal {
        width = Math.max(WIDTH_MIN, Math.min(WIDTH_MAX, width));
    }

    /** Returns the width of the terminal, or the default if there is none. */
    static int detectWidth() {
        return isInteractive()
                ? CommandSpec.create().usageMessage().autoWidth(true).width()
                : DEFAULT_WIDTH;
    }

    static boolean detectUnicode() {
        return System.getProperty("stdout.encoding", "")
                .toUpperCase(Locale.ROOT)
                .contains("UTF-8");
    }

    /** Returns true if a person uses the terminal. Java 22 and later return a console even if there is no terminal. */
    @SuppressWarnings("SystemConsoleNull") // null on Java 21; later versions are asked isTerminal below
    static boolean isInteractive() {
        Console console = System.console();
        if (console == null) {
            return false;
        }
        try {
            return Boolean.TRUE.equals(Console.class.getMethod("isTerminal").invoke(console));
        } catch (NoSuchMethodException e) {
            return true;
        } catch (ReflectiveOperationException e) {
            return false;
        }
    }

    @Override
    public String paint(Style style, String text) {
        return text.isEmpty() ? text : applyStyle(ansi, style, text);
    }

    private static String applyStyle(Ansi ansi, Style style, String text) {
        return ansi.string("@|" + style.name().toLowerCase(Locale.ROOT) + " " + text + "|@");
    }

    /**
     * Returns the escape sequences that {@link #paint} puts before and after a text. There are none without
     * colours.
     */
    static List<String> escapeSequences(Ansi ansi) {
        String text = "text";
        return Arrays.stream(Style.values())
                .flatMap(style -> Arrays.stream(applyStyle(ansi, style, text).split(text, -1)))
                .filter(sequence -> !sequence.isEmpty())
                .distinct()
                .toList();
    }
}
