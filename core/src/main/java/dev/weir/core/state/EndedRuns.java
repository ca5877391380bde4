package dev.weir.core.state;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The runs that ended last. If the answer to a start or a report was lost, the repeated request gets the same answer.
 * Only the history knows older runs.
 */
public final class EndedRuns {
    private final Map<String, EndedRun> runs = new LinkedHashMap<>();
    private int units;

    public Optional<EndedRun> find(String run) {
        return Optional.ofNullable(runs.get(run));
    }

    public void add(EndedRun ended) {
        runs.put(ended.run(), ended);
        units += ended.reports().size();
        var oldest = runs.values().iterator();
        while (runs.size() > EndedRun.RUNS_MAX || (units > EndedRun.UNITS_MAX && runs.size() > 1)) {
            units -= oldest.next().reports().size();
            oldest.remove();
        }
    }

    public void clear() {
        runs.clear();
        units = 0;
    }

    public List<EndedRun> all() {
        return new ArrayList<>(runs.values());
    }
}
