package dev.weir.forecast.text;

/** The place where a forecast is drawn: a terminal or a file, with its width, its characters and its colours. */
public interface Canvas {
    /** The styles in which parts of a text can be painted. */
    enum Style {
        BOLD,
        FAINT,
        YELLOW,
        GREEN,
        BLUE
    }

    /** The number of columns. */
    int width();

    /** True if it can show characters other than ASCII. */
    boolean unicode();

    /** Returns a text with the marks that give it a style, if there are styles here. */
    String paint(Style style, String text);

    /** Returns the first text if Unicode can be shown, otherwise the second. */
    default String pick(String unicodeText, String asciiText) {
        return unicode() ? unicodeText : asciiText;
    }
}
