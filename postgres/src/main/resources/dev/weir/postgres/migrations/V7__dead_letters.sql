-- Work that failed for good: dead letters. Notices to operators.

-- The numbers of the newest dead letter and of the newest notice. They are stored here, because old rows are removed.
alter table organisations
    add column last_dead_letter bigint not null default 0,
    add column last_notice      bigint not null default 0;

-- Work that failed for good, written by the transaction that made the failure a fact.
--   kind         f failed run, s refused start, c cascade, e event
--   state        o open, r redriven, d discarded
--   subject      id of the run or of the event
--   keys         the flow-control keys concerned, as a JSON list
--   chain        the runs and events that led to it, as JSON; null if it has none
--   caused_by    actor that caused the work
--   submission   the work as it was submitted, as JSON; null if history has it, or if it cannot be submitted again
--   redriven_as  id of the run, or of the event, that took its place
create table dead_letters (
    number      bigint not null check (number > 0),
    at          bigint not null,
    closed_at   bigint,
    org         int    not null,
    kind        "char" not null check (kind in ('f', 's', 'c', 'e')),
    state       "char" not null default 'o' check (state in ('o', 'r', 'd')),
    reason      text   not null,
    subject     text   collate "C" not null,
    workflow    text   collate "C",
    keys        jsonb  not null default '[]',
    message     text   not null,
    chain       text,
    caused_by   text   not null default '',
    submission  text,
    redriven_as text   collate "C",
    primary key (org, number),
    check ((state = 'o') = (closed_at is null))
);

-- For small deletes by age; the table has no partitions.
create index dead_letters_at on dead_letters using brin (at);

-- For the number of open ones, and for their lists.
create index dead_letters_open on dead_letters (org, number) where state = 'o';

-- For the newest refused starts of an organisation, which alone are kept.
create index dead_letters_refused on dead_letters (org, number) where kind = 's';

-- Refused starts of earlier versions become dead letters. They cannot be redriven, because only their reasons were kept.
alter table refused_starts no force row level security;
alter table organisations no force row level security;

insert into dead_letters (org, number, at, kind, reason, subject, workflow, message, caused_by)
select org, row_number() over (partition by org order by seq), at, 's',
       case reason when 'u' then 'unknown_workflow' when 'c' then 'conflict' when 'r' then 'refused' else 'failed' end,
       run, workflow, message, left_by
from refused_starts;

update organisations
set last_dead_letter = (select count(*) from refused_starts where refused_starts.org = organisations.number);

alter table organisations force row level security;
drop table refused_starts;

-- Operations on many dead letters: r redrive, d discard.
alter table bulk_operations drop constraint bulk_operations_action_check;
alter table bulk_operations add constraint bulk_operations_action_check check (action in ('c', 't', 'r', 'd'));

-- Notices. The thing that a notice is about is named by its kind and by the text of a limit, which is empty if it is
-- about the organisation. A notice that is open is not issued again.
--   used, max  the value that crossed the threshold, and what it is compared with (0 = nothing)
create table notices (
    number    bigint not null check (number > 0),
    opened_at bigint not null,
    closed_at bigint,
    used      bigint not null,
    max       bigint not null,
    org       int    not null,
    kind      text   not null,
    severity  text   not null check (severity in ('warning', 'critical')),
    subject   text   collate "C" not null,
    primary key (org, number)
);

create unique index notices_open on notices (org, kind, subject, severity) where closed_at is null;

do $$
declare
    name text;
begin
    foreach name in array array['dead_letters', 'notices'] loop
        execute format('grant select, insert, update, delete on weir.%I to weir_engine', name);
        execute format('create policy engine on weir.%I to weir_engine using (true) with check (true)', name);
        execute format('grant select on weir.%I to weir_request', name);
        execute format('create policy request on weir.%I for select to weir_request'
                       ' using (org = nullif(current_setting(''weir.org'', true), '''')::int)', name);
        execute format('alter table weir.%I enable row level security', name);
        execute format('alter table weir.%I force row level security', name);
    end loop;
end $$;
