package dev.weir.core.naming;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** The known name that is nearest to one that is not known. */
public final class Nearest {
    private static final int NAME_CHARS_MAX = 64;

    private Nearest() {}

    /** The nearest of the known names, or nothing when all are too far away to be what was meant. */
    public static Optional<String> to(String name, Collection<String> known) {
        String written = plain(name);
        String best = null;
        int bestDistance = written.length() < 3 ? 1 : Math.max(1, Math.min(written.length(), NAME_CHARS_MAX) / 3) + 1;
        for (String candidate : known) {
            int distance = distance(written, plain(candidate));
            if (distance < bestDistance) {
                bestDistance = distance;
                best = candidate;
            }
        }
        return Optional.ofNullable(best);
    }

    /** The words to put behind a refusal: {@code ; did you mean 'needs'?}, or nothing. */
    public static String hint(String name, Collection<String> known) {
        return to(name, known).map(near -> "; did you mean '" + near + "'?").orElse("");
    }

    private static String plain(String name) {
        return name.toLowerCase(Locale.ROOT).replace('-', '_');
    }

    /** Edits (insert, delete, replace, swap of neighbours) that make one of the other. */
    private static int distance(String a, String b) {
        if (a.length() > NAME_CHARS_MAX || b.length() > NAME_CHARS_MAX) {
            return Integer.MAX_VALUE;
        }
        int[][] edits = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                edits[i][j] = Math.min(i, j) == 0 ? Math.max(i, j) : cheapest(edits, a, b, i, j);
            }
        }
        return edits[a.length()][b.length()];
    }

    private static int cheapest(int[][] edits, String a, String b, int i, int j) {
        int replace = edits[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        int best = Math.min(replace, 1 + Math.min(edits[i - 1][j], edits[i][j - 1]));
        boolean swapped = i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
        return swapped ? Math.min(best, edits[i - 2][j - 2] + 1) : best;
    }
}
