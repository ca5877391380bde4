package dev.weir.core.expression;

/** Searches a text for another in time linear in both. {@link String#contains} can take the product of the lengths. */
final class TextSearch {
    private TextSearch() {}

    /** True if the text contains the part (Knuth, Morris, Pratt). */
    static boolean contains(String text, String part) {
        int[] borders = borders(part);
        int matched = 0;
        for (int at = 0; matched < part.length() && at < text.length(); at++) {
            while (matched > 0 && text.charAt(at) != part.charAt(matched)) {
                matched = borders[matched - 1];
            }
            matched += text.charAt(at) == part.charAt(matched) ? 1 : 0;
        }
        return matched == part.length();
    }

    /** Returns, for every prefix of a text, the length of its longest proper prefix that is also its suffix. */
    private static int[] borders(String text) {
        int[] borders = new int[text.length()];
        int border = 0;
        for (int at = 1; at < text.length(); at++) {
            while (border > 0 && text.charAt(at) != text.charAt(border)) {
                border = borders[border - 1];
            }
            border += text.charAt(at) == text.charAt(border) ? 1 : 0;
            borders[at] = border;
        }
        return borders;
    }
}
