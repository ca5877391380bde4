-- name: by_name
select number, name, shard, created_at, suspended_at, suspension_reason
from organisations
where name = any (?) and deletion_began_at is null

-- A replaced token may be revoked at a time in the future.
-- name: by_token
select api_tokens.hash, organisations.name as org, api_tokens.name, api_tokens.role, api_tokens.scopes,
       api_tokens.administrator
from api_tokens join organisations on organisations.number = api_tokens.org
where api_tokens.hash = any (?) and organisations.deletion_began_at is null and (api_tokens.revoked_at is null or api_tokens.revoked_at > clock_timestamp())
  and (api_tokens.expires_at is null or api_tokens.expires_at > extract(epoch from clock_timestamp()) * 1000000)
