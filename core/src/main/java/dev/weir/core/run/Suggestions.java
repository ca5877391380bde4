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
    static final int SEARCHES_MAX = 16;

    private final Map<String, Optional<String>> found = new HashMap<>();
    private long searchedAt = Long.MIN_VALUE;

    Optional<String> nearest(String unknown, Set<String> known, long now) {
        if (now != searchedAt) {
            found.clear();
            searchedAt = now;
        }
        Optional<String> cached = found.get(unknown);
        if (cached != null) {
            return cached;
        }
        if (found.size() >= SEARCHES_MAX) {
            return Optional.empty();
        }
        Optional<String> nearest = NearestName.find(unknown, known);
        found.put(unknown, nearest);
        return nearest;
    }
}
