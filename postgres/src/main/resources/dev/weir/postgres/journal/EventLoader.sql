-- name: pending_events
select events.number, events.at, events.id, events.name, events.source, events.data, events.emitted_run,
       events.emitted_step, events.emitted_item, events.lineage, handled.count, handled.workflow, handled."trigger"
from events
     cross join lateral (select count(*)::int as count, (max(array[workflow, "trigger"]))[1] as workflow,
                                (max(array[workflow, "trigger"]))[2] as "trigger"
                         from event_outcomes outcomes
                         where outcomes.org = events.org and outcomes.event = events.number) as handled
where events.org = ? and events.triggers is null
order by events.number

-- name: open_windows
select windows.number as "window", windows.workflow, windows."trigger", windows.key, windows.opened_at, windows.due,
       windows.events, last.number, last.at, last.id, last.name, last.source, last.data, last.emitted_run,
       last.emitted_step, last.emitted_item, last.lineage
from debounce_windows windows
     join events last on last.org = windows.org and last.number = windows.last_event
where windows.org = ? and windows.closed_at is null
order by windows.number

-- name: schedules
select workflow, "trigger", handled_to, last_run, problem from schedules where org = ?

-- name: last_event
select coalesce(max(number), 0) from events where org = ?

-- name: last_window
select coalesce(max(number), 0) from debounce_windows where org = ?
