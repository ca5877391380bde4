package dev.weir.core.run;

import dev.weir.core.command.WorkflowControl;
import dev.weir.core.definition.Workflow;
import dev.weir.core.state.Move;
import dev.weir.core.state.WorkflowVersion;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ObjLongConsumer;

/** The newest version of each registered workflow, by its name. */
final class WorkflowRegistry implements WorkflowControl {
    private final MoveCollector moves;
    private final SortedMap<String, WorkflowVersion> newest = new TreeMap<>();
    private final Suggestions suggestions = new Suggestions();
    /** Learns of each new version, at its time. */
    private ObjLongConsumer<String> onChange = (name, at) -> {};

    WorkflowRegistry(MoveCollector moves) {
        this.moves = moves;
    }

    void onChange(ObjLongConsumer<String> listener) {
        onChange = listener;
    }

    void restore(Map<String, WorkflowVersion> versions) {
        newest.putAll(versions);
    }

    SortedMap<String, WorkflowVersion> all() {
        return newest;
    }

    @Override
    public Optional<WorkflowVersion> findWorkflow(String name) {
        return Optional.ofNullable(newest.get(name));
    }

    /** Suggests the registered workflow whose name is nearest to an unknown name. */
    Optional<String> findNearest(String name, long now) {
        return suggestions.nearest(name, newest.keySet(), now);
    }

    @Override
    public void register(Workflow workflow, WorkflowVersion version, long now) {
        newest.put(workflow.name(), version);
        moves.add(new Move.WorkflowRegistered(workflow, version.version(), version.hash(), now));
        onChange.accept(workflow.name(), now);
    }
}
