-- Organisations are suspended, renamed and deleted; workflows are paused and archived.

-- A deleted organisation keeps its row without data, and a renamed one its former names, so that a name never comes to
-- mean another organisation.
--   suspended_at  since then nothing of it starts
alter table organisations
    add column suspended_at      bigint,
    add column suspension_reason text,
    add column deletion_began_at bigint,
    add column deleted_at        bigint,
    add column former_names      text[] collate "C" not null default '{}';

-- The workflows that are not open.
create table workflow_availability (
    since    bigint not null,
    org      int    not null,
    state    text   not null check (state in ('paused', 'archived')),
    workflow text   collate "C" not null,
    primary key (org, workflow)
);

-- Secrets, sealed with a key that the database does not have. Requests do not read them.
--   key_id  identifies the key
--   sealed  the encrypted value; it can only be opened for this organisation and name
create table secrets (
    changed_at bigint not null,
    org        int    not null,
    version    int    not null check (version > 0),
    name       text   collate "C" not null,
    key_id     text   not null,
    sealed     text   not null,
    primary key (org, name)
);

do $$
declare
    name text;
begin
    foreach name in array array['workflow_availability', 'secrets'] loop
        execute format('grant select, insert, update, delete on weir.%I to weir_engine', name);
        execute format('create policy engine on weir.%I to weir_engine using (true) with check (true)', name);
        execute format('alter table weir.%I enable row level security', name);
        execute format('alter table weir.%I force row level security', name);
        continue when name = 'secrets';
        execute format('grant select on weir.%I to weir_request', name);
        execute format('create policy request on weir.%I for select to weir_request'
                       ' using (org = nullif(current_setting(''weir.org'', true), '''')::int)', name);
    end loop;
end $$;

-- Whether no organisation has, or had, this name.
create function is_free_name(wanted text) returns boolean language sql stable as $$
    select not exists (select from weir.organisations where name = wanted or wanted = any (former_names))
$$;

-- A field in the form weir-audit-1: its length, then its text. -1 means absent.
create function audit_field(field text) returns bytea language sql immutable as $$
    select case when field is null then int4send(-1)
                else int4send(octet_length(convert_to(field, 'UTF8'))) || convert_to(field, 'UTF8')
           end
$$;

-- Appends an entry to the audit of the administration, which has many possible writers, so each waits for the one
-- before it. The hash is that of AuditEntry.
create function append_to_administration(at bigint, actor text, origin text, request_id text, reason text, action text,
                                         target text, before text, after text) returns void language plpgsql as $$
declare
    last record;
    next bigint;
begin
    perform pg_advisory_xact_lock(hashtext('weir administration audit'));
    select coalesce(max(entries.number), 0) as number,
           coalesce((array_agg(entries.hash order by entries.number desc))[1], repeat('0', 64)) as hash
    into last
    from (select number, hash from weir.audit_entries where org = 0 order by number desc limit 1) as entries;
    next := last.number + 1;
    insert into weir.audit_entries (org, number, at, actor, origin, request_id, reason, action, target, before, after,
                                    previous_hash, hash)
    values (0, next, at, actor, origin, request_id, reason, action, target, before, after, last.hash,
            encode(sha256(weir.audit_field('weir-audit-1') || weir.audit_field(next::text) || weir.audit_field(at::text)
                          || weir.audit_field(actor) || weir.audit_field(origin) || weir.audit_field(request_id)
                          || weir.audit_field(reason) || weir.audit_field(action) || weir.audit_field(target)
                          || weir.audit_field(before) || weir.audit_field(after) || weir.audit_field(last.hash)), 'hex'));
end $$;
