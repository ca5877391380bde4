-- Limits of organisations and of single run keys, deferral, totals, quotas, and logins that read one organisation.

-- The scope organisation has no subject; a run key has its workflow as the subject.
--   max_queued_runs   the waiting runs at which further starts are refused
--   default_debounce  the quiet period of triggers that define none, in microseconds
alter table rate_limit_configs
    add column max_queued_runs            int    check (max_queued_runs > 0),
    add column max_queued_runs_temporary  int    check (max_queued_runs_temporary > 0),
    add column max_queued_runs_until      bigint,
    add column default_debounce           bigint check (default_debounce > 0),
    add column default_debounce_temporary bigint check (default_debounce_temporary > 0),
    add column default_debounce_until     bigint,
    add column run_key                    text   collate "C" not null default '',
    drop constraint rate_limit_configs_scope_check,
    add constraint rate_limit_configs_scope_check check (scope in ('organisation', 'workflow', 'run_key')),
    add check ((scope = 'organisation') = (subject = '')),
    add check (run_key = '' or scope = 'run_key'),
    add check ((max_queued_runs_temporary is null) = (max_queued_runs_until is null)),
    add check ((default_debounce_temporary is null) = (default_debounce_until is null)),
    drop constraint rate_limit_configs_pkey,
    add primary key (org, scope, subject, run_key);

alter table rate_limit_configs alter column run_key drop default;

create function setting_now(lasting bigint, temporary bigint, until bigint) returns bigint language sql stable as $$
    select case when until > (extract(epoch from clock_timestamp()) * 1000000)::bigint then temporary else lasting end
$$;

create or replace view live_run_limits with (security_invoker = true) as
select organisations.name as organisation,
       nullif(configs.subject, '') collate "C" as workflow,
       setting_now(max_concurrent_runs, max_concurrent_runs_temporary, max_concurrent_runs_until)
                          as max_concurrent_runs,
       time_of(max_concurrent_runs_until) as max_concurrent_runs_until,
       setting_now(runs_per_minute, runs_per_minute_temporary, runs_per_minute_until)
                          as runs_per_minute,
       time_of(runs_per_minute_until) as runs_per_minute_until,
       setting_now(max_concurrent_runs_per_key, max_concurrent_runs_per_key_temporary, max_concurrent_runs_per_key_until)
                          as max_concurrent_runs_per_key,
       time_of(max_concurrent_runs_per_key_until) as max_concurrent_runs_per_key_until,
       setting_now(max_cascade_depth, max_cascade_depth_temporary, max_cascade_depth_until)
                          as max_cascade_depth,
       time_of(max_cascade_depth_until) as max_cascade_depth_until,
       configs.version,
       time_of(configs.changed_at) as changed_at,
       configs.actor,
       configs.reason,
       configs.scope,
       case configs.scope when 'run_key' then configs.run_key end as run_key,
       setting_now(max_queued_runs, max_queued_runs_temporary, max_queued_runs_until)
                          as max_queued_runs,
       time_of(max_queued_runs_until) as max_queued_runs_until,
       make_interval(secs => setting_now(default_debounce, default_debounce_temporary, default_debounce_until) / 1e6)
                          as default_debounce,
       time_of(default_debounce_until) as default_debounce_until
from rate_limit_configs configs
     join organisations on organisations.number = configs.org;

comment on view live_run_limits is
    'Limits on runs that operators have set. Without a value, the value of the definition applies.';
comment on column live_run_limits.workflow is 'name of the workflow; null for the limits of the organisation';
comment on column live_run_limits.scope is 'organisation, workflow or run_key';
comment on column live_run_limits.run_key is 'the run key whose limits these are; null for all runs of the workflow';
comment on column live_run_limits.max_queued_runs is 'waiting runs at which further starts are refused; null = none';
comment on column live_run_limits.max_queued_runs_until is 'when the temporary value ends or ended';
comment on column live_run_limits.default_debounce is 'quiet period of triggers that define none; null = none';
comment on column live_run_limits.default_debounce_until is 'when the temporary value ends or ended';

-- The time of the next check of a queued run, written once, when a limit holds its start for the first time.
alter table runs add column rate_limit_hold_until bigint;

