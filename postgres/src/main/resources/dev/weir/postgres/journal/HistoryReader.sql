-- name: run
select history.number, history.id, history.workflow, history.version, history.priority, history.state,
       history.accepted_at, history.started_at, history.last_grant_at, history.starts_in_tick, run_ids.input,
       run_ids.started_by, history.labels, history.start_options, history.limit_needs, history.ending,
       history.overrides, history.detail, null::bigint as rate_limit_hold_until, history.ended_at
from run_ids,
     lateral (select * from run_history
              where run_history.org = run_ids.org and run_history.number = run_ids.number
              offset 0) as history
where run_ids.org = ? and run_ids.id = ?

-- The steps of a run without its items. They ended while the run was live, which limits the partitions to read.
-- name: steps
select step, state, fence, since, due_at, attempts, report_hash, limit_needs, input, last_update, traits, detail,
       null::bigint as claim_fence, null::int as claim_attempts
from stored_ended_steps
where org = ? and run = ? and item = -1 and ended_at between ? and ?
order by step
