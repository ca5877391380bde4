package dev.weir.engine.records;

import dev.weir.core.state.RunState;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A filter for runs. A run must match all given criteria.
 *
 * @param key a flow-control key under which the run has, or had, a step or item that became ready; absent = any
 */
public record RunFilter(
        Set<RunState> states,
        @Nullable String workflow,
        Map<String, String> labels,
        @Nullable String key) implements BulkFilter {
    public RunFilter {
        states = Set.copyOf(states);
        labels = Map.copyOf(labels);
    }

    public RunFilter(Set<RunState> states, @Nullable String workflow, Map<String, String> labels) {
        this(states, workflow, labels, null);
    }

    public static RunFilter all() {
        return new RunFilter(Set.of(), null, Map.of());
    }

    /** True if a run matches all criteria except the key, which the record of a run does not have. */
    public boolean matchesWithoutKey(RunRecord run) {
        return (states.isEmpty() || states.contains(run.state()))
                && (workflow == null || workflow.equals(run.workflow()))
                && run.labels().entrySet().containsAll(labels.entrySet());
    }
}
