package dev.weir.core.life;

import dev.weir.core.naming.Nearest;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The workflow that was perhaps meant where there is none of a name. To find it many names are compared, so at one time it
 * is found once for each name that is unknown, and for a few of them: whoever asks for more knows by then.
 */
final class Hints {
    /** Names for which one is looked for at one time. */
    static final int FOUND_MAX = 16;

    private final Map<String, Optional<String>> found = new HashMap<>();
    private long at = Long.MIN_VALUE;

    Optional<String> nearest(String unknown, Set<String> known, long now) {
        if (now != at) {
            found.clear();
            at = now;
        }
        Optional<String> before = found.get(unknown);
        if (before != null) {
            return before;
        }
        if (found.size() >= FOUND_MAX) {
            return Optional.empty();
        }
        Optional<String> nearest = Nearest.to(unknown, known);
        found.put(unknown, nearest);
        return nearest;
    }
}
