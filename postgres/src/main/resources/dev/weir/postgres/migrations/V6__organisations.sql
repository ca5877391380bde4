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

-- Deletions of all data of an organisation, or of one ended run. They are carried out in parts, and go on after a
-- restart of the node.
--   run   the id of the run; null = all data of the organisation
--   rows  the number of rows that are deleted
create table deletions (
    began_at bigint not null,
    ended_at bigint,
    rows     bigint not null default 0,
    org      int    not null,
    id       text   collate "C" primary key,
    org_name text   not null,
    run      text   collate "C"
);

create index deletions_unfinished on deletions (began_at) where ended_at is null;

do $$
declare
    name text;
begin
    foreach name in array array['workflow_availability', 'deletions', 'secrets'] loop
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
                          || weir.audit_field(before) || weir.audit_field(after)
                          || weir.audit_field(last.hash)), 'hex'));
end $$;

-- The audit of an organisation can be deleted only while all of its data is.
grant delete on audit_entries to weir_engine;
create policy engine_deletes on audit_entries for delete to weir_engine using (true);

-- A trigger, because the engine's role may bypass policies.
create function check_audit_deletion() returns trigger language plpgsql as $$
begin
    if current_user = 'weir_engine'
       and (old.org = 0 or not exists (select from weir.deletions
                                       where deletions.org = old.org and run is null and ended_at is null)) then
        raise exception 'expected an audit that stays, found an entry % of organisation % to delete', old.number, old.org
            using errcode = 'insufficient_privilege';
    end if;
    return old;
end $$;

create trigger check_deletion before delete on audit_entries for each row execute function check_audit_deletion();

-- Programs find organisations by name, and must not leave starts for one that is being deleted.
grant select (deletion_began_at) on organisations to weir_starter;

-- Deletes at most so many rows of an organisation, or of one of its runs, and returns their number. It looks for the
-- tables in the catalogue, so that no table is forgotten. 0 means that nothing is left.
create function delete_part(of_org int, of_run text, of_number bigint, most int) returns bigint language plpgsql as $$
declare
    part record;
    deleted bigint;
    total bigint := 0;
begin
    for part in
        select tables.oid, tables.relname as name, leaves.oid as leaf,
               run_column.atttypid = 'bigint'::regtype as by_number
        from pg_class tables
             join pg_attribute org_column on org_column.attrelid = tables.oid and org_column.attname = 'org'
             left join pg_attribute run_column on run_column.attrelid = tables.oid and run_column.attname = 'run'
             join pg_class leaves on leaves.relkind = 'r' and (leaves.oid = tables.oid or leaves.oid in
                  (select inhrelid from pg_inherits where inhparent = tables.oid))
        where tables.relnamespace = 'weir'::regnamespace and tables.relkind in ('r', 'p') and not tables.relispartition
          and tables.relname <> 'deletions'
          and (of_run is null
               or (run_column.attname is not null and tables.relname <> 'retry_after_holds'
                   and run_column.atttypid in ('bigint'::regtype, 'text'::regtype))
               or tables.relname in ('run_history', 'run_ids', 'dead_letters'))
        -- The id of a run stays taken until everything else is gone.
        order by tables.relname = 'run_ids', tables.relname = 'run_history', tables.relname, leaves.oid
    loop
        execute format(
            'delete from weir.%1$I where tableoid = $1 and ctid = any (array('
            '    select ctid from weir.%1$I where org = $2 and tableoid = $1 %2$s limit $5))',
            part.name,
            case when of_run is null then ''
                 when part.name = 'run_ids' then 'and id = $3 and number = $4'
                 when part.name = 'run_history' then 'and number = $4'
                 when part.name = 'dead_letters' then 'and subject = $3'
                 when part.by_number then 'and run = $4'
                 else 'and run = $3' end)
            using part.leaf, of_org, of_run, of_number, most - total;
        get diagnostics deleted = row_count;
        total := total + deleted;
        exit when total >= most;
    end loop;
    return total;
end $$;

-- Logins that may leave starts for one organisation only. A member of weir_starter without a row may do so for all.
create table organisation_starters (
    org   int  not null,
    login name not null primary key
);

grant select, insert, update, delete on organisation_starters to weir_engine;
create policy engine on organisation_starters to weir_engine using (true) with check (true);
-- A login sees its own row only, and it asks for the login of the session, which SET ROLE does not change.
grant select on organisation_starters to weir_starter;
create policy starter on organisation_starters for select to weir_starter using (login = session_user);
alter table organisation_starters enable row level security;
alter table organisation_starters force row level security;

drop policy starter on inbox;
create policy starter on inbox for insert to weir_starter
    with check (not exists (select from weir.organisation_starters where login = session_user)
                or org in (select starters.org from weir.organisation_starters starters where login = session_user));
drop policy starter on organisations;
create policy starter on organisations for select to weir_starter
    using (not exists (select from weir.organisation_starters where login = session_user)
           or number in (select starters.org from weir.organisation_starters starters where login = session_user));

-- Creates the login of a program, or gives it another password. The caller needs the right to create roles.
create function create_starter(login name, secret text) returns void language plpgsql as $$
begin
    if not exists (select from pg_roles where rolname = login) then
        execute format('create role %I login nosuperuser nocreatedb nocreaterole noreplication nobypassrls'
                       ' in role weir_starter', login);
    end if;
    execute format('alter role %I password %L', login, secret);
end $$;
