package dev.weir.core.run;

import dev.weir.core.definition.CronSchedule;
import dev.weir.core.definition.MissedRuns;
import dev.weir.core.definition.Trigger;
import dev.weir.core.json.CanonicalJson;
import dev.weir.core.limit.Moment;
import dev.weir.core.plan.Plan;
import dev.weir.core.state.DeadLetter;
import dev.weir.core.state.EventOutcome;
import dev.weir.core.state.Move;
import dev.weir.core.state.ScheduleRow;
import dev.weir.core.state.TriggerId;
import dev.weir.core.state.TriggerSubmission;
import dev.weir.core.state.WorkflowTriggers;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** The schedules of the newest versions of an organisation's workflows. Each time of a schedule starts one run. */
final class ScheduleTable {
    /** The most missed times for which a schedule starts runs. */
    static final int MISSED_MAX = 100;
    /** The age in microseconds from which a time counts as missed. */
    static final long MISSED_AFTER = 60_000_000;

    private final LiveOrganisation org;
    private final SortedMap<TriggerId, ActiveSchedule> active = new TreeMap<>();

    ScheduleTable(LiveOrganisation org) {
        this.org = org;
    }

    void restore(Collection<ScheduleRow> rows) {
        Map<TriggerId, WorkflowTriggers.Schedule> known = new HashMap<>();
        rows.stream()
                .map(row -> row.trigger().workflow())
                .distinct()
                .forEach(workflow -> schedules(workflow)
                        .forEach(schedule -> known.put(new TriggerId(workflow, schedule.trigger()), schedule)));
        for (ScheduleRow row : rows) {
            WorkflowTriggers.Schedule schedule = known.get(row.trigger());
            if (schedule != null) {
                keep(new ActiveSchedule(schedule, row));
            }
        }
    }

    SortedMap<TriggerId, ScheduleRow> rows() {
        SortedMap<TriggerId, ScheduleRow> rows = new TreeMap<>();
        active.forEach((id, schedule) -> rows.put(id, schedule.row));
        return rows;
    }

    /** Returns the schedules after the given one, in their order. */
    List<ScheduleStatus> statuses(TriggerId after, int max) {
        List<ScheduleStatus> found = new ArrayList<>();
        for (ActiveSchedule schedule : active.tailMap(after).values()) {
            if (!schedule.row.trigger().equals(after) && found.size() < max) {
                found.add(schedule.status(state(schedule.row.trigger().workflow())));
            }
        }
        return found;
    }

    /** Returns the schedules of a newest version. Older definitions may have invalid ones, which never start a run. */
    private List<WorkflowTriggers.Schedule> schedules(String workflow) {
        return org.workflows
                .findWorkflow(workflow)
                .map(newest -> newest.triggers().schedules().stream()
                        .filter(schedule -> CronSchedule.findProblem(schedule.cron()) == null)
                        .toList())
                .orElse(List.of());
    }

    /** Follows the newest version of a workflow. New and changed schedules begin now. */
    void update(String workflow, long now) {
        Set<TriggerId> found = new HashSet<>();
        for (WorkflowTriggers.Schedule schedule : schedules(workflow)) {
            var id = new TriggerId(workflow, schedule.trigger());
            found.add(id);
            ActiveSchedule before = active.get(id);
            if (before == null || !before.schedule.equals(schedule)) {
                if (before != null) {
                    org.timers.cancel(before);
                }
                String lastRun = before == null ? null : before.row.lastRun();
                begin(new ActiveSchedule(schedule, new ScheduleRow(id, now, lastRun, null)), now);
            }
        }
        for (ActiveSchedule schedule : of(workflow)) {
            TriggerId id = schedule.row.trigger();
            if (!found.contains(id)) {
                active.remove(id);
                org.timers.cancel(schedule);
                org.moves.add(new Move.ScheduleEnded(id, now));
            }
        }
    }

    private ScheduleStatus.State state(String workflow) {
        if (org.stops.isSuspended()) {
            return ScheduleStatus.State.SUSPENDED;
        }
        return switch (org.stops.availability(workflow)) {
            case OPEN -> ScheduleStatus.State.ACTIVE;
            case PAUSED -> ScheduleStatus.State.PAUSED;
            case ARCHIVED -> ScheduleStatus.State.ARCHIVED;
        };
    }

    private List<ActiveSchedule> of(String workflow) {
        var first = new TriggerId(workflow, "");
        return active.tailMap(first).values().stream()
                .takeWhile(schedule -> schedule.row.trigger().workflow().equals(workflow))
                .toList();
    }

    private void begin(ActiveSchedule schedule, long now) {
        keep(schedule);
        org.moves.add(new Move.ScheduleMoved(schedule.row, now));
    }

    private void keep(ActiveSchedule schedule) {
        active.put(schedule.row.trigger(), schedule);
        org.timers.schedule(schedule, schedule.next());
    }

    /** Starts the runs of the times that are due. */
    void fire(ActiveSchedule schedule, long now) {
        TriggerId id = schedule.row.trigger();
        if (!schedule.equals(active.get(id))) {
            // A newer version replaced it while its organisation was suspended.
            return;
        }
        int max = switch (schedule.schedule.missed()) {
            case SKIP, ONCE -> 1;
            case ALL -> MISSED_MAX;
        };
        boolean skips = schedule.schedule.missed() == MissedRuns.SKIP;
        ScheduleRow row = schedule.row;
        long handledTo = row.handledTo();
        for (long time : schedule.due(max, now, org.budget)) {
            if (handledTo != schedule.row.handledTo() && org.budget.isSpent()) {
                // The schedule is still due, so the next decision continues.
                break;
            }
            handledTo = time;
            if (!org.stops.isArchived(id.workflow()) && (!skips || now - time <= MISSED_AFTER)) {
                EventOutcome outcome = start(id, time, now);
                if (outcome.run() == null) {
                    addDeadLetter(outcome, time, now);
                }
                String run = outcome.run() == null ? row.lastRun() : outcome.run();
                row = new ScheduleRow(id, time, run, outcome.reason());
            }
        }
        schedule.row = new ScheduleRow(id, handledTo, row.lastRun(), row.problem());
        org.moves.add(new Move.ScheduleMoved(schedule.row, now));
        org.timers.schedule(schedule, schedule.next());
    }

    private void addDeadLetter(EventOutcome outcome, long time, long now) {
        TriggerId id = outcome.trigger();
        org.deadLetters.add(
                new DeadLetter.Content(
                        DeadLetter.Kind.EVENT,
                        id.runOf(Moment.toInstant(time).toString()),
                        id.workflow(),
                        List.of(),
                        DeadLetter.Reason.TRIGGER_FAILED,
                        id + ": " + outcome.reason(),
                        List.of(),
                        "schedule " + id,
                        CanonicalJson.text(new TriggerSubmission.OfTime(id, time).toJson())),
                now);
    }

    /** Starts the run of one time. */
    EventOutcome start(TriggerId id, long time, long now) {
        Plan plan = org.triggeredRuns.findPlan(id.workflow());
        for (Trigger trigger :
                plan == null ? List.<Trigger>of() : plan.workflow().triggers()) {
            if (trigger instanceof Trigger.OnSchedule onSchedule
                    && onSchedule.id().equals(id.trigger())) {
                return org.triggeredRuns.start(
                        id, onSchedule, Moment.toInstant(time).toString(), now);
            }
        }
        return EventOutcome.failed(id, "the newest version of the workflow has no such schedule");
    }
}
