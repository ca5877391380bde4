-- name: runs
select runs.number, runs.id, runs.workflow, runs.version, runs.priority, runs.state, runs.accepted_at, runs.started_at,
       runs.last_grant_at, runs.starts_in_tick, run_ids.input, runs.labels, runs.start, runs.ask, runs.ending,
       runs.overrides, runs.detail
from runs join run_ids on run_ids.org = runs.org and run_ids.id = runs.id
where runs.org = ?
order by runs.number

-- Steps and items that are open, and those of living runs that have ended. A run's history begins when it was accepted.
-- What was written when a run started comes after any row that says more: looking for that here would cost more. So does
-- the claim that was written with it.
-- name: steps
select steps.run, steps.step, steps.item, steps.state, steps.fence, steps.since, steps.due, steps.attempts,
       steps.report, steps.ask, steps.input, steps.last, steps.traits, steps.detail, steps.as_opened,
       coalesce(claims.fence, (steps.claim ->> 1)::bigint) as claim_fence,
       coalesce(claims.attempts, (steps.claim ->> 2)::int) as claim_attempts,
       case when claims.fence is null then steps.claim end as claim
from (select org, run, step, item, state, fence, since, due, attempts, report, ask, input, last, traits, detail,
             false as as_opened, null::json as claim
      from steps
      union all
      select runs.org, runs.number, (step.entry ->> 0)::smallint, -1, 'r'::"char", 0, runs.started_at, null, 0, null,
             nullif((step.entry -> 1)::text, 'null'), nullif((step.entry -> 2)::text, 'null'), null, null, null, true,
             case when runs.claimed is not null
                  then (select claim.entry from json_array_elements(runs.claimed::json) as claim (entry)
                        where (claim.entry ->> 0)::smallint = (step.entry ->> 0)::smallint)
             end
      from runs, json_array_elements(runs.opened::json) as step (entry)) as steps
     left join claims on claims.org = steps.org and claims.run = steps.run and claims.step = steps.step
                     and claims.item = steps.item
where steps.org = ?
union all
select history.run, history.step, history.item, history.state, history.fence, history.since, history.due,
       history.attempts, history.report, history.ask, history.input, history.last, history.traits, history.detail, false,
       null, null, null
from runs
     join step_history history on history.org = runs.org and history.run = runs.number
                              and history.ended_at >= runs.accepted_at
where runs.org = ?
order by run, step, item, as_opened

-- Claims that have rows of their own.
-- name: claims
select claims.run, claims.step, claims.item, claims.fence, claims.worker, claims.request, claims.lease,
       claims.granted_at, claims.until, claims.timeout_at, claims.ask, claims.starts
from claims
where claims.org = ?
order by claims.run, claims.step, claims.item

-- name: signals
select run, id, number, name, payload, at from signals where org = ? order by run, number

-- name: starts
select "limit", at, cost, count, period, "window", opens from starts where org = ? order by seq

-- name: pins
select "limit", parallelism, count, period, "window", until from pins where org = ?

-- name: pauses
select "limit", until from pauses where org = ?

-- name: holds
select "limit", until from holds where org = ?

-- name: modules
select module, slots, exclusive from modules where org = ?

-- name: workflows
select distinct on (name) name, version, hash from workflows where org = ? order by name, version desc
