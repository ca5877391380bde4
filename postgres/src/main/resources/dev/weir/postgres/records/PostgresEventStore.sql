-- The oldest of the events that are examined for one page: a bounded number, whatever the filter.
-- name: oldest_examined
select coalesce(min(number), 0) as oldest, count(*) as examined
from (select number from events where org = ? and number < ? order by number desc limit ?) as newest

-- Events without their data. Otherwise a page would be as large as 200 of them.
-- name: events
select number, at, id, name, source, 'null' as data, emitted_run, emitted_step, emitted_item, lineage, triggers
from events
where org = ? and number >= ? and number < ?
  and (?::text is null or name = ?::text)
  and (not ?::boolean or triggers = 0)
  and ((?::text is null and ?::text is null)
       or exists (select from event_outcomes outcomes
                  where outcomes.org = events.org and outcomes.event = events.number
                    and outcomes.workflow = coalesce(?::text, outcomes.workflow)
                    and outcomes.outcome = coalesce(?::text, outcomes.outcome))
       or exists (select from event_outcomes outcomes
                       join debounce_windows windows on windows.org = outcomes.org
                                                    and windows.number = outcomes."window"
                                                    and windows.last_event = outcomes.event
                  where outcomes.org = events.org and outcomes.event = events.number
                    and outcomes.workflow = coalesce(?::text, outcomes.workflow)
                    and windows.outcome = ?::text))
order by number desc
limit ?

-- name: find_event
select number, at, id, name, source, data, emitted_run, emitted_step, emitted_item, lineage, triggers
from events
where org = ? and id = ?

-- name: outcomes
select outcomes.event, outcomes.workflow, outcomes."trigger", outcomes.outcome, outcomes.run, outcomes."window",
       outcomes.reason, windows.key, windows.due, windows.events, windows.last_event, windows.outcome as result,
       windows.run as window_run, windows.reason as window_reason
from event_outcomes outcomes
     left join debounce_windows windows on windows.org = outcomes.org and windows.number = outcomes."window"
where outcomes.org = ? and outcomes.event = any (?)
order by outcomes.event, outcomes.workflow, outcomes."trigger"
