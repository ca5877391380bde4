package dev.weir.core.state;

import dev.weir.core.definition.MissedRuns;
import dev.weir.core.definition.Trigger;
import dev.weir.core.definition.Workflow;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The triggers of a workflow's newest version, as far as memory keeps them: the names of events, and the schedules. The
 * expressions are in the definition.
 */
public record WorkflowTriggers(SortedSet<String> events, List<Schedule> schedules) {
    public static final WorkflowTriggers NONE = new WorkflowTriggers(new TreeSet<>(), List.of());

    /**
     * A schedule.
     *
     * @param trigger the id of the trigger within the workflow
     * @param cron the cron expression
     */
    public record Schedule(String trigger, String cron, ZoneId timezone, MissedRuns missed) {}

    public WorkflowTriggers {
        events = Collections.unmodifiableSortedSet(new TreeSet<>(events));
        schedules = List.copyOf(schedules);
    }

    public static WorkflowTriggers of(Workflow workflow) {
        if (workflow.triggers().isEmpty()) {
            return NONE;
        }
        SortedSet<String> events = new TreeSet<>();
        List<Schedule> schedules = new ArrayList<>();
        for (Trigger trigger : workflow.triggers()) {
            switch (trigger) {
                case Trigger.OnEvent onEvent -> events.add(onEvent.event());
                case Trigger.OnSchedule onSchedule ->
                    schedules.add(new Schedule(
                            onSchedule.id(), onSchedule.schedule(), onSchedule.timezone(), onSchedule.missed()));
            }
        }
        return new WorkflowTriggers(events, schedules);
    }
}
