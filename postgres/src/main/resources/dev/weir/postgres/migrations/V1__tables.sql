-- Everything that Weir keeps. Times are microseconds since 1970, as the rules reckon them; absent = never, or not yet.
-- Keys begin with the organisation. Columns lie widest first, so that rows have no gaps.
-- States are one letter. Payloads are JSON in columns of text: checked when it came in, and kept as it was written.

create table shards (
    epoch    bigint   not null default 0,
    taken_at timestamptz,
    backend  int      not null default 0,
    shard    smallint primary key check (shard between 0 and 255),
    owner    text     not null default ''
) with (fillfactor = 50);

insert into shards (shard) select generate_series(0, 255);

create table organisations (
    next_run   bigint      not null default 1,
    created_at timestamptz not null default now(),
    number     int         primary key generated always as identity,
    shard      smallint    not null references shards,
    name       text        collate "C" not null unique
) with (fillfactor = 70);

create table workflows (
    registered_at bigint not null,
    org           int    not null,
    version       int    not null check (version > 0),
    name          text   collate "C" not null,
    hash          text   not null,
    definition    text   not null,
    primary key (org, name, version)
);

-- Every run there ever was: no id is ever used twice, however old its run is. What a run was started with is written
-- here once, and neither moves nor changes.
create table run_ids (
    number bigint not null,
    org    int    not null,
    id     text   collate "C" not null,
    input  text   not null,
    primary key (org, id)
);

-- Runs that live: q queued, r running, w waiting, p paused, o compensating.
-- Steps that became ready when the run started are written with it, as lists of step, ask and input; an
-- input of 0 follows from the run's: see open_steps.
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
    start          text,
    ask            text,
    ending         text,
    overrides      text,
    detail         text,
    opened         text,
    primary key (org, number),
    check (state in ('q', 'p', 'o') or started_at is not null)
) with (fillfactor = 80);

-- Steps and items that are open: r ready, q requested, u running, i needs input, o backing off, w waiting. A grant does
-- not touch the row: a claim with a higher fence says that it runs.
create table steps (
    run      bigint   not null,
    fence    bigint   not null,
    since    bigint   not null,
    due      bigint,
    org      int      not null,
    item     int      not null check (item >= -1),
    attempts int      not null,
    report   int,
    step     smallint not null,
    state    "char"   not null check (state in ('r', 'q', 'u', 'i', 'o', 'w')),
    ask      text,
    input    text,
    last     text,
    traits   text,
    detail   text,
    primary key (org, run, step, item)
) with (fillfactor = 80);

create table claims (
    run        bigint   not null,
    fence      bigint   not null check (fence > 0),
    lease      bigint   not null,
    granted_at bigint   not null,
    until      bigint   not null,
    timeout_at bigint,
    org        int      not null,
    item       int      not null,
    attempts   int      not null,
    step       smallint not null,
    worker     text     not null,
    request    text     not null,
    ask        text,
    starts     text,
    primary key (org, run, step, item)
) with (fillfactor = 80);

-- Signals that were sent before anything waited for them.
create table signals (
    run     bigint not null,
    number  bigint not null,
    at      bigint not null,
    org     int    not null,
    name    text   not null,
    payload text   not null,
    primary key (org, run, number)
);

-- Starts that limits with a rate have to remember, in the order in which they happened; kept for 8 days.
create table starts (
    seq     bigint  generated always as identity,
    at      bigint  not null,
    period  bigint,
    org     int     not null,
    cost    int     not null,
    count   int,
    "window" "char" check ("window" in ('s', 'f')),
    opens   boolean not null,
    "limit" text    collate "C" not null,
    primary key (org, seq)
);

create table pins (
    until       bigint not null,
    period      bigint,
    org         int    not null,
    parallelism int    check (parallelism > 0),
    count       int    check (count > 0),
    "window"    "char" check ("window" in ('s', 'f')),
    "limit"     text   collate "C" not null,
    primary key (org, "limit")
);

create table pauses (
    until   bigint not null,
    org     int    not null,
    "limit" text   collate "C" not null,
    primary key (org, "limit")
);

-- Until when keys are held because the other side has asked to be called later; an operator's pause is another thing.
create table holds (
    until   bigint not null,
    org     int    not null,
    "limit" text   collate "C" not null,
    primary key (org, "limit")
);

