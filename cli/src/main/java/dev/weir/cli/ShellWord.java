package dev.weir.cli;

/** Writes words as a user has to type them in a shell. */
final class ShellWord {
    private ShellWord() {}

    /** Quotes a word for a shell if necessary. */
    static String quoteIfNeeded(String word) {
        return word.matches("[\\w./~+-]+") ? word : quote(word);
    }

    static String quote(String word) {
        return "'" + word.replace("'", "'\\''") + "'";
    }
}
