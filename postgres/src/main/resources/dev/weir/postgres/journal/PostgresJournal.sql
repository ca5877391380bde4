-- Waits for every transaction that has passed the fence under an earlier epoch.
-- name: raise_epoch
update shards
set epoch = epoch + 1, owner = ?, backend_pid = pg_backend_pid(), taken_at = clock_timestamp()
where shard = ?
-- A role that is subject to row-level security must not use COPY.
returning epoch, not row_security_active('weir.runs')

-- Terminates the session of an owner that blocks its successor because it is paused or disconnected.
-- name: end_owner
select pg_terminate_backend(activity.pid)
from shards join pg_stat_activity activity on activity.pid = shards.backend_pid
where shards.shard = ? and activity.pid <> pg_backend_pid() and activity.application_name = ?
  and activity.datname = current_database() and activity.xact_start is not null

-- name: living
select distinct shard from organisations
where deletion_began_at is null
  and (exists (select from runs where runs.org = organisations.number)
       or exists (select from events where events.org = organisations.number and triggers is null)
       or exists (select from debounce_windows windows where windows.org = organisations.number and closed_at is null)
       or exists (select from schedules where schedules.org = organisations.number))

-- Jumps from one organisation with starts in the inbox to the next.
-- name: inboxes
with recursive waiting (org) as (
    select min(org) from inbox
    union all
    select (select min(inbox.org) from inbox where inbox.org > waiting.org) from waiting where waiting.org is not null
)
select distinct organisations.shard from waiting join organisations on organisations.number = waiting.org
where organisations.suspended_at is null and organisations.deletion_began_at is null
