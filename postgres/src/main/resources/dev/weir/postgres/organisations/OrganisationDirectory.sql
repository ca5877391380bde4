-- name: by_name
select number, name, shard, created_at from organisations where name = any (?)

-- name: by_token
select api_tokens.hash, organisations.name, organisations.shard, organisations.created_at
from api_tokens join organisations on organisations.number = api_tokens.org
where api_tokens.hash = any (?) and api_tokens.revoked_at is null
