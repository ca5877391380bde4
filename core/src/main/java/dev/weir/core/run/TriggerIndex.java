package dev.weir.core.run;

import dev.weir.core.state.WorkflowVersion;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/** The workflows whose newest version has a trigger for an event, by the name of the event. */
final class TriggerIndex {
    private final WorkflowRegistry workflows;
    private final Map<String, SortedSet<String>> byEvent = new HashMap<>();
    private final Map<String, SortedSet<String>> eventsOf = new HashMap<>();

    TriggerIndex(WorkflowRegistry workflows) {
        this.workflows = workflows;
    }

    void restore() {
        workflows.all().forEach(this::add);
    }

    /** Replaces the entries of a workflow by those of its newest version. */
    void update(String workflow) {
        SortedSet<String> old = eventsOf.remove(workflow);
        if (old != null) {
            old.forEach(event -> remove(event, workflow));
        }
        workflows.findWorkflow(workflow).ifPresent(newest -> add(workflow, newest));
    }

    private void add(String workflow, WorkflowVersion newest) {
        SortedSet<String> events = newest.triggers().events();
        if (!events.isEmpty()) {
            eventsOf.put(workflow, events);
            events.forEach(event ->
                    byEvent.computeIfAbsent(event, ignored -> new TreeSet<>()).add(workflow));
        }
    }

    private void remove(String event, String workflow) {
        SortedSet<String> names = byEvent.get(event);
        if (names != null && names.remove(workflow) && names.isEmpty()) {
            byEvent.remove(event);
        }
    }

    /** Returns the workflows with a trigger for that event, by name. */
    SortedSet<String> workflows(String event) {
        return byEvent.getOrDefault(event, Collections.emptySortedSet());
    }
}