-- Events that steps have emitted, written by the transactions that ended those steps, until they were sent.
create table emitted (
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

create table modules (
    org       int     not null,
    slots     int     not null check (slots > 0),
    exclusive boolean not null,
    module    text    collate "C" not null,
    primary key (org, module)
);

-- Starts that programs have left in their own transactions.
create table inbox (
    id      bigint generated always as identity,
    org     int    not null,
    request json   not null,
    primary key (org, id)
);

-- A token is found before its organisation is known, so its hash is unique across all of them.
create table api_tokens (
    created_at timestamptz not null default now(),
    revoked_at timestamptz,
    org        int         not null,
    hash       bytea       not null unique check (octet_length(hash) = 32),
    name       text        not null,
    primary key (org, hash)
);

create sequence ended_runs;

-- Runs that have ended: c completed, f failed, x cancelled. Steps that ended with them are written with them, as lists of
-- what step_history has columns for: see ended_steps.
create table run_history (
    number         bigint   not null,
    accepted_at    bigint   not null,
    ended_at       bigint   not null,
    ended_seq      bigint   not null default nextval('ended_runs'),
    started_at     bigint,
    last_grant_at  bigint,
    org            int      not null,
    version        int      not null,
    body           int      not null,
    starts_in_tick int,
    priority       smallint not null,
    state          "char"   not null check (state in ('c', 'f', 'x')),
    id             text     collate "C" not null,
    workflow       text     collate "C" not null,
    labels         text,
    start          text,
    ask            text,
    ending         text,
    overrides      text,
    detail         text,
    steps          text
) partition by range (ended_at);

create index run_history_number on run_history (org, number);
-- For those that ended last: rows lie in the order of their ends, and a row costs nothing here.
create index run_history_ended on run_history using brin (ended_seq) with (pages_per_range = 32);

-- Steps and items that have ended, also of runs that live: c completed, f failed, x cancelled, s skipped.
create table step_history (
    run      bigint   not null,
    fence    bigint   not null,
    since    bigint   not null,
    due      bigint,
    ended_at bigint   not null,
    org      int      not null,
    item     int      not null,
    attempts int      not null,
    report   int,
    step     smallint not null,
    state    "char"   not null check (state in ('c', 'f', 'x', 's')),
    ask      text,
    input    text,
    last     text,
    traits   text,
    detail   text
) partition by range (ended_at);

create index step_history_unit on step_history (org, run, step, item);

-- Everything that is known of steps and items that have ended.
create view ended_steps with (security_invoker = true) as
select org, run, step, item, state, fence, since, due, attempts, report, ask, input, last, traits, detail, ended_at
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
       runs.ended_at
from run_history runs,
     json_array_elements(runs.steps::json) as step (entry);

-- Steps and items that are open. A row says more than what was written when the run started.
create view open_steps with (security_invoker = true) as
select org, run, step, item, state, fence, since, due, attempts, report, ask, input, last, traits, detail,
       false as as_opened
from steps
union all
select runs.org,
       runs.number,
       (step.entry ->> 0)::smallint,
       -1,
       'r'::"char",
       0,
       runs.started_at,
       null,
       0,
       null,
       nullif((step.entry -> 1)::text, 'null'),
       nullif((step.entry -> 2)::text, 'null'),
       null,
       null,
       null,
       true
from runs,
     json_array_elements(runs.opened::json) as step (entry)
where not exists (select from steps
                  where steps.org = runs.org and steps.run = runs.number
                    and steps.step = (step.entry ->> 0)::smallint and steps.item = -1
                  offset 0)
  and not exists (select from step_history history
                  where history.org = runs.org and history.run = runs.number
                    and history.step = (step.entry ->> 0)::smallint and history.item = -1
                    and history.ended_at >= runs.accepted_at
                  offset 0);

-- What was granted, extended, given back, reset and changed, written in the transactions that did it, for checkers
-- outside. One row holds what a transaction did for an organisation; the view claim_events has one for each event.
create table claim_log (
    seq    bigint generated always as identity,
    at     bigint not null,
    org    int    not null,
    events text   not null
) partition by range (at);

create view claim_events with (security_invoker = true) as
select log.org,
       log.seq,
       event.place,
       log.at + (event.entry ->> 1)::bigint as at,
       event.entry ->> 0                    as kind,
       (event.entry ->> 2)::bigint          as run,
       (event.entry ->> 3)::smallint        as step,
       (event.entry ->> 4)::int             as item,
       (event.entry ->> 5)::bigint          as fence,
       (event.entry ->> 6)::bigint          as until,
       event.entry ->> 7                    as worker,
       event.entry -> 8                     as ask,
       event.entry ->> 9                    as "limit",
       event.entry -> 10                    as value
from claim_log log,
     json_array_elements(log.events::json) with ordinality as event (entry, place);

-- What tries have said, in pieces: of each claim the last of it. until_byte is how much it had said in all by then.
create table attempt_log (
    at         bigint   not null,
    run        bigint   not null,
    fence      bigint   not null,
    until_byte bigint   not null,
    org        int      not null,
    item       int      not null,
    attempt    int      not null,
    piece      int      not null,
    step       smallint not null,
    text       text     not null
) partition by range (at);

create index attempt_log_unit on attempt_log (org, run, step, item, fence, piece);

create table run_history_rest partition of run_history default;
create table step_history_rest partition of step_history default;
create table claim_log_rest partition of claim_log default;
create table attempt_log_rest partition of attempt_log default;

-- Makes the partitions of the weeks from the given time on. A week of which the default partition has rows already
-- stays there.
create function make_partitions(from_at bigint, weeks int) returns void language plpgsql as $$
declare
    week   constant bigint := 7::bigint * 24 * 60 * 60 * 1000000;
    parent text;
    starts_at bigint;
    name   text;
begin
    foreach parent in array array['run_history', 'step_history', 'claim_log', 'attempt_log'] loop
        for i in 0 .. weeks - 1 loop
            starts_at := (from_at / week + i) * week;
            name := parent || to_char(to_timestamp(starts_at / 1000000) at time zone 'UTC', '_YYYYMMDD');
            continue when to_regclass('weir.' || name) is not null;
            begin
                execute format('create table weir.%I partition of weir.%I for values from (%s) to (%s)',
                               name, parent, starts_at, starts_at + week);
                execute format('alter table weir.%I enable row level security', name);
                execute format('alter table weir.%I force row level security', name);
            exception when check_violation or duplicate_table then
                null;
            end;
        end loop;
    end loop;
end $$;

-- The first statement of every transaction of a tenure. It waits for a take-over that is under way, fails after one,
-- and keeps the next one waiting until the transaction ends. If the decision was made before, it fails too if that was too
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
