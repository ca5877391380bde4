-- name: create
insert into organisations (name, shard) values (?, ?) on conflict do nothing

-- name: find
select name, shard, created_at from organisations where name = ?

-- name: list
select name, shard, created_at from organisations where name > ? order by name limit ?

-- name: organisation_number
select number from organisations where name = ?

-- name: create_token
insert into api_tokens (org, hash, name, role, scopes, administrator, created_by, request_id)
values (?, decode(?, 'hex'), ?, 'admin', '', true, 'weir', '')
on conflict (org, name) where revoked_at is null do nothing

-- Uses of one minute are written at once. A token that is used on several nodes keeps the latest time.
-- name: record_uses
update api_tokens
set last_used_at = (extract(epoch from clock_timestamp()) * 1000000)::bigint
from unnest(?::text[]) as used (hash)
where api_tokens.hash = decode(used.hash, 'hex')

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
