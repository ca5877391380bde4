package dev.weir.core.expression;

import java.util.Locale;

/** Writes a text as an expression whose value is that text. */
final class TextLiteral {
    private TextLiteral() {}

    /** Returns the source of a template with one expression: a text literal in which only letters and digits are plain. */
    static String toExpression(String text) {
        var source = new StringBuilder("${{ '");
        text.codePoints().forEach(character -> source.append(escape(character)));
        return source.append("' }}").toString();
    }

    private static String escape(int character) {
        boolean isPlain = (character >= 'a' && character <= 'z')
                || (character >= 'A' && character <= 'Z')
                || (character >= '0' && character <= '9');
        if (isPlain) {
            return Character.toString(character);
        }
        return Character.isBmpCodePoint(character)
                ? String.format(Locale.ROOT, "\\u%04x", character)
                : String.format(Locale.ROOT, "\\U%08x", character);
    }
}
