-- Claims that were granted when their run started are written with it, as lists of step, fence, attempts, worker, request,
-- lease, granted_at, until, timeout_at, ask and starts. Such a claim is over once there is a row of its step, open or ended;
-- one that changes, or goes on while its step changes, gets a row of its own before.
alter table runs add column claimed text;

-- As before, with the claim that was written with the run, if any. A row in claims says more.
create or replace view open_steps with (security_invoker = true) as
select org, run, step, item, state, fence, since, due, attempts, report, ask, input, last, traits, detail,
       false as as_opened, null::json as claim
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
       true,
       case when runs.claimed is not null
            then (select claim.entry
                  from json_array_elements(runs.claimed::json) as claim (entry)
                  where (claim.entry ->> 0)::smallint = (step.entry ->> 0)::smallint)
       end
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

-- Claims that are written with their runs, as rows.
create view claims_within with (security_invoker = true) as
select steps.org,
       steps.run,
       steps.step,
       steps.item,
       (steps.claim ->> 1)::bigint               as fence,
       (steps.claim ->> 2)::int                  as attempts,
       steps.claim ->> 3                         as worker,
       steps.claim ->> 4                         as request,
       (steps.claim ->> 5)::bigint               as lease,
       (steps.claim ->> 6)::bigint               as granted_at,
       (steps.claim ->> 7)::bigint               as until,
       (steps.claim ->> 8)::bigint               as timeout_at,
       nullif((steps.claim -> 9)::text, 'null')  as ask,
       nullif((steps.claim -> 10)::text, 'null') as starts
from open_steps steps
where steps.claim is not null
  and not exists (select from claims
                  where claims.org = steps.org and claims.run = steps.run and claims.step = steps.step
                    and claims.item = steps.item
                  offset 0);

-- All claims that live.
create view open_claims with (security_invoker = true) as
select org, run, step, item, fence, attempts, worker, request, lease, granted_at, until, timeout_at, ask, starts
from claims
union all
select org, run, step, item, fence, attempts, worker, request, lease, granted_at, until, timeout_at, ask, starts
from claims_within;

grant select on claims_within, open_claims to weir_engine, weir_request;
