package dev.weir.engine.records;

import dev.weir.core.state.RunState;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A filter for runs. A run must match all given criteria.
 *
 * @param key a flow-control key under which the run has, or had, a step or item that became ready; absent = any
 * @param correlationId the id that the run shares with all runs and events of its chain; absent = any
 */
public record RunFilter(
        Set<RunState> states,
        @Nullable String workflow,
        Map<String, String> labels,
        @Nullable String key,
        @Nullable String correlationId)
        implements BulkFilter {
    public RunFilter {
        states = Set.copyOf(states);
        labels = Map.copyOf(labels);
    }

    public RunFilter(Set<RunState> states, @Nullable String workflow, Map<String, String> labels) {
        this(states, workflow, labels, null, null);
    }

    public RunFilter(
            Set<RunState> states, @Nullable String workflow, Map<String, String> labels, @Nullable String key) {
        this(states, workflow, labels, key, null);
    }

    public static RunFilter all() {
        return new RunFilter(Set.of(), null, Map.of());
    }

    /** True if a run matches all criteria except the key, which the record of a run does not have. */
    public boolean matchesWithoutKey(RunRecord run) {
        return (states.isEmpty() || states.contains(run.state()))
                && (workflow == null || workflow.equals(run.workflow()))
                && (correlationId == null || correlationId.equals(run.lineage().correlationId(run.run())))
                && run.labels().entrySet().containsAll(labels.entrySet());
    }
}
