package dev.weir.core.life;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The runs that ended last. If the answer to a start or a report was lost, the repeated request gets the same answer.
 * Only the history knows older runs.
 */
final class EndedRuns {
    private final Map<String, EndedRun> runs = new LinkedHashMap<>();
    private int units;

    Optional<EndedRun> find(String run) {
        return Optional.ofNullable(runs.get(run));
    }

    void add(EndedRun ended) {
        runs.put(ended.run(), ended);
        units += ended.reports().size();
        var oldest = runs.values().iterator();
        while (runs.size() > EndedRun.RUNS_MAX || (units > EndedRun.UNITS_MAX && runs.size() > 1)) {
            units -= oldest.next().reports().size();
            oldest.remove();
        }
    }

    void clear() {
        runs.clear();
        units = 0;
    }

    List<EndedRun> all() {
        return new ArrayList<>(runs.values());
    }
}
