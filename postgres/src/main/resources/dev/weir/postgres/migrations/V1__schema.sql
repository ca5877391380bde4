-- The schema of Weir. From its first release on it only moves forward: a released migration never changes.
--
-- Times are microseconds since 1970, as the rules compute them; null means never, or not yet. States are one letter.
-- JSON is stored as text, because it is checked when it arrives and is returned exactly as it was written. Keys begin
-- with the organisation. Columns are ordered by width, widest first, so that rows contain no padding; within one width
-- the key comes first. People read the views live_… and history_…, which have names and words instead.

-- The 256 shards. The node that raised the epoch last owns the shard; every transaction checks the epoch (see fence).
create table shards (
    epoch       bigint   not null default 0,
    taken_at    timestamptz,
    backend_pid int      not null default 0,
    shard       smallint primary key check (shard between 0 and 255),
    owner       text     not null default ''
) with (fillfactor = 50);

insert into shards (shard) select generate_series(0, 255);

-- highest_fence is the highest fence that was ever given, so that a fence is unique even if somebody deletes claims.
-- listening_spans says when workers could be heard, as a list of [from, until]. It is written every second while
-- expired claims wait for their workers, so that they expire even under a node that crashes again and again.
create table organisations (
    next_run_number bigint      not null default 1,
    highest_fence   bigint      not null default 0,
    created_at      timestamptz not null default now(),
    number          int         primary key generated always as identity,
    shard           smallint    not null references shards,
    name            text        collate "C" not null unique,
    listening_spans text
) with (fillfactor = 70);

-- A token is looked up before its organisation is known, so its hash is unique across organisations.
create table api_tokens (
    created_at timestamptz not null default now(),
    revoked_at timestamptz,
    org        int         not null,
    hash       bytea       not null unique check (octet_length(hash) = 32),
    name       text        not null,
    primary key (org, hash)
);

-- Reads stored JSON. PostgreSQL cannot read the escape of U+0000, which stored JSON may contain, so U+FFFD is shown.
create function stored_json(stored text) returns json language sql immutable as $$
    select replace(stored, '\u0000', '\ufffd')::json
$$;

-- Lists the steps of a definition in the order of their numbers, compensations last, as objects with id, module,
-- signal and keys. A key is listed as the definition has it, also if it is an expression.
create function step_list(definition text) returns jsonb language sql immutable as $$
    with document as materialized (
        select weir.stored_json(definition) as json
    ), steps as (
        select step.position, step.entry,
               coalesce(step.entry -> 'flow_control', document.json -> 'flow_control') as flow_control
        from document, json_array_elements(document.json -> 'steps') with ordinality as step (entry, position)
    ), actions as (
        select 1 as part, position, entry ->> 'id' as id, entry as action, flow_control
        from steps
        union all
        select 2, position, (entry ->> 'id') || '.compensate', entry -> 'compensate', flow_control
        from steps
        where entry -> 'compensate' is not null
    )
    select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
               'id', id,
               'module', case when action -> 'call' is not null then 'weir.call'
                              when action -> 'invoke' is not null then 'weir.invoke'
                              when action -> 'emit' is not null then 'weir.emit'
                              else action ->> 'uses'
                         end,
               'signal', action -> 'wait_for' ->> 'signal',
               'keys', (select jsonb_agg(control.entry ->> 'key')
                        from json_array_elements(flow_control) as control (entry)))) order by part, position), '[]')
    from actions
$$;

-- Definitions. Rows of steps contain the number of their step; step_list tells people its id.
create table workflows (
    registered_at bigint not null,
    org           int    not null,
    version       int    not null check (version > 0),
    name          text   collate "C" not null,
    hash          text   not null,
    definition    text   not null,
    step_list     jsonb  not null generated always as (step_list(definition)) stored,
    primary key (org, name, version)
);

-- The defaults that workers registered for their modules.
create table module_defaults (
    org       int     not null,
    slots     int     not null check (slots > 0),
    exclusive boolean not null,
    module    text    collate "C" not null,
    primary key (org, module)
);

-- The ids of all runs, live or ended, and what they were started with. The table has no partitions, so that an id is
-- unique however old its run is. Its rows never change, and inputs do not move when runs end.
create table run_ids (
    number bigint not null,
    org    int    not null,
    id     text   collate "C" not null,
    input  text   not null,
    primary key (org, id)
);

