package dev.weir.core.life;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The runs that ended last, as far as a repeated request needs them: a start or a report whose answer was lost is
 * answered as it was. Older ones are known to the history only.
 */
final class Ended {
    /** Runs that are remembered. */
    static final int RUNS_MAX = 10_000;
    /** Steps and items that are remembered, of all these runs together. */
    static final int UNITS_MAX = 100_000;

    private final Map<String, Tombstone> tombstones = new LinkedHashMap<>();
    private int units;

    /**
     * A run that has ended.
     *
     * @param body the fingerprint of its start
     */
    record Tombstone(String run, RunState state, int body, Map<Place, Last> reports) {}

    /** A step or item of the run. */
    record Place(String step, int item) {}

    /** The fingerprint of the last report, and the fence under which it came. */
    record Last(long fence, int report) {}

    Optional<Tombstone> find(String run) {
        return Optional.ofNullable(tombstones.get(run));
    }

    void add(Tombstone tombstone) {
        tombstones.put(tombstone.run, tombstone);
        units += tombstone.reports.size();
        var oldest = tombstones.values().iterator();
        while (tombstones.size() > RUNS_MAX || (units > UNITS_MAX && tombstones.size() > 1)) {
            units -= oldest.next().reports.size();
            oldest.remove();
        }
    }

    List<Tombstone> all() {
        return new ArrayList<>(tombstones.values());
    }
}
