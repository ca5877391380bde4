-- name: fence
select weir.fence(?, ?)

-- name: fence_by
select weir.fence(?, ?, ?, ?)

-- name: organisations
select name from organisations
where shard = ? and deletion_began_at is null
  and (exists (select from runs where runs.org = organisations.number)
       or exists (select from events where events.org = organisations.number and triggers is null)
       or exists (select from debounce_windows windows
                  where windows.org = organisations.number and closed_at is null)
       or exists (select from schedules where schedules.org = organisations.number))
order by name

-- name: organisation
select number, shard, next_run_number, highest_fence, listening_spans, last_dead_letter, last_notice,
       suspended_at, suspension_reason
from organisations
where name = ? and deletion_began_at is null

-- The owner deletes the starts it takes; they are gone when it commits. Organisations take turns, and each one's starts
-- keep their order. "waiting" jumps from one organisation to the next, so the rows read do not grow with the rows left.
-- With "inbox.org = waiting.org" the planner would expect few rows, and read and sort all starts of an organisation.
-- name: take_inbox
with recursive waiting (org) as (
    select min(org) from inbox
    union all
    select (select min(inbox.org) from inbox where inbox.org > waiting.org) from waiting where waiting.org is not null
),
next as (
    select start.at, start.id, start.place, start.request
    from waiting join organisations on organisations.number = waiting.org,
         lateral (select inbox.ctid as at, inbox.id, inbox.request,
                         row_number() over (order by inbox.org, inbox.id) as place
                  from inbox where (inbox.org, inbox.id) > (waiting.org, 0) and (inbox.org,
                                                                                 inbox.id) < (waiting.org + 1, 0)
                  order by inbox.org, inbox.id
                  limit ?) as start
    where organisations.shard = ? and organisations.name <> all (?) and organisations.suspended_at is null
      and organisations.deletion_began_at is null
    order by start.place, start.id
    limit ?
),
taken as (
    delete from inbox
    where ctid = any (array(select sized.at
                            from (select next.at, row_number() over line as place,
                                         sum(octet_length(next.request::text)) over line as bytes
                                  from next
                                  window line as (order by next.place, next.id)) as sized
                            where sized.bytes <= ? or sized.place = 1))
    returning org, id, left_by, request
)
select organisations.name, taken.left_by, taken.request
from taken join organisations on organisations.number = taken.org
order by taken.id

-- The fingerprints of stored events with these ids.
-- name: event_prints
select events.id, events.print
from unnest(?::text[]) as sent (id),
     lateral (select events.id, events.print from events where events.org = ? and events.id = sent.id offset 0) as events
