package dev.weir.core.admission;

import dev.weir.core.limit.LimitId;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The limits whose older starts must be read before a rate can be judged. Memory holds only the starts that the known
 * periods need. A longer period that is set later needs older ones.
 */
final class MissingStarts {
    private final Set<SharedLimit> requested = new LinkedHashSet<>();
    private long knownFrom = Long.MIN_VALUE;

    /** The time up to which starts of a limit that is new in memory may be missing. */
    long knownFrom() {
        return knownFrom;
    }

    /** Records that from now on starts up to this time may be missing. */
    void setKnownFrom(long at) {
        knownFrom = at;
    }

    /** Records that the starts of a limit were dropped from memory, if starts can be read again. */
    void recordDropped(SharedLimit limit) {
        requested.remove(limit);
        if (knownFrom != Long.MIN_VALUE) {
            knownFrom = Math.max(knownFrom, limit.newestStartAt());
        }
    }

    void request(SharedLimit limit) {
        requested.add(limit);
    }

    void resolve(SharedLimit limit) {
        requested.remove(limit);
    }

    List<LimitId.Shared> requested() {
        return requested.isEmpty()
                ? List.of()
                : requested.stream().map(limit -> limit.id).toList();
    }

    boolean isEmpty() {
        return requested.isEmpty();
    }
}
