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
 * @param origin the text of its id, and the actor that started it
 */
public record RunFilter(
        Set<RunState> states,
        @Nullable String workflow,
        Map<String, String> labels,
        @Nullable String key,
        @Nullable String correlationId,
        Origin origin)
        implements BulkFilter {
    /**
     * The part of a filter that concerns the id and the start of a run.
     *
     * @param idText a part of the id; absent = any
     * @param startedBy the actor that started the run; absent = any
     */
    public record Origin(@Nullable String idText, @Nullable String startedBy) {
        public static final Origin ANY = new Origin(null, null);

        boolean matches(RunRecord run) {
            return (idText == null || run.run().contains(idText))
                    && (startedBy == null || startedBy.equals(run.lineage().startedBy()));
        }
    }

    public RunFilter {
        states = Set.copyOf(states);
        labels = Map.copyOf(labels);
    }

    public RunFilter(Set<RunState> states, @Nullable String workflow, Map<String, String> labels) {
        this(states, workflow, labels, null, null, Origin.ANY);
    }

    public RunFilter(
            Set<RunState> states, @Nullable String workflow, Map<String, String> labels, @Nullable String key) {
        this(states, workflow, labels, key, null, Origin.ANY);
    }

    public static RunFilter all() {
        return new RunFilter(Set.of(), null, Map.of());
    }

    /** True if a run matches all criteria except the key, which the record of a run does not have. */
    public boolean matchesWithoutKey(RunRecord run) {
        return (states.isEmpty() || states.contains(run.state()))
                && (workflow == null || workflow.equals(run.workflow()))
                && (correlationId == null || correlationId.equals(run.lineage().correlationId(run.run())))
                && origin.matches(run)
                && run.labels().entrySet().containsAll(labels.entrySet());
    }
}
