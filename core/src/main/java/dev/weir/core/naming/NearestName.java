package dev.weir.core.naming;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** Finds the known name that is nearest to an unknown one. */
public final class NearestName {
    private static final int NAME_CHARS_MAX = 64;
    /** Maximum names compared: a suggestion is not worth more. */
    private static final int COMPARED_MAX = 500;

    private NearestName() {}

    /** Returns the nearest of the known names, or empty if all differ too much to be a likely typing mistake. */
    public static Optional<String> find(String name, Collection<String> known) {
        String normalized = normalize(name);
        String best = null;
        int bestDistance =
                normalized.length() < 3 ? 1 : Math.max(1, Math.min(normalized.length(), NAME_CHARS_MAX) / 3) + 1;
        int compared = 0;
        for (String candidate : known) {
            if (Math.abs(candidate.length() - normalized.length()) >= bestDistance) {
                continue;
            }
            if (++compared > COMPARED_MAX) {
                break;
            }
            int distance = distance(normalized, normalize(candidate), bestDistance);
            if (distance < bestDistance) {
                bestDistance = distance;
                best = candidate;
            }
        }
        return Optional.ofNullable(best);
    }

    /** Returns an upper bound of the characters that {@link #find} compares. It measures the cost of a call. */
    public static long comparisons(String name, Collection<String> known) {
        return (long) Math.min(name.length(), NAME_CHARS_MAX) * Math.min(known.size(), COMPARED_MAX);
    }

    /** Returns the text to append to an error, {@code ; did you mean 'needs'?}, or an empty string. */
    public static String hint(String name, Collection<String> known) {
        return find(name, known)
                .map(nearest -> "; did you mean '" + nearest + "'?")
                .orElse("");
    }

    private static String normalize(String name) {
        return name.toLowerCase(Locale.ROOT).replace('-', '_');
    }

    /**
     * Returns the number of edits (insert, delete, replace, swap neighbours) between two names. Returns at least
     * {@code max} if it is {@code max} or more.
     */
    private static int distance(String a, String b, int max) {
        if (a.length() > NAME_CHARS_MAX || b.length() > NAME_CHARS_MAX) {
            return Integer.MAX_VALUE;
        }
        int[][] edits = new int[a.length() + 1][];
        int least = 0;
        for (int i = 0; i <= a.length(); i++) {
            int before = least;
            least = Integer.MAX_VALUE;
            edits[i] = new int[b.length() + 1];
            for (int j = 0; j <= b.length(); j++) {
                edits[i][j] = Math.min(i, j) == 0 ? Math.max(i, j) : cheapest(edits, a, b, i, j);
                least = Math.min(least, edits[i][j]);
            }
            if (Math.min(before, least) >= max) {
                return max;
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