create or replace view live_runs with (security_invoker = true) as
select organisations.name                                        as organisation,
       runs.workflow,
       runs.version                                              as workflow_version,
       runs.id                                                   as run_id,
       run_state(runs.state)                                     as state,
       runs.priority,
       time_of(runs.accepted_at)                                 as accepted_at,
       time_of(runs.started_at)                                  as started_at,
       time_of((parts.detail ->> 'not_before')::bigint)          as not_before,
       time_of((parts.detail ->> 'deadline_at')::bigint)         as deadline_at,
       time_of(runs.last_grant_at)                               as last_step_started_at,
       parts.ending ->> 'as'                                     as ends_as,
       parts.ending ->> 'reason'                                 as ends_because,
       parts.start_options -> 'parent' ->> 0                     as parent_run_id,
       parts.start_options -> 'parent' ->> 1                     as parent_step_id,
       parts.start_options ->> 'retry_of'                        as retry_of_run_id,
       runs.overrides,
       runs.labels,
       time_of(runs.rate_limit_hold_until)                       as rate_limit_hold_until
from runs
     join organisations on organisations.number = runs.org
     cross join lateral (select stored_json(runs.detail) as detail, stored_json(runs.ending) as ending,
                                stored_json(runs.start_options) as start_options) as parts;

comment on column live_runs.rate_limit_hold_until is
    'when a limit that held its start was to be checked again, as of the first hold; null if none held it';

-- What runs did, counted once each by the transactions in which it happened. Counts stay when runs are removed from
-- history. A month begins in the time zone of the organisation; the total is the sum of the months.
create table execution_counts (
    started          bigint not null default 0,
    deferred         bigint not null default 0,
    debounced        bigint not null default 0,
    cascade_detected bigint not null default 0,
    org              int    not null,
    month            date   not null,
    primary key (org, month)
) with (fillfactor = 50);

-- Quotas that the administrator set for people to see; nothing enforces them. Without a row, months are those of UTC.
create table organisation_quotas (
    quota         bigint check (quota >= 0),
    org           int    not null,
    resource_type text   not null check (resource_type in ('workflow_executions')),
    period        text   not null check (period in ('month')),
    time_zone     text   not null check (timezone(time_zone, timestamptz 'epoch') is not null),
    primary key (org, resource_type)
);

-- Logins that may read the limits and counters of one organisation. The database knows the login of a session, and a
-- session cannot change it.
create table organisation_readers (
    created_at timestamptz not null default now(),
    org        int         not null unique,
    login      name        not null primary key
);

do $$
declare
    name text;
