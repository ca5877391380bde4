package dev.weir.engine.records;

import dev.weir.core.state.RunState;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A filter for runs. A run must match all given criteria. */
public record RunFilter(Set<RunState> states, @Nullable String workflow, Map<String, String> labels) {
    public RunFilter {
        states = Set.copyOf(states);
        labels = Map.copyOf(labels);
    }

    public static RunFilter all() {
        return new RunFilter(Set.of(), null, Map.of());
    }
}
