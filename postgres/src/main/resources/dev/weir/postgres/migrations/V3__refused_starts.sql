-- What programs leave in the inbox says who left it, which they cannot choose, and is bounded as requests are.
alter table inbox
    add column by text not null default session_user,
    add constraint request_bytes check (octet_length(request::text) <= 1048576);

revoke insert on inbox from weir_starter;
grant insert (org, request) on inbox to weir_starter;

-- Starts of the inbox that could not be carried out, so that whoever left them can see why: u unknown workflow, c conflict,
-- r refused, f failed. Written by the transaction that takes them out of the inbox; the newest of an organisation are kept.
create table refused_starts (
    seq      bigint generated always as identity,
    at       bigint not null,
    org      int    not null,
    why      "char" not null check (why in ('u', 'c', 'r', 'f')),
    run      text   not null,
    workflow text   not null,
    message  text   not null,
    by       text   not null,
    primary key (org, seq)
);

grant select, insert, update, delete on refused_starts to weir_engine;
grant usage, select on all sequences in schema weir to weir_engine;
grant select on refused_starts to weir_request;
alter table refused_starts enable row level security;
alter table refused_starts force row level security;
create policy engine on refused_starts to weir_engine using (true) with check (true);
create policy request on refused_starts for select to weir_request
    using (org = nullif(current_setting('weir.org', true), '')::int);
