package dev.weir.core.run;

import dev.weir.core.naming.NearestName;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Suggests the nearest workflow name for an unknown one. A search compares many names, so at any one time each unknown
 * name is searched once, and only a few names are; later callers get no suggestion.
 */
final class Suggestions {
    /** The largest number of names that are searched at one time. */
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
        Optional<String> nearest = NearestName.to(unknown, known);
        found.put(unknown, nearest);
        return nearest;
    }
}
