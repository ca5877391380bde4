-- API tokens get rights, an expiry and the time of their last use; changes by people are kept in an audit.

-- The policies bind the owner of the table too, so the owner could not update the existing rows.
alter table api_tokens no force row level security;

-- Tokens that exist already may do everything, as before.
--   last_used_at   written at most once per minute, so that requests do not have to wait for it
--   scopes         additions to the role, separated by commas
--   administrator  true if the token may also administer the node
--   request_id     the request that created it, so that the same request again is recognised
alter table api_tokens
    add column expires_at    bigint,
    add column last_used_at  bigint,
    add column administrator boolean not null default true,
    add column role          text    not null default 'admin'
        check (role in ('viewer', 'starter', 'worker', 'operator', 'admin')),
    add column scopes        text    not null default '',
    add column created_by    text    not null default '',
    add column request_id    text    not null default '';

alter table api_tokens
    alter column administrator drop default,
    alter column role drop default,
    alter column scopes drop default,
    alter column created_by drop default,
    alter column request_id drop default;

-- From now on a name is unique among the valid tokens of an organisation. revoked_at may be in the future: a token that
-- was replaced may work for a while.
update api_tokens
set name = left(api_tokens.name, 91) || ' ' || left(encode(api_tokens.hash, 'hex'), 8)
from (select org, hash, row_number() over (partition by org, name order by created_at, hash) as place
      from api_tokens
      where revoked_at is null) as named
where named.org = api_tokens.org and named.hash = api_tokens.hash and named.place > 1;

create unique index api_tokens_name on api_tokens (org, name) where revoked_at is null;

alter table api_tokens force row level security;

-- Changes by people and tokens. Each entry has the hash of the entry before it, so that an entry that is edited,
-- removed, moved or inserted breaks the chain. An organisation's chain has one writer, the owner of its shard. The
-- organisation 0 is the administration of the node, whose chain is written under a lock.
--   before, after  the changed part of the target's state, as canonical JSON
--   hash           SHA-256 of the other columns, in the form weir-audit-1, as hexadecimal digits
create table audit_entries (
    number        bigint not null check (number > 0),
    at            bigint not null,
    org           int    not null,
    actor         text   not null,
    origin        text   not null,
    request_id    text   not null,
    action        text   not null,
    target        text   not null,
    reason        text,
    before        text,
    after         text,
    previous_hash text   not null,
    hash          text   not null,
    primary key (org, number)
);

-- Nobody who serves requests can change or remove an entry.
grant select, insert on audit_entries to weir_engine;
grant select on audit_entries to weir_request;
create policy engine_reads on audit_entries for select to weir_engine using (true);
create policy engine_appends on audit_entries for insert to weir_engine with check (true);
create policy request on audit_entries for select to weir_request
    using (org = nullif(current_setting('weir.org', true), '')::int);
alter table audit_entries enable row level security;
alter table audit_entries force row level security;
