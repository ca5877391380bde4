-- The administration has many possible writers, so each waits for the one before it.
-- name: lock_administration
select pg_advisory_xact_lock(hashtext('weir administration audit'))

-- name: administration_head
select number, hash, (extract(epoch from clock_timestamp()) * 1000000)::bigint as now
from (select 1) as one
     left join lateral (select number, hash from audit_entries where org = 0 order by number desc limit 1) as last
               on true

-- name: append
insert into audit_entries (org, number, at, actor, origin, request_id, reason, action, target, before, after,
                           previous_hash, hash)
values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
