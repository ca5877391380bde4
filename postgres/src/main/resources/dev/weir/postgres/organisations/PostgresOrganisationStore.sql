-- name: create
insert into organisations (name, shard) values (?, ?) on conflict do nothing

-- name: find
select name, shard, created_at from organisations where name = ?

-- name: list
select name, shard, created_at from organisations where name > ? order by name limit ?

-- name: create_token
insert into api_tokens (org, hash, name) select number, ?, ? from organisations where name = ?

-- name: tokens
select organisations.name as org, api_tokens.name, api_tokens.created_at, api_tokens.revoked_at
from organisations join api_tokens on api_tokens.org = organisations.number
where organisations.name = ?
order by api_tokens.created_at, api_tokens.hash

-- name: revoke_tokens
update api_tokens set revoked_at = now()
from organisations
where organisations.name = ? and api_tokens.org = organisations.number and api_tokens.name = ?
  and api_tokens.revoked_at is null
