-- Events, what triggers made of them, debounce windows, and schedules.

-- Lists the triggers of a definition as they are written; null if it has none.
create function trigger_list(definition text) returns jsonb language sql immutable as $$
    select (weir.stored_json(definition) -> 'triggers')::jsonb
$$;

alter table workflows add column trigger_list jsonb generated always as (trigger_list(definition)) stored;

-- Events, received or emitted. Events that were emitted before this table existed are in emitted_events; nobody
-- delivers them.
--   triggers     the number of triggers that handled it; null as long as some have not
--   print        the fingerprint, which identifies a repeated event
--   emitted_...  the step or item that emitted it
--   lineage      the actor that sent it, and the runs and events before it, as JSON
create table events (
    number       bigint not null check (number > 0),
    at           bigint not null,
    org          int    not null,
    print        int    not null,
    triggers     int    check (triggers >= 0),
    emitted_item int,
    id           text   collate "C" not null,
    name         text   collate "C" not null,
    source       text,
    emitted_run  text   collate "C",
    emitted_step text   collate "C",
    lineage      text,
    data         text   not null,
    primary key (org, number),
    check ((emitted_run is null) = (emitted_step is null) and (emitted_run is null) = (emitted_item is null))
);

create unique index events_id on events (org, id);
create index events_pending on events (org, number) where triggers is null;
-- For small deletes by age; the table has no partitions.
create index events_at on events using brin (at);

-- The outcomes of events at triggers.
--   run          the run that the event started
--   "window"     the debounce window that the event went into
create table event_outcomes (
    event     bigint not null,
    "window"  bigint,
    org       int    not null,
    workflow  text   collate "C" not null,
    "trigger" text   collate "C" not null,
    outcome   text   not null check (outcome in ('started', 'debounced', 'filtered', 'cascade', 'failed')),
    run       text   collate "C",
    reason    text,
    primary key (org, event, workflow, "trigger"),
    check ((outcome = 'debounced') = ("window" is not null))
);

-- Debounce windows. An open one has no outcome. The outcome is that of the last event.
create table debounce_windows (
    number     bigint not null check (number > 0),
    opened_at  bigint not null,
    due        bigint not null,
    closed_at  bigint,
    last_event bigint not null,
    org        int    not null,
    events     int    not null check (events > 0),
    workflow   text   collate "C" not null,
    "trigger"  text   collate "C" not null,
    key        text   not null,
    outcome    text   check (outcome in ('started', 'cascade', 'failed')),
    run        text   collate "C",
    reason     text,
    primary key (org, number),
    check ((closed_at is null) = (outcome is null))
);

create index debounce_windows_open on debounce_windows (org, number) where closed_at is null;
create index debounce_windows_closed on debounce_windows (closed_at) where closed_at is not null;

-- The progress of the schedules of the newest versions.
--   handled_to   the time up to which runs were started or skipped
create table schedules (
    handled_to bigint not null,
    org        int    not null,
    workflow   text   collate "C" not null,
    "trigger"  text   collate "C" not null,
    last_run   text   collate "C",
    problem    text,
    primary key (org, workflow, "trigger")
);

-- Schedules that were registered before they had an effect begin now.
insert into schedules (org, workflow, "trigger", handled_to)
select newest.org, newest.name, entry ->> 'id', (extract(epoch from clock_timestamp()) * 1000000)::bigint
from (select distinct on (org, name) org, name, trigger_list from workflows order by org, name, version desc) as newest,
     jsonb_array_elements(newest.trigger_list) as entry
where entry ? 'schedule';

do $$
declare
    name text;
begin
    foreach name in array array['events', 'event_outcomes', 'debounce_windows', 'schedules'] loop
        execute format('grant select, insert, update, delete on weir.%I to weir_engine', name);
        execute format('create policy engine on weir.%I to weir_engine using (true) with check (true)', name);
        execute format('grant select on weir.%I to weir_request', name);
        execute format('create policy request on weir.%I for select to weir_request'
                       ' using (org = nullif(current_setting(''weir.org'', true), '''')::int)', name);
        execute format('alter table weir.%I enable row level security', name);
        execute format('alter table weir.%I force row level security', name);
    end loop;
end $$;
