-- "lateral ... offset 0" forces the planner to look up rows one by one, from the few to the many.

-- Claims inside runs' rows are looked up only in the given runs, because there may be very many other runs. The slices
-- show whether the steps of these claims have ended. Claims in pages are read by another query.
-- name: claims
select run.id, claims.step, claims.item, claims.fence, claims.lease_until, run.workflow, run.version
from claims,
     lateral (select * from runs where runs.org = claims.org and runs.number = claims.run offset 0) as run
where claims.org = ? and claims.run >= ?
union all
select run.id, claimed.step, -1, (run.claim ->> 1)::bigint, (run.claim ->> 7)::bigint, run.workflow, run.version
from unnest(?::bigint[], ?::smallint[]) as claimed (run, step),
     lateral (select runs.id, runs.workflow, runs.version, claim.entry as claim
              from runs, json_array_elements(runs.initial_claims::json) as claim (entry)
              where runs.org = ? and runs.number = claimed.run and (claim.entry ->> 0)::smallint = claimed.step
              offset 0) as run
where not exists (select from claims
                  where claims.org = ? and claims.run = claimed.run and claims.step = claimed.step and claims.item = -1
                  offset 0)
  and not exists (select from steps
                  where steps.org = ? and steps.run = claimed.run and steps.step = claimed.step and steps.item = -1
                  offset 0)

-- name: slice_runs
select id, number, state, workflow, version from runs where org = ? and number > ? order by number limit ?

-- The first rows of stored_live_steps. Each half is limited separately, so that a run with a million items is not
-- sorted.
-- name: slice_steps
select steps.run, steps.step, steps.item,
       case when coalesce(claim.fence, steps.claim_fence) > steps.fence then 'u' else steps.state end as state,
       greatest(steps.fence, claim.fence, steps.claim_fence) as fence
from ((select org, run, step, item, state, fence, null::bigint as claim_fence
       from steps
       where org = ? and run between ? and ?
       order by org, run, step, item
       limit ?)
      union all
      (select org, run, step, -1, 'r'::"char", 0, (claim ->> 1)::bigint
       from stored_initial_steps
       where org = ? and run between ? and ?
       order by run, step
       limit ?)) as steps
     left join lateral (select fence from claims
                        where claims.org = steps.org and claims.run = steps.run and claims.step = steps.step
                          and claims.item = steps.item
                        offset 0) as claim on true
order by steps.run, steps.step, steps.item
limit ?
