-- When the claim was granted with which a step ended; in the lists of run_history, after the time since when it waited.
alter table step_history add column granted_at bigint;

create or replace view ended_steps with (security_invoker = true) as
select org, run, step, item, state, fence, since, due, attempts, report, ask, input, last, traits, detail, ended_at,
       granted_at
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
       runs.ended_at,
       runs.accepted_at + (step.entry ->> 4)::bigint + (step.entry ->> 13)::bigint
from run_history runs,
     json_array_elements(runs.steps::json) as step (entry);
