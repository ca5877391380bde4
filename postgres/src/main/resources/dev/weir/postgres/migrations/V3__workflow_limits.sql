-- Operators' limits on runs, and operations on many runs at once.

-- Limits on runs that operators set. They replace the values of every version of the definition. The scope says whose
-- limits they are, and the subject names it. Each limit has a lasting value, a temporary one, and the end of that one;
-- without either, the value of the definition applies. A row stays when all of its values are cleared, because its
-- version must not begin again.
create table rate_limit_configs (
    version                               bigint not null check (version > 0),
    changed_at                            bigint not null,
    max_concurrent_runs_until             bigint,
    runs_per_minute_until                 bigint,
    max_concurrent_runs_per_key_until     bigint,
    max_cascade_depth_until               bigint,
    org                                   int    not null,
    max_concurrent_runs                   int    check (max_concurrent_runs > 0),
    max_concurrent_runs_temporary         int    check (max_concurrent_runs_temporary > 0),
    runs_per_minute                       int    check (runs_per_minute > 0),
    runs_per_minute_temporary             int    check (runs_per_minute_temporary > 0),
    max_concurrent_runs_per_key           int    check (max_concurrent_runs_per_key > 0),
    max_concurrent_runs_per_key_temporary int    check (max_concurrent_runs_per_key_temporary > 0),
    max_cascade_depth                     int    check (max_cascade_depth > 0),
    max_cascade_depth_temporary           int    check (max_cascade_depth_temporary > 0),
    scope                                 text   not null check (scope in ('workflow')),
    subject                               text   collate "C" not null,
    actor                                 text,
    reason                                text,
    primary key (org, scope, subject),
    check ((max_concurrent_runs_temporary is null) = (max_concurrent_runs_until is null)),
    check ((runs_per_minute_temporary is null) = (runs_per_minute_until is null)),
    check ((max_concurrent_runs_per_key_temporary is null) = (max_concurrent_runs_per_key_until is null)),
    check ((max_cascade_depth_temporary is null) = (max_cascade_depth_until is null))
);

-- Operations on all runs that match a filter: c cancel, t retry. They are carried out in parts, from the newest run to
-- the oldest, and go on after a restart of the node.
--   number_before  the runs with lower numbers are still to do
--   listed_before  the filter's ids before this position are done; only if the filter lists ids
--   filter         what the runs must match, as JSON
--   options        how to do it, as JSON
--   expected       the number of matching runs when it began, counted up to a bound; null above it
--   failures       the first runs that could not be changed, as JSON
--   lease_until    until then the node carries it out; another node takes it over afterwards
create table bulk_operations (
    seq           bigint generated always as identity,
    created_at    bigint not null,
    ended_at      bigint,
    number_before bigint not null,
    expected      bigint,
    changed       bigint not null default 0,
    unchanged     bigint not null default 0,
    failed        bigint not null default 0,
    lease_until   bigint not null,
    org           int    not null,
    listed_before int    not null default 0,
    action        "char" not null check (action in ('c', 't')),
    id            text   collate "C" not null,
    node          text   not null,
    filter        text   not null,
    options       text   not null,
    failures      text   not null default '[]',
    primary key (org, id)
);

create index bulk_operations_unfinished on bulk_operations (lease_until) where ended_at is null;

create function setting_now(lasting int, temporary int, until bigint) returns int language sql stable as $$
    select case when until > (extract(epoch from clock_timestamp()) * 1000000)::bigint then temporary else lasting end
$$;

create view live_run_limits with (security_invoker = true) as
select organisations.name as organisation,
       configs.subject    as workflow,
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
       configs.reason
from rate_limit_configs configs
     join organisations on organisations.number = configs.org
where configs.scope = 'workflow';

comment on view live_run_limits is
    'Limits on runs of workflows that operators have set. Without a value, the value of the definition applies.';
comment on column live_run_limits.organisation is 'name of the organisation';
comment on column live_run_limits.workflow is 'name of the workflow';
comment on column live_run_limits.max_concurrent_runs is 'runs at once, as an operator set it; null = as defined';
comment on column live_run_limits.max_concurrent_runs_until is 'when the temporary value ends or ended';
comment on column live_run_limits.runs_per_minute is 'starts per minute, as an operator set it; null = as defined';
comment on column live_run_limits.runs_per_minute_until is 'when the temporary value ends or ended';
comment on column live_run_limits.max_concurrent_runs_per_key is
    'runs at once with one run key, as an operator set it; null = as defined';
comment on column live_run_limits.max_concurrent_runs_per_key_until is 'when the temporary value ends or ended';
comment on column live_run_limits.max_cascade_depth is
    'longest chain of runs and events, as an operator set it; null = as defined';
comment on column live_run_limits.max_cascade_depth_until is 'when the temporary value ends or ended';
comment on column live_run_limits.version is 'number of changes so far';
comment on column live_run_limits.changed_at is 'when it was changed last';
comment on column live_run_limits.actor is 'who changed it last, if known';
comment on column live_run_limits.reason is 'why it was changed last, if given';

-- Whether a run has or had a step or item under a flow-control key. Steps of a live run are in its row (initial_steps),
-- in steps, or in step_history; those of an ended run in its row (final_steps) or in step_history.
create function run_has_key(of_org int, of_run bigint, accepted bigint, listed jsonb, initial text, final text, wanted text)
    returns boolean language sql stable as $$
    select exists (select from json_array_elements(initial::json) as step (entry)
                   where wanted = any (weir.step_keys(coalesce(nullif((step.entry -> 1)::text, 'null'), '0'),
                                                      listed -> (step.entry ->> 0)::int)))
        or exists (select from json_array_elements(final::json) as step (entry)
                   where wanted = any (weir.step_keys((step.entry -> 7)::text, listed -> (step.entry ->> 0)::int)))
        or exists (select from weir.steps
                   where steps.org = of_org and steps.run = of_run
                     and wanted = any (weir.step_keys(steps.limit_needs, listed -> steps.step::int)))
        or exists (select from weir.step_history history
                   where history.org = of_org and history.run = of_run and history.ended_at >= accepted
                     and wanted = any (weir.step_keys(history.limit_needs, listed -> history.step::int)))
$$;

do $$
declare
    name text;
begin
    foreach name in array array['rate_limit_configs', 'bulk_operations'] loop
        execute format('grant select, insert, update, delete on weir.%I to weir_engine', name);
        execute format('create policy engine on weir.%I to weir_engine using (true) with check (true)', name);
        execute format('grant select on weir.%I to weir_request', name);
        execute format('create policy request on weir.%I for select to weir_request'
                       ' using (org = nullif(current_setting(''weir.org'', true), '''')::int)', name);
        execute format('alter table weir.%I enable row level security', name);
        execute format('alter table weir.%I force row level security', name);
    end loop;
end $$;

grant select on live_run_limits to weir_engine, weir_request;
grant usage, select on sequence bulk_operations_seq_seq to weir_engine;