-- Live runs: q queued, r running, w waiting, p paused, o compensating. A run that ends moves to run_history; a final
-- state and the time of the end exist only there.
--
-- Steps that became ready when the run started, and their claims, are stored in its row: most runs have few steps, and
-- then need no other rows. Such a step counts as long as it has no row in steps or step_history, and such a claim as
-- long as its step has none and it has none in claims.
--   initial_steps   list of [step, limit_needs (null = the usual ones), input (0 = follows from the run's input)]
--   initial_claims  list of [step, fence, attempts, worker, request, lease, granted_at, lease_until, timeout_at,
--                   limit_needs, starts_and_waits]
create table runs (
    number         bigint   not null,
    accepted_at    bigint   not null,
    started_at     bigint,
    last_grant_at  bigint,
    org            int      not null,
    version        int      not null,
    starts_in_tick int,
    priority       smallint not null,
    state          "char"   not null check (state in ('q', 'r', 'w', 'p', 'o')),
    id             text     collate "C" not null,
    workflow       text     collate "C" not null,
    labels         text,
    start_options  text,
    limit_needs    text,
    ending         text,
    overrides      text,
    detail         text,
    initial_steps  text,
    initial_claims text,
    primary key (org, number),
    check (state in ('q', 'p', 'o') or started_at is not null)
) with (fillfactor = 80);

-- Live steps and items: r ready, q requested, u running, i needs input, o backing off, w waiting. item is -1 for the
-- step itself. A blocked step has no row yet, an ended one is in step_history. A grant does not touch the row: a claim
-- with a higher fence says that the step is running.
--   since        the time from which its age counts
--   due_at       the time at which it continues by itself
--   report_hash  the fingerprint of the report with which its newest claim ended; null if it ended without one
--   limit_needs  null = none, a list = its keys, an object = all of its needs
--   last_update  the outcome of its last attempt
--   traits       fields that few steps have
--   detail       fields that even fewer have
create table steps (
    run         bigint   not null,
    fence       bigint   not null,
    since       bigint   not null,
    due_at      bigint,
    org         int      not null,
    item        int      not null check (item >= -1),
    attempts    int      not null,
    report_hash int,
    step        smallint not null,
    state       "char"   not null check (state in ('r', 'q', 'u', 'i', 'o', 'w')),
    limit_needs text,
    input       text,
    last_update text,
    traits      text,
    detail      text,
    primary key (org, run, step, item)
) with (fillfactor = 80);

-- Claims that have rows of their own. Others are in runs.initial_claims or in claim_pages.
--   lease             the length of the lease, in microseconds
--   limit_needs       null = those of its step
--   starts_and_waits  the starts that its rates count, and where the step had waited
create table claims (
    run              bigint   not null,
    fence            bigint   not null check (fence > 0),
    lease            bigint   not null,
    granted_at       bigint   not null,
    lease_until      bigint   not null,
    timeout_at       bigint,
    org              int      not null,
    item             int      not null check (item >= -1),
    attempts         int      not null,
    step             smallint not null,
    worker           text     not null,
    request          text     not null,
    limit_needs      text,
    starts_and_waits text,
    primary key (org, run, step, item)
) with (fillfactor = 80);

-- Claims that were granted together after their runs had been written share a row: one insert instead of many. claims
-- is a list of [run, claim as in runs.initial_claims], and such a claim counts under the same conditions. units lists
-- run * 65536 + step in the same order, so that the page of a step is found without parsing the claims. A page is
-- deleted when none of its claims is live.
create table claim_pages (
    number bigint   not null,
    org    int      not null,
    units  bigint[] not null,
    claims text     not null,
    primary key (org, number)
);

-- Signals for which nothing was waiting when they arrived. id identifies a signal that is sent again.
create table signals (
    run     bigint not null,
    number  bigint not null,
    at      bigint not null,
    org     int    not null,
    name    text   not null,
    payload text   not null,
    id      text,
    primary key (org, run, number)
);

-- Starts that count against a rate, kept for at most 8 days. They are read, reset and deleted limit by limit, newest
-- first, so the key begins with the limit.
--   count, period, window  the rate under which it started
--   longest_period         the longest period that was known for the limit, if longer than its own. So the newest start
--                          says how far back starts count.
--   opens_window           true if it opened a fixed window
create table rate_starts (
    seq            bigint  generated always as identity,
    at             bigint  not null,
    period         bigint,
    longest_period bigint,
    org            int     not null,
    cost           int     not null,
    count          int,
    "window"       "char"  check ("window" in ('s', 'f')),
    opens_window   boolean not null,
    "limit"        text    collate "C" not null,
    primary key (org, "limit", at, seq)
);

-- Limits that operators pinned. pin has the lasting and the temporary value of each field, until is when the last of
-- them ends, and period is the longest of its rates, which says how long starts must be kept.
create table pins (
    until   bigint not null,
    period  bigint,
    org     int    not null,
    "limit" text   collate "C" not null,
    pin     text   not null,
    primary key (org, "limit")
);

-- Keys that operators paused.
create table pauses (
    until   bigint not null,
    org     int    not null,
    "limit" text   collate "C" not null,
    primary key (org, "limit")
);

-- Keys that are held because a called server asked for it (Retry-After), with the answer's status and the step.
create table retry_after_holds (
    until   bigint not null,
    org     int    not null,
    status  int,
    item    int,
    "limit" text   collate "C" not null,
    run     text,
    step    text,
    primary key (org, "limit")
);

-- Events that steps emitted, written by the transactions in which the steps ended.
create table emitted_events (
    seq   bigint generated always as identity,
    at    bigint not null,
    org   int    not null,
    depth int    not null check (depth > 0),
    run   text   not null,
    step  text   not null,
    root  text   not null,
    event text   not null,
    data  json   not null,
    primary key (org, seq)
);

-- For small deletes by age; the table has no partitions.
create index emitted_events_at on emitted_events using brin (at);

-- Starts that programs left in their own transactions. The programs cannot choose left_by.
create table inbox (
    id      bigint generated always as identity,
    org     int    not null,
    request json   not null,
    left_by text   not null default session_user,
    primary key (org, id),
    constraint request_bytes check (octet_length(request::text) <= 1048576)
);

-- Starts of the inbox that were refused: u unknown workflow, c conflict, r refused, f failed. The transaction that
-- takes a start out of the inbox writes them. Only the newest of an organisation are kept.
create table refused_starts (
    seq      bigint generated always as identity,
    at       bigint not null,
    org      int    not null,
    reason   "char" not null check (reason in ('u', 'c', 'r', 'f')),
    run      text   not null,
    workflow text   not null,
    message  text   not null,
    left_by  text   not null,
    primary key (org, seq)
);

create sequence run_history_ended_seq;

-- Ended runs: c completed, f failed, x cancelled. Queries for their steps rely on the order of the two times.
--   request_hash  the fingerprint of the start, which identifies a repeated one
--   final_steps   the steps that ended with the run, as a list of [step, item, state, fence, since - accepted_at,
--                 attempts, report_hash, limit_needs, input, last_update, detail, traits, due_at, granted_at - since];
--                 nulls at the end are left out. A limit_needs or input of 0 follows from the definition and the run.
create table run_history (
    number         bigint   not null,
    accepted_at    bigint   not null,
    ended_at       bigint   not null,
    ended_seq      bigint   not null default nextval('run_history_ended_seq'),
    started_at     bigint,
    last_grant_at  bigint,
    org            int      not null,
    version        int      not null,
    request_hash   int      not null,
    starts_in_tick int,
    priority       smallint not null,
    state          "char"   not null check (state in ('c', 'f', 'x')),
    id             text     collate "C" not null,
    workflow       text     collate "C" not null,
    labels         text,
    start_options  text,
    limit_needs    text,
    ending         text,
    overrides      text,
    detail         text,
    final_steps    text,
    check (ended_at >= accepted_at)
) partition by range (ended_at);

create index run_history_number on run_history (org, number);
-- For the runs that ended last. Rows are in the order of their ends, so BRIN costs next to nothing per row.
create index run_history_ended on run_history using brin (ended_seq) with (pages_per_range = 32);

-- Steps and items that ended before their run, or do not fit into its row: c completed, f failed, x cancelled,
-- s skipped. granted_at belongs to the claim with which it ended.
create table step_history (
    run         bigint   not null,
    fence       bigint   not null,
    since       bigint   not null,
    due_at      bigint,
    granted_at  bigint,
    ended_at    bigint   not null,
    org         int      not null,
    item        int      not null check (item >= -1),
    attempts    int      not null,
    report_hash int,
    step        smallint not null,
    state       "char"   not null check (state in ('c', 'f', 'x', 's')),
    limit_needs text,
    input       text,
    last_update text,
    traits      text,
    detail      text
) partition by range (ended_at);

create index step_history_unit on step_history (org, run, step, item);

-- Grants, extensions, releases and operators' changes, written by the transactions that made them, for checkers outside
-- of Weir. A row has all events of a transaction and an organisation; the view claim_events has one row per event.
create table claim_log (
    seq    bigint generated always as identity,
    at     bigint not null,
    org    int    not null,
    events text   not null
) partition by range (at);

-- The logs of attempts, in chunks. Of each claim only the last chunks are kept; end_byte is the position of the chunk's
-- end in the whole log.
create table attempt_log (
    at       bigint   not null,
    run      bigint   not null,
    fence    bigint   not null,
    end_byte bigint   not null,
    org      int      not null,
    item     int      not null,
    attempt  int      not null,
    chunk    int      not null,
    step     smallint not null,
    text     text     not null
) partition by range (at);

create index attempt_log_unit on attempt_log (org, run, step, item, fence, chunk);

create table run_history_default partition of run_history default;
create table step_history_default partition of step_history default;
create table claim_log_default partition of claim_log default;
create table attempt_log_default partition of attempt_log default;

-- Views of rows as they are stored, for the engine: some of them are inside other rows.

-- "offset 0" makes the planner look up each step by its key. As a join it might read all of steps and step_history.
create view stored_initial_steps with (security_invoker = true) as
select runs.org,
       runs.number                                           as run,
       (step.entry ->> 0)::smallint                          as step,
       runs.started_at                                       as since,
       coalesce(nullif((step.entry -> 1)::text, 'null'), '0') as limit_needs,
       nullif((step.entry -> 2)::text, 'null')               as input,
       case when runs.initial_claims is not null
            then (select claim.entry
                  from json_array_elements(runs.initial_claims::json) as claim (entry)
                  where (claim.entry ->> 0)::smallint = (step.entry ->> 0)::smallint)
       end                                                   as claim
from runs,
     json_array_elements(runs.initial_steps::json) as step (entry)
where not exists (select from steps
                  where steps.org = runs.org and steps.run = runs.number
                    and steps.step = (step.entry ->> 0)::smallint and steps.item = -1
                  offset 0)
  and not exists (select from step_history history
                  where history.org = runs.org and history.run = runs.number
                    and history.step = (step.entry ->> 0)::smallint and history.item = -1
                    and history.ended_at >= runs.accepted_at
                  offset 0);

comment on view stored_initial_steps is
    'Internal. Live steps that are stored in the rows of their runs, with their claims if these are there too.';
comment on column stored_initial_steps.org is 'number of the organisation';
comment on column stored_initial_steps.run is 'number of the run';
comment on column stored_initial_steps.step is 'number of the step';
comment on column stored_initial_steps.since is 'when the step became ready, in microseconds';
comment on column stored_initial_steps.limit_needs is 'as in steps; 0 = the usual ones of the definition';
comment on column stored_initial_steps.input is 'as in steps; 0 = follows from the input of the run';
comment on column stored_initial_steps.claim is 'the entry of runs.initial_claims, if any';

create view stored_live_steps with (security_invoker = true) as
select org, run, step, item, state, fence, since, due_at, attempts, report_hash, limit_needs, input, last_update,
       traits, detail, false as is_initial, null::json as claim
from steps
union all
select initial.org, initial.run, initial.step, -1, 'r'::"char", 0, initial.since, null, 0, null, initial.limit_needs,
       initial.input, null, null, null, true, coalesce(initial.claim, paged.claim)
from stored_initial_steps initial
     left join lateral (select pages.claims::json -> (array_position(pages.units, unit.number) - 1) -> 1 as claim
                        from claim_pages pages, (select initial.run * 65536 + initial.step as number) as unit
                        where initial.claim is null and pages.org = initial.org and unit.number = any (pages.units)
                        limit 1) as paged on true;

comment on view stored_live_steps is
    'Internal. All live steps and items. A claim in the table claims replaces the claim here.';
comment on column stored_live_steps.org is 'number of the organisation';
comment on column stored_live_steps.run is 'number of the run';
comment on column stored_live_steps.step is 'number of the step';
comment on column stored_live_steps.item is 'number of the item; -1 = the step itself';
comment on column stored_live_steps.state is 'letter of the state; a claim with a higher fence means running';
comment on column stored_live_steps.fence is 'fence of the newest claim, unless the claim here is newer';
comment on column stored_live_steps.since is 'the time from which its age counts, in microseconds';
comment on column stored_live_steps.due_at is 'when it continues by itself, in microseconds';
comment on column stored_live_steps.attempts is 'attempts, unless the claim here is newer';
comment on column stored_live_steps.report_hash is 'fingerprint of the report that ended its newest claim';
comment on column stored_live_steps.limit_needs is 'as in steps; 0 = the usual ones of the definition';
comment on column stored_live_steps.input is 'as in steps; 0 = follows from the input of the run';
comment on column stored_live_steps.last_update is 'outcome of its last attempt';
comment on column stored_live_steps.traits is 'fields that few steps have';
comment on column stored_live_steps.detail is 'fields that even fewer steps have';
comment on column stored_live_steps.is_initial is 'whether it is stored in the row of its run';
comment on column stored_live_steps.claim is 'its claim, if that is stored in the row of its run or in a page';

create view stored_live_claims with (security_invoker = true) as
select org, run, step, item, fence, attempts, worker, request, lease, granted_at, lease_until, timeout_at, limit_needs,
       starts_and_waits, 'row' as stored_in
from claims
union all
select listed.org,
       listed.run,
       listed.step,
       -1,
       (listed.claim ->> 1)::bigint,
       (listed.claim ->> 2)::int,
       listed.claim ->> 3,
       listed.claim ->> 4,
       (listed.claim ->> 5)::bigint,
       (listed.claim ->> 6)::bigint,
       (listed.claim ->> 7)::bigint,
       (listed.claim ->> 8)::bigint,
       nullif((listed.claim -> 9)::text, 'null'),
       nullif((listed.claim -> 10)::text, 'null'),
       listed.stored_in
from (select runs.org, runs.number as run, (claim.entry ->> 0)::smallint as step, runs.accepted_at,
             claim.entry as claim, 'run' as stored_in
      from runs, json_array_elements(runs.initial_claims::json) as claim (entry)
      union all
      select pages.org, unit.number / 65536, (unit.number % 65536)::smallint, runs.accepted_at,
             pages.claims::json -> (unit.position - 1)::int -> 1, 'page'
      from claim_pages pages
           cross join unnest(pages.units) with ordinality as unit (number, position)
           join runs on runs.org = pages.org and runs.number = unit.number / 65536) as listed
where not exists (select from claims
                  where claims.org = listed.org and claims.run = listed.run and claims.step = listed.step
                    and claims.item = -1
                  offset 0)
  and not exists (select from steps
                  where steps.org = listed.org and steps.run = listed.run and steps.step = listed.step
                    and steps.item = -1
                  offset 0)
  and not exists (select from step_history history
                  where history.org = listed.org and history.run = listed.run and history.step = listed.step
                    and history.item = -1 and history.ended_at >= listed.accepted_at
                  offset 0);

comment on view stored_live_claims is 'Internal. All live claims, wherever they are stored.';
comment on column stored_live_claims.org is 'number of the organisation';
comment on column stored_live_claims.run is 'number of the run';
comment on column stored_live_claims.step is 'number of the step';
comment on column stored_live_claims.item is 'number of the item; -1 = the step itself';
comment on column stored_live_claims.fence is 'fence of the claim';
comment on column stored_live_claims.attempts is 'attempts of its step, including this one';
comment on column stored_live_claims.worker is 'the worker';
comment on column stored_live_claims.request is 'id of the request that was granted';
comment on column stored_live_claims.lease is 'length of the lease, in microseconds';
comment on column stored_live_claims.granted_at is 'time of the grant, in microseconds';
comment on column stored_live_claims.lease_until is 'end of the lease, in microseconds';
comment on column stored_live_claims.timeout_at is 'when the attempt times out, in microseconds';
comment on column stored_live_claims.limit_needs is 'its needs; null = those of its step';
comment on column stored_live_claims.starts_and_waits is 'starts that rates count, and where the step had waited';
comment on column stored_live_claims.stored_in is 'where it is stored: row (of its own), run or page';

create view stored_ended_steps with (security_invoker = true) as
select org, run, step, item, state, fence, since, due_at, attempts, report_hash, limit_needs, input, last_update,
       traits, detail, granted_at, ended_at
from step_history
union all
select runs.org,
       runs.number,
       (step.entry ->> 0)::smallint,
       (step.entry ->> 1)::int,
       (step.entry ->> 2)::"char",
       (step.entry ->> 3)::bigint,
       runs.accepted_at + (step.entry ->> 4)::bigint,
       (step.entry ->> 12)::bigint,
       (step.entry ->> 5)::int,
       (step.entry ->> 6)::int,
       nullif((step.entry -> 7)::text, 'null'),
       nullif((step.entry -> 8)::text, 'null'),
       nullif((step.entry -> 9)::text, 'null'),
       nullif((step.entry -> 11)::text, 'null'),
       nullif((step.entry -> 10)::text, 'null'),
       runs.accepted_at + (step.entry ->> 4)::bigint + (step.entry ->> 13)::bigint,
       runs.ended_at
from run_history runs,
     json_array_elements(runs.final_steps::json) as step (entry);

comment on view stored_ended_steps is 'Internal. All ended steps and items, also of live runs.';
comment on column stored_ended_steps.org is 'number of the organisation';
comment on column stored_ended_steps.run is 'number of the run';
comment on column stored_ended_steps.step is 'number of the step';
comment on column stored_ended_steps.item is 'number of the item; -1 = the step itself';
comment on column stored_ended_steps.state is 'letter of the final state';
comment on column stored_ended_steps.fence is 'fence of the newest claim';
comment on column stored_ended_steps.since is 'the time from which its age counted, in microseconds';
comment on column stored_ended_steps.due_at is 'when it was to continue by itself, in microseconds';
comment on column stored_ended_steps.attempts is 'number of attempts';
comment on column stored_ended_steps.report_hash is 'fingerprint of the report that ended its newest claim';
comment on column stored_ended_steps.limit_needs is 'as in steps; 0 = the usual ones of the definition';
comment on column stored_ended_steps.input is 'as in steps; 0 = follows from the input of the run';
comment on column stored_ended_steps.last_update is 'outcome of its last attempt';
comment on column stored_ended_steps.traits is 'fields that few steps have';
comment on column stored_ended_steps.detail is 'fields that even fewer steps have';
comment on column stored_ended_steps.granted_at is 'when the claim with which it ended was granted, in microseconds';
comment on column stored_ended_steps.ended_at is 'time of its end, in microseconds';

create view claim_events with (security_invoker = true) as
select log.org,
       log.seq,
       event.position,
       log.at + (event.entry ->> 1)::bigint as at,
       event.entry ->> 0                    as kind,
       (event.entry ->> 2)::bigint          as run,
       (event.entry ->> 3)::smallint        as step,
       (event.entry ->> 4)::int             as item,
       (event.entry ->> 5)::bigint          as fence,
       (event.entry ->> 6)::bigint          as lease_until,
       event.entry ->> 7                    as worker,
       event.entry -> 8                     as limit_needs,
       event.entry ->> 9                    as "limit",
       event.entry -> 10                    as value
from claim_log log,
     json_array_elements(log.events::json) with ordinality as event (entry, position);

comment on view claim_events is
    'For checkers outside of Weir. Every grant, extension and release of a claim, and every change of a limit by an'
    ' operator, in the order in which they were decided.';
comment on column claim_events.org is 'number of the organisation';
comment on column claim_events.seq is 'number of the transaction';
comment on column claim_events.position is 'position within the transaction, from 1';
comment on column claim_events.at is 'time of the event, in microseconds';
comment on column claim_events.kind is 'kind of the event, such as granted, extended, released, pinned';
comment on column claim_events.run is 'number of the run';
comment on column claim_events.step is 'number of the step';
comment on column claim_events.item is 'number of the item; -1 = the step itself';
comment on column claim_events.fence is 'fence of the claim';
comment on column claim_events.lease_until is 'end of the lease, in microseconds';
comment on column claim_events.worker is 'the worker';
comment on column claim_events.limit_needs is 'what the claim took of its limits';
comment on column claim_events."limit" is 'the limit that was changed';
comment on column claim_events.value is 'its new value';

-- Views for people: names, words and times. They contain no inputs and outputs.

create function time_of(micros bigint) returns timestamptz language sql stable as $$
    select case when micros = 9223372036854775807 then 'infinity'
                else timestamptz 'epoch' + micros * interval '1 microsecond' end
$$;

create function run_state(letter "char") returns text language sql immutable as $$
    select case letter
        when 'q' then 'queued'
        when 'r' then 'running'
        when 'w' then 'waiting'
        when 'p' then 'paused'
        when 'o' then 'compensating'
        when 'c' then 'completed'
        when 'f' then 'failed'
        when 'x' then 'cancelled'
    end
$$;

create function step_state(letter "char") returns text language sql immutable as $$
    select case letter
        when 'r' then 'ready'
        when 'q' then 'requested'
        when 'u' then 'running'
        when 'i' then 'needs_input'
        when 'o' then 'backing_off'
        when 'w' then 'waiting'
        when 'c' then 'completed'
        when 'f' then 'failed'
        when 'x' then 'cancelled'
        when 's' then 'skipped'
    end
$$;

-- The module of a step; listed is its entry in workflows.step_list. Only complete needs differ from the definition.
create function step_module(limit_needs text, listed jsonb) returns text language sql immutable as $$
    select coalesce(case when limit_needs like '{%' then weir.stored_json(limit_needs) ->> 'module' end,
                    listed ->> 'module')
$$;

-- The flow-control keys of a step.
create function step_keys(limit_needs text, listed jsonb) returns text[] language sql immutable as $$
    select case
        when limit_needs = '0' then array(select jsonb_array_elements_text(listed -> 'keys'))
        when limit_needs like '[%' then array(select json_array_elements_text(weir.stored_json(limit_needs)))
        when limit_needs like '{%'
            then array(select substr(need.entry ->> 'limit', length('key:') + 1)
                       from json_array_elements(weir.stored_json(limit_needs) -> 'needs') as need (entry)
                       where need.entry ->> 'limit' like 'key:%')
        else '{}'
    end
$$;

create view live_runs with (security_invoker = true) as
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
       runs.labels
from runs
     join organisations on organisations.number = runs.org
     cross join lateral (select stored_json(runs.detail) as detail, stored_json(runs.ending) as ending,
                                stored_json(runs.start_options) as start_options) as parts;

comment on view live_runs is 'Runs that have not ended.';
comment on column live_runs.organisation is 'name of the organisation';
comment on column live_runs.workflow is 'name of the workflow';
comment on column live_runs.workflow_version is 'version of the workflow with which the run was accepted';
comment on column live_runs.run_id is 'id of the run';
comment on column live_runs.state is 'queued, running, waiting, paused or compensating';
comment on column live_runs.priority is 'priority; higher comes first';
comment on column live_runs.accepted_at is 'when Weir accepted the run';
comment on column live_runs.started_at is 'when the limits of runs admitted it; null while it is queued';
comment on column live_runs.not_before is 'the earliest start of a delayed run';
comment on column live_runs.deadline_at is 'the time by which it must have ended';
comment on column live_runs.last_step_started_at is 'when the last of its steps started';
comment on column live_runs.ends_as is
    'the final state that it is on its way to, for example while steps finish after a cancel';
comment on column live_runs.ends_because is 'the reason of that end';
comment on column live_runs.parent_run_id is 'the run that invoked it';
comment on column live_runs.parent_step_id is 'the step that invoked it';
comment on column live_runs.retry_of_run_id is 'the run that it retries';
comment on column live_runs.overrides is 'limits that an operator set for this run, as JSON';
comment on column live_runs.labels is 'labels, as JSON';

create view live_steps with (security_invoker = true) as
select organisations.name                                        as organisation,
       runs.workflow,
       runs.version                                              as workflow_version,
       runs.id                                                   as run_id,
       coalesce(listed.step ->> 'id', 'step ' || steps.step)     as step_id,
       nullif(steps.item, -1)                                    as item_index,
       now.state,
       case now.state
           when 'waiting' then parts.traits ->> 'waits_for'
           when 'backing_off' then 'time'
           when 'needs_input' then 'input'
           when 'ready' then 'limit_or_worker'
           when 'requested' then 'limit_or_worker'
       end                                                       as waits_for,
       case when now.state = 'waiting'
            then case parts.traits ->> 'waits_for'
                     when 'signal' then listed.step ->> 'signal'
                     when 'child' then parts.detail ->> 'child'
                     else parts.detail ->> 'lacks'
                 end
       end                                                       as waits_for_name,
       time_of(steps.since)                                      as since,
       time_of(steps.due_at)                                     as due_at,
       step_module(steps.limit_needs, listed.step)               as module,
       step_keys(steps.limit_needs, listed.step)                 as keys,
       greatest(steps.attempts, claim.attempts)                  as attempts,
       greatest(steps.fence, claim.fence)                        as fence,
       claim.worker,
       time_of(claim.lease_until)                                as lease_until,
       (parts.traits ->> 'items')::int                           as items,
       stored_json(steps.last_update) ->> 'error'                as last_error
from runs
     join organisations on organisations.number = runs.org
     join workflows on workflows.org = runs.org and workflows.name = runs.workflow and workflows.version = runs.version
     -- "offset 0" makes the planner read the steps run by run, so that a query for one run does not expand all of them.
     cross join lateral (select * from stored_live_steps where org = runs.org and run = runs.number offset 0) as steps
     left join claims on claims.org = steps.org and claims.run = steps.run and claims.step = steps.step
                     and claims.item = steps.item
     cross join lateral (select coalesce(claims.fence, (steps.claim ->> 1)::bigint)       as fence,
                                coalesce(claims.attempts, (steps.claim ->> 2)::int)       as attempts,
                                coalesce(claims.worker, steps.claim ->> 3)                as worker,
                                coalesce(claims.lease_until, (steps.claim ->> 7)::bigint) as lease_until) as claim
     cross join lateral (select workflows.step_list -> steps.step::int as step) as listed
     cross join lateral (select stored_json(steps.traits) as traits, stored_json(steps.detail) as detail) as parts
     cross join lateral (select case when claim.fence > steps.fence then 'running'
                                     else step_state(steps.state) end as state) as now;

comment on view live_steps is
    'Steps and items that have not ended. A step that is blocked by its dependencies is not listed.';
comment on column live_steps.organisation is 'name of the organisation';
comment on column live_steps.workflow is 'name of the workflow';
comment on column live_steps.workflow_version is 'version of the workflow with which the run was accepted';
comment on column live_steps.run_id is 'id of the run';
comment on column live_steps.step_id is 'id of the step; the compensation of a step has its id with .compensate';
comment on column live_steps.item_index is 'index of the item, from 0; null for the step itself';
comment on column live_steps.state is
    'ready, requested, running, needs_input, backing_off or waiting; an item that may not start yet is requested';
comment on column live_steps.waits_for is
    'time, gate, signal, child, missing_input, invalid_artifact, operator, input or limit_or_worker; null while it is'
    ' running. "weir why" explains limit_or_worker.';
comment on column live_steps.waits_for_name is
    'name of the awaited signal, id of the awaited child run, or what is missing';
comment on column live_steps.since is 'the time from which its age counts';
comment on column live_steps.due_at is 'when it continues by itself: the end of a sleep or a back-off, or a timeout';
comment on column live_steps.module is 'module that does the work; those of Weir itself begin with weir.';
comment on column live_steps.keys is 'flow-control keys of which it needs a share';
comment on column live_steps.attempts is 'attempts so far, including a running one';
comment on column live_steps.fence is 'fence of its newest claim; 0 = none yet';
comment on column live_steps.worker is 'worker that has a claim on it';
comment on column live_steps.lease_until is
    'when that claim expires unless its worker extends it; infinity while it needs input';
comment on column live_steps.items is 'number of items of a fan-out';
comment on column live_steps.last_error is 'error of its last attempt, if that failed';

create view live_claims with (security_invoker = true) as
select organisations.name                                        as organisation,
       runs.workflow,
       runs.version                                              as workflow_version,
       runs.id                                                   as run_id,
       coalesce(listed.step ->> 'id', 'step ' || claims.step)    as step_id,
       nullif(claims.item, -1)                                   as item_index,
       claims.worker,
       claims.fence,
       claims.attempts,
       time_of(claims.granted_at)                                as granted_at,
       time_of(claims.lease_until)                               as lease_until,
       time_of(claims.timeout_at)                                as timeout_at,
       step_module(needs.text, listed.step)                      as module,
       step_keys(needs.text, listed.step)                        as keys,
       claims.request                                            as request_id,
       claims.stored_in
from stored_live_claims claims
     cross join lateral (select limit_needs
                         from stored_live_steps steps
                         where steps.org = claims.org and steps.run = claims.run and steps.step = claims.step
                           and steps.item = claims.item
                         offset 0) as steps
     join runs on runs.org = claims.org and runs.number = claims.run
     join organisations on organisations.number = runs.org
     join workflows on workflows.org = runs.org and workflows.name = runs.workflow and workflows.version = runs.version
     cross join lateral (select workflows.step_list -> claims.step::int as step) as listed
     cross join lateral (select coalesce(claims.limit_needs, steps.limit_needs) as text) as needs;

comment on view live_claims is 'Claims that workers hold. Each occupies its limits until it ends.';
comment on column live_claims.organisation is 'name of the organisation';
comment on column live_claims.workflow is 'name of the workflow';
comment on column live_claims.workflow_version is 'version of the workflow with which the run was accepted';
comment on column live_claims.run_id is 'id of the run';
comment on column live_claims.step_id is 'id of the step; the compensation of a step has its id with .compensate';
comment on column live_claims.item_index is 'index of the item, from 0; null for a step without items';
comment on column live_claims.worker is 'worker that holds the claim';
comment on column live_claims.fence is 'fence of the claim';
comment on column live_claims.attempts is 'attempts of the step, including this one';
comment on column live_claims.granted_at is 'when the claim was granted';
comment on column live_claims.lease_until is
    'when it expires unless its worker extends it; infinity while the step needs input';
comment on column live_claims.timeout_at is 'when the attempt times out';
comment on column live_claims.module is 'module that does the work; those of Weir itself begin with weir.';
comment on column live_claims.keys is 'flow-control keys of which it holds a share';
comment on column live_claims.request_id is 'id of the request that was granted';
comment on column live_claims.stored_in is
    'where Weir stores it: row (of its own), run (in the row of its run) or page (a row that claims share)';

create view history_runs with (security_invoker = true) as
select organisations.name                                        as organisation,
       runs.workflow,
       runs.version                                              as workflow_version,
       run_ids.id                                                as run_id,
       run_state(runs.state)                                     as state,
       parts.ending ->> 'reason'                                 as reason,
       runs.priority,
       time_of(runs.accepted_at)                                 as accepted_at,
       time_of(runs.started_at)                                  as started_at,
       time_of(runs.ended_at)                                    as ended_at,
       parts.start_options -> 'parent' ->> 0                     as parent_run_id,
       parts.start_options -> 'parent' ->> 1                     as parent_step_id,
       parts.start_options ->> 'retry_of'                        as retry_of_run_id,
       runs.labels
from run_history runs
     join organisations on organisations.number = runs.org
     -- An id is found by its index, which the history does not have.
     join run_ids on run_ids.org = runs.org and run_ids.number = runs.number and run_ids.id = runs.id
     cross join lateral (select stored_json(runs.ending) as ending,
                                stored_json(runs.start_options) as start_options) as parts;

comment on view history_runs is 'Runs that have ended.';
comment on column history_runs.organisation is 'name of the organisation';
comment on column history_runs.workflow is 'name of the workflow';
comment on column history_runs.workflow_version is 'version of the workflow with which the run was accepted';
comment on column history_runs.run_id is 'id of the run';
comment on column history_runs.state is 'completed, failed or cancelled';
comment on column history_runs.reason is 'why it failed or was cancelled';
comment on column history_runs.priority is 'priority; higher came first';
comment on column history_runs.accepted_at is 'when Weir accepted the run';
comment on column history_runs.started_at is 'when the limits of runs admitted it; null if it ended before';
comment on column history_runs.ended_at is 'when it ended';
comment on column history_runs.parent_run_id is 'the run that invoked it';
comment on column history_runs.parent_step_id is 'the step that invoked it';
comment on column history_runs.retry_of_run_id is 'the run that it retried';
comment on column history_runs.labels is 'labels, as JSON';

create view history_steps with (security_invoker = true) as
select organisations.name                                        as organisation,
       runs.workflow,
       runs.version                                              as workflow_version,
       run_ids.id                                                as run_id,
       coalesce(listed.step ->> 'id', 'step ' || steps.step)     as step_id,
       nullif(steps.item, -1)                                    as item_index,
       step_state(steps.state)                                   as state,
       parts.last_update -> 'no_op' is not null                  as no_op,
       parts.last_update ->> 'error'                             as error,
       step_module(steps.limit_needs, listed.step)               as module,
       step_keys(steps.limit_needs, listed.step)                 as keys,
       steps.attempts,
       steps.fence,
       time_of(nullif(steps.since, 0))                           as since,
       time_of(steps.granted_at)                                 as granted_at,
       time_of(steps.ended_at)                                   as ended_at
from run_ids
     join organisations on organisations.number = run_ids.org
     -- "offset 0" makes the planner read the steps run by run, so that a query for one run does not expand all of them.
     cross join lateral (select workflow, version, accepted_at from runs
                         where runs.org = run_ids.org and runs.number = run_ids.number
                         union all
                         select workflow, version, accepted_at from run_history
                         where run_history.org = run_ids.org and run_history.number = run_ids.number
                         offset 0) as runs
     cross join lateral (select * from stored_ended_steps
                         where org = run_ids.org and run = run_ids.number and ended_at >= runs.accepted_at
                         offset 0) as steps
     join workflows on workflows.org = run_ids.org and workflows.name = runs.workflow
                   and workflows.version = runs.version
     cross join lateral (select workflows.step_list -> steps.step::int as step) as listed
     cross join lateral (select stored_json(steps.last_update) as last_update) as parts;

comment on view history_steps is 'Steps and items that have ended, also of runs that have not.';
comment on column history_steps.organisation is 'name of the organisation';
comment on column history_steps.workflow is 'name of the workflow';
comment on column history_steps.workflow_version is 'version of the workflow with which the run was accepted';
comment on column history_steps.run_id is 'id of the run';
comment on column history_steps.step_id is 'id of the step; the compensation of a step has its id with .compensate';
comment on column history_steps.item_index is 'index of the item, from 0; null for the step itself';
comment on column history_steps.state is 'completed, failed, cancelled or skipped';
comment on column history_steps.no_op is 'whether its worker reported that there was nothing to do';
comment on column history_steps.error is 'error of its last attempt, if that failed';
comment on column history_steps.module is 'module that did the work; those of Weir itself begin with weir.';
comment on column history_steps.keys is 'flow-control keys of which it needed a share';
comment on column history_steps.attempts is 'number of attempts';
comment on column history_steps.fence is 'fence of its last claim; 0 = it had none';
comment on column history_steps.since is 'the time from which its age counted';
comment on column history_steps.granted_at is 'when the claim with which it ended was granted';
comment on column history_steps.ended_at is 'when it ended';

-- Partitions: one per week, from Thursday 0:00 UTC.

create function partition_of(parent text, starts_at bigint) returns text language sql immutable as $$
    select parent || to_char(to_timestamp(starts_at / 1000000) at time zone 'UTC', '_YYYYMMDD')
$$;

-- The weeks from the given time on that have no partition yet. A week that has rows in the default partition is left
-- out: its rows stay there.
create function missing_partitions(from_at bigint, weeks int) returns table (parent text, starts_at bigint)
    language plpgsql stable as $$
declare
    week constant bigint := 7::bigint * 24 * 60 * 60 * 1000000;
    time_of text;
    has_rows boolean;
begin
    for i in 0 .. weeks - 1 loop
        starts_at := (from_at / week + i) * week;
        foreach parent in array array['run_history', 'step_history', 'claim_log', 'attempt_log'] loop
            continue when to_regclass('weir.' || weir.partition_of(parent, starts_at)) is not null;
            time_of := case when parent in ('run_history', 'step_history') then 'ended_at' else 'at' end;
            execute format('select exists (select from weir.%I where %I >= %s and %I < %s)',
                           parent, time_of, starts_at, time_of, starts_at + week) into has_rows;
            continue when has_rows;
            return next;
        end loop;
    end loop;
end $$;

-- Creates the partition of a week. "create table … partition of" would lock the whole table; attaching a table locks
-- only the default partition, to which nobody writes while there are others.
create function make_partition(parent text, starts_at bigint) returns void language plpgsql as $$
declare
    week constant bigint := 7::bigint * 24 * 60 * 60 * 1000000;
    name constant text := weir.partition_of(parent, starts_at);
begin
    execute format('create table weir.%I (like weir.%I including defaults including constraints)', name, parent);
    execute format('alter table weir.%I enable row level security', name);
    execute format('alter table weir.%I force row level security', name);
    execute format('alter table weir.%I attach partition weir.%I for values from (%s) to (%s)',
                   parent, name, starts_at, starts_at + week);
end $$;

-- Old history is removed in whole weeks. A week of steps or logs may hold rows of runs that are live or that ended
-- later. Only these are kept, in a smaller partition of the same week.

-- The weeks that ended before a time and were not yet cleared for it. Runs come first: which steps and logs are kept
-- depends on the runs that are left. The comment of a smaller partition says for which time it was cleared.
create function old_weeks(before bigint) returns table (parent text, starts_at bigint) language sql stable as $$
    select weeks.parent, weeks.starts_at
    from (select parents.relname::text as parent,
                 extract(epoch from to_date(substring(parts.relname from '_([0-9]{8})$'), 'YYYYMMDD'))::bigint * 1000000
                     as starts_at,
                 coalesce(substring(obj_description(parts.oid, 'pg_class') from '[0-9]+')::bigint, 0) as cleared_for
          from pg_inherits
               join pg_class parents on parents.oid = pg_inherits.inhparent
               join pg_class parts on parts.oid = pg_inherits.inhrelid
          where parents.relkind = 'p' and parents.relnamespace = 'weir'::regnamespace) as weeks
    where weeks.starts_at + 7::bigint * 24 * 60 * 60 * 1000000 <= before and weeks.cleared_for < before
    order by weeks.parent <> 'run_history', weeks.starts_at, weeks.parent
$$;

-- Copies the rows of a week that are kept into a table beside it, and returns their number. It locks only these rows,
-- so that nobody can remove one from the history before the table has replaced the partition.
--
-- No run has rows here whose number is higher than the highest of its organisation here. So the runs to look for are
-- those with lower numbers that are live or left in the history, which are few, and not all that have rows here.
create function copy_kept(parent text, starts_at bigint) returns bigint language plpgsql
    set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
    ends_at constant bigint := starts_at + 7::bigint * 24 * 60 * 60 * 1000000;
    kept_table constant text := weir.partition_of(parent, starts_at) || '_kept';
    time_of constant text := case parent when 'step_history' then 'ended_at' else 'at' end;
    kept bigint;
begin
    if parent not in ('step_history', 'attempt_log') then
        return 0;
    end if;
    execute format('create table weir.%I (like weir.%I including defaults including constraints including indexes,'
                   ' constraint of_week check (%I >= %s and %I < %s))',
                   kept_table, parent, time_of, starts_at, time_of, ends_at);
    execute format($copy$
        insert into weir.%1$I
        with recursive orgs as (
            (select week.org from weir.%2$I week
             where week.%3$I >= %4$s and week.%3$I < %5$s
             order by week.org limit 1)
            union all
            select next.org
            from orgs
                 cross join lateral (select week.org from weir.%2$I week
                                     where week.%3$I >= %4$s and week.%3$I < %5$s and week.org > orgs.org
                                     order by week.org limit 1) as next
        ), highest as (
            select orgs.org, (select week.run from weir.%2$I week
                              where week.%3$I >= %4$s and week.%3$I < %5$s and week.org = orgs.org
                              order by week.run desc limit 1) as run
            from orgs
        ), left_over as (
            select highest.org, runs.number as run
            from highest join weir.runs on runs.org = highest.org and runs.number <= highest.run
            union all
            select highest.org, history.number
            from highest join weir.run_history history on history.org = highest.org and history.number <= highest.run
        )
        select week.*
        from left_over
             join weir.%2$I week on week.org = left_over.org and week.run = left_over.run
        where week.%3$I >= %4$s and week.%3$I < %5$s
        for share of week
        $copy$, kept_table, parent, time_of, starts_at, ends_at);
    get diagnostics kept = row_count;
    if kept = 0 then
        execute format('drop table weir.%I', kept_table);
    end if;
    return kept;
end $$;

-- Drops the partition of a week. If rows of it were kept, their table replaces it. Readers and writers of the history
-- wait meanwhile, but no longer for many rows than for few: indexes and the check of the week exist already.
create function drop_week(parent text, starts_at bigint, kept boolean, before bigint) returns void
    language plpgsql as $$
declare
    name constant text := weir.partition_of(parent, starts_at);
begin
    execute format('lock table only weir.%I in access exclusive mode', parent);
    execute format('lock table weir.%I, weir.%I in access exclusive mode nowait', name, parent || '_default');
    execute format('alter table weir.%I detach partition weir.%I', parent, name);
    execute format('drop table weir.%I', name);
    if kept then
        execute format('alter table weir.%I rename to %I', name || '_kept', name);
        execute format('alter table weir.%I enable row level security', name);
        execute format('alter table weir.%I force row level security', name);
        execute format('alter table weir.%I attach partition weir.%I for values from (%s) to (%s)',
                       parent, name, starts_at, starts_at + 7::bigint * 24 * 60 * 60 * 1000000);
        execute format('alter table weir.%I drop constraint of_week', name);
        execute format('comment on table weir.%I is %L', name, 'cleared of runs that ended before ' || before);
    end if;
end $$;

-- Fencing.

-- The first statement of every transaction of a shard's owner. It waits for a takeover in progress, fails after one,
-- and blocks the next one until the transaction ends. If the decision was made before, it also fails if that was too
-- long ago.
create function fence(of_shard int, under_epoch bigint, decided_by bigint default null, age_max bigint default null)
    returns bigint language plpgsql as $$
declare
    at bigint;
begin
    perform from weir.shards where shard = of_shard and epoch = under_epoch for share;
    if not found then
        raise exception 'expected shard % under epoch %, found a later epoch', of_shard, under_epoch
            using errcode = 'WE001';
    end if;
    at := (extract(epoch from clock_timestamp()) * 1000000)::bigint;
    if at - decided_by > age_max then
        raise exception 'expected a decision of %, found one of %', at, decided_by using errcode = 'WE002';
    end if;
    return at;
end $$;

-- Fails a transaction that extends a claim whose row is gone.
create function require_claims(expected bigint, extended bigint) returns void language plpgsql as $$
begin
    if extended <> expected then
        raise exception 'expected % claims to extend, found the rows of %', expected, extended
            using errcode = 'integrity_constraint_violation';
    end if;
end $$;

-- Rights. weir_engine writes for every organisation. weir_request reads the rows of the organisation that its
-- transaction names. weir_starter leaves starts in the inbox, from transactions of other programs. Row-level security
-- is forced, so that it binds the owner of the tables too.

grant usage on schema weir to weir_engine, weir_request, weir_starter;

do $$
declare
    name text;
    policy text;
begin
    for name in select relname from pg_class
                where relnamespace = 'weir'::regnamespace and relkind in ('r', 'p') and not relispartition
                  and relname not in ('shards', 'flyway_schema_history') loop
        policy := case name when 'organisations' then 'number' else 'org' end
                  || ' = nullif(current_setting(''weir.org'', true), '''')::int';
        execute format('grant select, insert, update, delete on weir.%I to weir_engine', name);
        execute format('create policy engine on weir.%I to weir_engine using (true) with check (true)', name);
        if name not in ('api_tokens', 'inbox') then
            execute format('grant select on weir.%I to weir_request', name);
            execute format('create policy request on weir.%I for select to weir_request using (%s)', name, policy);
        end if;
    end loop;
    for name in select relname from pg_class
                where relnamespace = 'weir'::regnamespace and relkind in ('r', 'p')
                  and relname not in ('shards', 'flyway_schema_history') loop
        execute format('alter table weir.%I enable row level security', name);
        execute format('alter table weir.%I force row level security', name);
    end loop;
    for name in select relname from pg_class
                where relnamespace = 'weir'::regnamespace and relkind = 'v' loop
        execute format('grant select on weir.%I to weir_engine, weir_request', name);
    end loop;
end $$;

grant select, update on shards to weir_engine;
grant usage, select on all sequences in schema weir to weir_engine;

grant insert (org, request) on inbox to weir_starter;
grant select (number, name) on organisations to weir_starter;
create policy starter on inbox for insert to weir_starter with check (true);
create policy starter on organisations for select to weir_starter using (true);
