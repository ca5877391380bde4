-- Waits for every transaction that has passed the fence under an earlier epoch.
-- name: raise_epoch
update shards
set epoch = epoch + 1, owner = ?, backend = pg_backend_pid(), taken_at = clock_timestamp()
where shard = ?
-- A role that row-level security watches over may not copy rows in.
returning epoch, not row_security_active('weir.runs')

-- Ends the session of the owner that keeps the next one waiting: it is paused, or cut off.
-- name: end_owner
select pg_terminate_backend(activity.pid)
from shards join pg_stat_activity activity on activity.pid = shards.backend
where shards.shard = ? and activity.pid <> pg_backend_pid() and activity.application_name = ?
  and activity.datname = current_database() and activity.xact_start is not null

-- name: shard_of
select shard from organisations where name = ?

-- name: living
select distinct shard from organisations where exists (select from runs where runs.org = organisations.number)

-- Jumps from one organisation that has left starts to the next.
-- name: inboxes
with recursive waiting (org) as (
    select min(org) from inbox
    union all
    select (select min(inbox.org) from inbox where inbox.org > waiting.org) from waiting where waiting.org is not null
)
select distinct organisations.shard from waiting join organisations on organisations.number = waiting.org
