-- name: create
insert into organisations (name, shard)
select wanted.name, wanted.shard
from (values (?, ?::smallint)) as wanted (name, shard)
where weir.is_free_name(wanted.name)
on conflict do nothing

-- name: find
select name, shard, created_at, suspended_at, suspension_reason
from organisations
where name = ? and deletion_began_at is null

-- name: list
select name, shard, created_at, suspended_at, suspension_reason
from organisations
where name > ? and deleted_at is null
order by name
limit ?

-- name: organisation_number
select number from organisations where name = ? and deletion_began_at is null

-- name: create_token
insert into api_tokens (org, hash, name, role, scopes, administrator, created_by, request_id)
values (?, decode(?, 'hex'), ?, 'admin', '', true, 'weir', '')
on conflict (org, name) where revoked_at is null do nothing

-- Uses of one minute are written at once. A token that is used on several nodes keeps the latest time. The use of a session
-- is a use of its token.
-- name: record_uses
with used as (
    select decode(hash, 'hex') as hash from unnest(?::text[]) as given (hash)
)
update api_tokens
set last_used_at = (extract(epoch from clock_timestamp()) * 1000000)::bigint
where hash in (select hash from used
               union all select console_sessions.token from console_sessions join used using (hash))

-- Ends every ownership of the shard, so that no memory keeps the former name. It waits for a transaction in progress.
-- name: end_ownership
update shards set epoch = epoch + 1 from organisations
where organisations.name = ? and organisations.deletion_began_at is null and shards.shard = organisations.shard

-- name: is_free
select weir.is_free_name(?) as free

-- name: rename
update organisations set name = ?, former_names = former_names || name where name = ?

-- name: bind_starter
insert into organisation_starters (org, login) values (?, ?) on conflict do nothing

-- The engine's role may not create logins; the account of the node may.
-- name: create_starter
select weir.create_starter(?, ?)
