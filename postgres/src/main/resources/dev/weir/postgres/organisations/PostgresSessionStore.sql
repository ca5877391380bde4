-- A replaced token may be revoked at a time in the future.
-- name: token
select organisations.number, organisations.name as org, api_tokens.name, api_tokens.role, api_tokens.scopes,
       api_tokens.administrator, (extract(epoch from clock_timestamp()) * 1000000)::bigint as now,
       least(api_tokens.expires_at, (extract(epoch from api_tokens.revoked_at) * 1000000)::bigint) as ends_at
from api_tokens join organisations on organisations.number = api_tokens.org
where api_tokens.hash = ? and organisations.deletion_began_at is null
  and (api_tokens.revoked_at is null or api_tokens.revoked_at > clock_timestamp())
  and (api_tokens.expires_at is null or api_tokens.expires_at > extract(epoch from clock_timestamp()) * 1000000)

-- name: session
select organisations.name as org, api_tokens.name, api_tokens.role, api_tokens.scopes, api_tokens.administrator,
       least(console_sessions.expires_at, api_tokens.expires_at,
             (extract(epoch from api_tokens.revoked_at) * 1000000)::bigint) as ends_at
from console_sessions
     join api_tokens on api_tokens.org = console_sessions.org and api_tokens.hash = console_sessions.token
     join organisations on organisations.number = console_sessions.org
where console_sessions.hash = ? and organisations.deletion_began_at is null
  and console_sessions.expires_at > extract(epoch from clock_timestamp()) * 1000000
  and (api_tokens.revoked_at is null or api_tokens.revoked_at > clock_timestamp())
  and (api_tokens.expires_at is null or api_tokens.expires_at > extract(epoch from clock_timestamp()) * 1000000)

-- name: begin_session
insert into console_sessions (created_at, expires_at, org, hash, token) values (?, ?, ?, ?, ?)

-- name: end_oldest_sessions
delete from console_sessions
where hash in (select hash from console_sessions where token = ? order by created_at desc, hash offset ?)

-- name: end_session
delete from console_sessions where hash = ?

-- name: create_link
insert into sign_in_links (created_at, expires_at, org, hash, token) values (?, ?, ?, ?, ?)

-- name: drop_oldest_links
delete from sign_in_links
where hash in (select hash from sign_in_links where token = ? order by created_at desc, hash offset ?)

-- name: use_link
delete from sign_in_links
where hash = ? and expires_at > extract(epoch from clock_timestamp()) * 1000000
returning token