begin
    foreach name in array array['execution_counts', 'organisation_quotas', 'organisation_readers'] loop
        execute format('grant select, insert, update, delete on weir.%I to weir_engine', name);
        execute format('create policy engine on weir.%I to weir_engine using (true) with check (true)', name);
        if name <> 'organisation_readers' then
            execute format('grant select on weir.%I to weir_request', name);
            execute format('create policy request on weir.%I for select to weir_request'
                           ' using (org = nullif(current_setting(''weir.org'', true), '''')::int)', name);
        end if;
        execute format('alter table weir.%I enable row level security', name);
        execute format('alter table weir.%I force row level security', name);
    end loop;
end $$;

-- The organisations that the present session may see: all for the engine's people, the one of the transaction for a
-- request, and the one of its login for a reader. It asks for the login of the session, which SET ROLE does not change.
create function visible_organisations() returns setof int language sql stable security definer
    set search_path = pg_catalog as $$
    select organisations.number
    from weir.organisations
    where case
              when current_setting('role') = 'weir_request'
                  then organisations.number = nullif(current_setting('weir.org', true), '')::int
              when pg_has_role(session_user, 'weir_engine', 'member') then true
              else organisations.number in (select readers.org from weir.organisation_readers readers
                                            where readers.login = session_user)
          end
$$;

-- Usage, limits and totals of the visible organisations. Usage is counted from the rows, so it is right at each commit.
-- A run that borrows the place of the run that invoked it does not count as another one.
create function visible_counters() returns table (
    organisation text, concurrent_runs bigint, started_in_last_minute bigint, queued bigint, held bigint,
    max_concurrent_runs int, runs_per_minute int, max_queued_runs int, max_cascade_depth int,
    default_debounce interval, started bigint, deferred bigint, debounced bigint, cascade_detected bigint)
    language sql stable security definer set search_path = pg_catalog as $$
    select organisations.name, live.concurrent, recent.starts, live.queued, live.held,
           weir.setting_now(configs.max_concurrent_runs, configs.max_concurrent_runs_temporary,
                            configs.max_concurrent_runs_until),
           weir.setting_now(configs.runs_per_minute, configs.runs_per_minute_temporary, configs.runs_per_minute_until),
           weir.setting_now(configs.max_queued_runs, configs.max_queued_runs_temporary, configs.max_queued_runs_until),
           weir.setting_now(configs.max_cascade_depth, configs.max_cascade_depth_temporary,
                            configs.max_cascade_depth_until),
           make_interval(secs => weir.setting_now(configs.default_debounce, configs.default_debounce_temporary,
                                                  configs.default_debounce_until) / 1e6),
           totals.started, totals.deferred, totals.debounced, totals.cascade_detected
    from weir.visible_organisations() as visible (number)
         join weir.organisations on organisations.number = visible.number
         left join weir.rate_limit_configs configs on configs.org = organisations.number
                                                  and configs.scope = 'organisation'
         cross join lateral (
            select count(*) filter (where runs.started_at is not null
                                      and runs.detail::json ->> 'borrows' is distinct from 'true') as concurrent,
                   count(*) filter (where runs.started_at is null) as queued,
                   count(*) filter (where runs.started_at is null and runs.rate_limit_hold_until is not null) as held
            from weir.runs where runs.org = organisations.number) as live
         cross join lateral (
            select count(*) as starts from weir.rate_starts starts
            where starts.org = organisations.number and starts."limit" = 'org_runs'
              and starts.at > extract(epoch from clock_timestamp()) * 1000000 - 60000000) as recent
         cross join lateral (
            select coalesce(sum(counts.started), 0)::bigint as started,
                   coalesce(sum(counts.deferred), 0)::bigint as deferred,
                   coalesce(sum(counts.debounced), 0)::bigint as debounced,
                   coalesce(sum(counts.cascade_detected), 0)::bigint as cascade_detected
            from weir.execution_counts counts where counts.org = organisations.number) as totals
$$;

-- The functions act as the engine's role: the owner of the tables is bound by row-level security too.
grant create on schema weir to weir_engine;
alter function visible_organisations() owner to weir_engine;
alter function visible_counters() owner to weir_engine;
revoke create on schema weir from weir_engine;
revoke all on function visible_organisations(), visible_counters() from public;
grant execute on function visible_organisations(), visible_counters() to weir_engine, weir_request, weir_reader;

create view execution_rate_counters with (security_invoker = true) as
select * from visible_counters();

comment on view execution_rate_counters is
    'Usage, limits and totals of an organisation. A member sees its own organisation only.';
comment on column execution_rate_counters.organisation is 'name of the organisation';
comment on column execution_rate_counters.concurrent_runs is 'runs that count against max_concurrent_runs';
comment on column execution_rate_counters.started_in_last_minute is
    'starts of the last minute that count against runs_per_minute; 0 if no such limit was set';
comment on column execution_rate_counters.queued is 'runs that have not started';
comment on column execution_rate_counters.held is 'queued runs that a limit has held';
comment on column execution_rate_counters.max_concurrent_runs is 'runs at once; null = unlimited';
comment on column execution_rate_counters.runs_per_minute is 'starts in any minute; null = unlimited';
comment on column execution_rate_counters.max_queued_runs is 'waiting runs at which starts are refused; null = none';
comment on column execution_rate_counters.max_cascade_depth is 'longest chain of runs and events; null = as defined';
comment on column execution_rate_counters.default_debounce is 'quiet period of triggers that define none; null = none';
comment on column execution_rate_counters.started is 'runs that started, each counted once';
comment on column execution_rate_counters.deferred is 'runs whose start a limit has held, each counted once';
comment on column execution_rate_counters.debounced is 'events that were merged into a later one';
comment on column execution_rate_counters.cascade_detected is 'starts that ended a chain of runs that was too long';

grant usage on schema weir to weir_reader;
grant select on execution_rate_counters to weir_engine, weir_request, weir_reader;
grant select on rate_limit_configs to weir_reader;
create policy reader on rate_limit_configs for select to weir_reader
    using (org in (select weir.visible_organisations()));

-- Creates the login of a reader, unless it exists. The caller needs the right to create roles.
create function create_reader(login name) returns void language plpgsql as $$
begin
    if not exists (select from pg_roles where rolname = login) then
        execute format('create role %I login nosuperuser nocreatedb nocreaterole noreplication nobypassrls'
                       ' connection limit 8 in role weir_reader', login);
    end if;
end $$;
