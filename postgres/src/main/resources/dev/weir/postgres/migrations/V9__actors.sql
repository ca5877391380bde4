-- The actor of a run is stored once, beside its input, and no longer in start_options of the live and of the ended run.
-- Signals get the actor that sent them.

alter table run_ids add column started_by text;
alter table signals add column sent_by text;

comment on column run_ids.started_by is 'the token or program that started the run; null if it is not known';
comment on column signals.sent_by is 'the token or program that sent the signal; null if it is not known';

-- The policies bind the owner of the tables too, so the owner could not update the existing rows.
alter table run_ids no force row level security;
alter table runs no force row level security;
alter table run_history no force row level security;

update run_ids
set started_by = stored_json(started.start_options) ->> 'by'
from (select org, number, start_options from runs
      union all
      select org, number, start_options from run_history) as started
where started.org = run_ids.org and started.number = run_ids.number and started.start_options like '%"by":%';

alter table run_ids force row level security;
alter table runs force row level security;
alter table run_history force row level security;

-- The time of an ended step inside its run's row is a number, since - accepted_at, if it had no claim, and otherwise the
-- list [since - accepted_at, granted_at - since]. Earlier versions wrote a number, and granted_at - since at the end.
create or replace view stored_ended_steps with (security_invoker = true) as
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
       runs.accepted_at + times.since,
       (step.entry ->> 12)::bigint,
       (step.entry ->> 5)::int,
       (step.entry ->> 6)::int,
       nullif((step.entry -> 7)::text, 'null'),
       nullif((step.entry -> 8)::text, 'null'),
       nullif((step.entry -> 9)::text, 'null'),
       nullif((step.entry -> 11)::text, 'null'),
       nullif((step.entry -> 10)::text, 'null'),
       runs.accepted_at + times.since + times.granted,
       runs.ended_at
from run_history runs,
     json_array_elements(runs.final_steps::json) as step (entry),
     lateral (select coalesce(step.entry -> 4 ->> 0, step.entry ->> 4)::bigint as since,
                     coalesce(step.entry -> 4 ->> 1, step.entry ->> 13)::bigint as granted) as times;
