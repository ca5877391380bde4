package dev.weir.cli;

/** Writes words as a user has to type them in a shell. */
final class ShellWord {
    private ShellWord() {}

    /** Quotes a word for a shell if necessary. */
    static String typed(String word) {
        return word.matches("[\\w./~+-]+") ? word : quoted(word);
    }

    static String quoted(String word) {
        return "'" + word.replace("'", "'\\''") + "'";
    }
}
