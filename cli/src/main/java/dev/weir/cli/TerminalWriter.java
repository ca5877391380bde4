package dev.weir.cli;

import java.io.FilterWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/**
 * Prints text that may come from other people. It replaces control characters, so that the text cannot control the
 * terminal. It keeps line breaks, tabs and the colours that {@link Terminal} uses. Output for programs ({@code -o
 * json}) does not pass through this class.
 */
final class TerminalWriter extends FilterWriter {
    private static final char ESCAPE = '\u001b';
    private static final char REPLACEMENT = '\uFFFD';

    private final List<String> allowedSequences;

    private TerminalWriter(Writer out, List<String> allowedSequences) {
        super(out);
        this.allowedSequences = allowedSequences;
    }

    /** Returns a writer to the standard output of a command. */
    static PrintWriter out(CommandLine command) {
        return wrap(command.getOut(), command.getColorScheme().ansi());
    }

    /** Returns a writer to the standard error of a command. */
    static PrintWriter err(CommandLine command) {
        return wrap(command.getErr(), command.getColorScheme().ansi());
    }

    private static PrintWriter wrap(PrintWriter writer, Ansi ansi) {
        return new PrintWriter(new TerminalWriter(writer, Terminal.escapeSequences(ansi)), true);
    }

    /**
     * Returns the character to show for a character. Line breaks are replaced too, unless {@link #write(String,
     * int, int)} keeps them.
     */
    static char printable(char at) {
        boolean reorders = (at >= '\u202A' && at <= '\u202E') || (at >= '\u2066' && at <= '\u2069');
        return Character.isISOControl(at) || reorders ? REPLACEMENT : at;
    }

    @Override
    public void write(int character) throws IOException {
        write(String.valueOf((char) character), 0, 1);
    }

    @Override
    public void write(char[] characters, int from, int length) throws IOException {
        write(new String(characters, from, length), 0, length);
    }

    /**
     * Writes a text. A single carriage return becomes a line break, because it would let the text overwrite its
     * line.
     */
    @Override
    public void write(String text, int from, int length) throws IOException {
        var result = new StringBuilder(length);
        int end = from + length;
        for (int i = from; i < end; i++) {
            char at = text.charAt(i);
            if (at == ESCAPE) {
                int sequenceLength = allowedSequenceLength(text, i, end);
                result.append(
                        sequenceLength == 0 ? String.valueOf(REPLACEMENT) : text.substring(i, i + sequenceLength));
                i += Math.max(0, sequenceLength - 1);
            } else if (at == '\r') {
                result.append(i + 1 < end && text.charAt(i + 1) == '\n' ? "" : "\n");
            } else {
                result.append(at == '\n' || at == '\t' ? at : printable(at));
            }
        }
        out.write(result.toString());
    }

    /** Returns the length of one of our own escape sequences at this position; 0 if there is none. */
    private int allowedSequenceLength(String text, int at, int end) {
        for (String sequence : allowedSequences) {
            if (at + sequence.length() <= end && text.startsWith(sequence, at)) {
                return sequence.length();
            }
        }
        return 0;
    }
}
