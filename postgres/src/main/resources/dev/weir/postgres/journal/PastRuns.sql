-- name: run
select history.number, history.id, history.workflow, history.version, history.priority, history.state,
       history.accepted_at, history.started_at, history.last_grant_at, history.starts_in_tick, history.input,
       history.labels, history.start, history.ask, history.ending, history.overrides, history.detail, history.ended_at
from run_ids join run_history history on history.org = run_ids.org and history.number = run_ids.number
where run_ids.org = ? and run_ids.id = ?

-- Its steps without items. They ended while it lived, which tells the partitions.
-- name: steps
select step, state, fence, since, due, attempts, report, ask, input, last, traits, detail,
       null::bigint as claim_fence, null::int as claim_attempts
from step_history
where org = ? and run = ? and item = -1 and ended_at between ? and ?
order by step
