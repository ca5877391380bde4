-- name: old_weeks
select parent, starts_at from old_weeks(?)

-- name: copy_kept
select copy_kept(?, ?)

-- name: drop_week
select drop_week(?, ?, ?, ?)

-- Deletes ids and inputs of the next runs that ended before a time. They are deleted before the runs, so that no id is
-- left without a record of whether its run has ended. An id may already belong to a newer run.
-- name: remove_ids
with old as materialized (
    select org, number, id
    from run_history
    where ended_at < ? and (org, number) > (?, ?)
    order by org, number
    limit ?
), removed as (
    delete from run_ids
    where ctid = any (array(
        select found.at
        from old,
             lateral (select run_ids.ctid as at from run_ids
                      where run_ids.org = old.org and run_ids.id = old.id and run_ids.number = old.number
                      offset 0) as found))
)
select org, number from old order by org desc, number desc limit 1

-- Deletes rows in default partitions, which are there because their week had no partition: first runs, then steps and
-- logs of runs that no longer exist.
-- name: trim_runs
delete from run_history
where ended_at < ? and tableoid = 'weir.run_history_default'::regclass
  and ctid = any (array(select ctid from run_history
                        where ended_at < ? and tableoid = 'weir.run_history_default'::regclass
                        limit ?))

-- name: trim_steps
delete from step_history
where ended_at < ? and tableoid = 'weir.step_history_default'::regclass
  and ctid = any (array(select old.ctid from step_history old
                        where old.ended_at < ? and old.tableoid = 'weir.step_history_default'::regclass
                          and not exists (select from runs where runs.org = old.org and runs.number = old.run offset 0)
                          and not exists (select from run_history
                                          where run_history.org = old.org and run_history.number = old.run offset 0)
                        limit ?))

-- name: trim_logs
delete from attempt_log
where at < ? and tableoid = 'weir.attempt_log_default'::regclass
  and ctid = any (array(select old.ctid from attempt_log old
                        where old.at < ? and old.tableoid = 'weir.attempt_log_default'::regclass
                          and not exists (select from runs where runs.org = old.org and runs.number = old.run offset 0)
                          and not exists (select from run_history
                                          where run_history.org = old.org and run_history.number = old.run offset 0)
                        limit ?))

-- name: trim_claim_log
delete from claim_log
where at < ? and tableoid = 'weir.claim_log_default'::regclass
  and ctid = any (array(select ctid from claim_log
                        where at < ? and tableoid = 'weir.claim_log_default'::regclass
                        limit ?))

-- Deletes delivered events and their outcomes, unless an open window or a run that they started still needs them: as
-- long as that run exists, a repeated event must not start another one.
-- name: trim_events
with old as materialized (
    select events.org, events.number
    from events
    where events.at < ? and events.triggers is not null
      and not exists (select from debounce_windows windows
                      where windows.org = events.org and windows.last_event = events.number
                        and windows.closed_at is null)
      and not exists (select from event_outcomes outcomes
                           left join debounce_windows windows on windows.org = outcomes.org
                                                             and windows.number = outcomes."window"
                           join run_ids on run_ids.org = outcomes.org
                                       and run_ids.id = coalesce(outcomes.run, windows.run)
                      where outcomes.org = events.org and outcomes.event = events.number and events.at < ?)
    limit ?
), outcomes as (
    delete from event_outcomes outcomes using old where outcomes.org = old.org and outcomes.event = old.number
)
delete from events using old where events.org = old.org and events.number = old.number

-- name: trim_windows
delete from debounce_windows
where ctid = any (array(select windows.ctid from debounce_windows windows
                        where windows.closed_at < ? and windows.closed_at < ?
                          and not exists (select from events
                                          where events.org = windows.org and events.number = windows.last_event)
                        limit ?))

-- Deletes events of runs that no longer exist.
-- name: trim_emitted_events
delete from emitted_events
where at < ?
  and ctid = any (array(select old.ctid from emitted_events old
                        where old.at < ?
                          and not exists (select from run_ids where run_ids.org = old.org and run_ids.id = old.run offset 0)
                        limit ?))
