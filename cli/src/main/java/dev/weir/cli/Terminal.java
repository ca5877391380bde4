package dev.weir.cli;

import java.io.Console;
import java.util.Locale;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;

/**
 * What the place that is printed to can show.
 *
 * @param width columns
 * @param unicode whether it shows more than ASCII
 */
record Terminal(int width, boolean unicode, Ansi ansi) {
    static final int WIDTH_USUAL = 100;
    static final int WIDTH_MIN = 60;
    static final int WIDTH_MAX = 200;

    Terminal {
        width = Math.max(WIDTH_MIN, Math.min(WIDTH_MAX, width));
    }

    /** The width of the terminal that is there, or the usual one. */
    static int detectedWidth() {
        return interactive()
                ? CommandSpec.create().usageMessage().autoWidth(true).width()
                : WIDTH_USUAL;
    }

    static boolean detectedUnicode() {
        return System.getProperty("stdout.encoding", "")
                .toUpperCase(Locale.ROOT)
                .contains("UTF-8");
    }

    /** Whether a person sits there; newer Javas have a console also where there is none. */
    @SuppressWarnings("SystemConsoleNull") // it is null on Java 21, and asked further below where it is not
    static boolean interactive() {
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

    String paint(String style, String text) {
        return text.isEmpty() ? text : ansi.string("@|" + style + " " + text + "|@");
    }

    /** The first where it can be shown, else the second. */
    String pick(String unicodeText, String asciiText) {
        return unicode ? unicodeText : asciiText;
    }
}
