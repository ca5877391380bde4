package dev.weir.core.reading;

/** The characters of a file. Finds the source of a character of a value. */
final class SourceText {
    private final String text;

    SourceText(String text) {
        this.text = text;
    }

    /**
     * Returns the position of the value's character at the offset, for a value that begins at the given position.
     * Spaces are ignored on both sides, because indentation and folding change them. Additional characters of the file
     * (quotes, backslashes) are skipped.
     */
    TextPosition align(TextPosition start, String value, int offset) {
        int first = indexOf(start);
        int at = first - 1;
        for (int i = 0; i <= Math.min(offset, value.length() - 1); i++) {
            char wanted = value.charAt(i);
            if (!Character.isWhitespace(wanted)) {
                int found = text.indexOf(wanted, at + 1);
                if (found < 0) {
                    return start;
                }
                at = found;
            }
        }
        boolean blank = offset < value.length() && Character.isWhitespace(value.charAt(offset));
        return positionOf(Math.max(first, blank || offset >= value.length() ? at + 1 : at));
    }

    private int indexOf(TextPosition position) {
        int index = 0;
        for (int line = 1; line < position.line(); line++) {
            index = nextLine(index);
        }
        return Math.min(text.length(), index + position.column() - 1);
    }

    private int nextLine(int from) {
        for (int i = from; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\n' || (c == '\r' && !text.startsWith("\n", i + 1))) {
                return i + 1;
            }
        }
        return text.length();
    }

    private TextPosition positionOf(int index) {
        int line = 1;
        int start = 0;
        for (int next = nextLine(0); next <= index && next < text.length(); next = nextLine(next)) {
            start = next;
            line++;
        }
        return new TextPosition(line, Math.min(index, text.length()) - start + 1);
    }
}
