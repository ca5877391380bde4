-- name: last
select number, id, state, body, workflow, version, accepted_at, ended_at, ended_seq
from run_history where org = ? order by ended_seq desc limit ?

-- name: last_reports
select runs.ended_seq, history.step, history.item, history.fence, history.report
from (select number, accepted_at, ended_at, ended_seq
      from run_history where org = ? order by ended_seq desc limit ?) runs
     join step_history history on history.org = ? and history.run = runs.number
                              and history.ended_at between runs.accepted_at and runs.ended_at
where history.report is not null
order by runs.ended_seq desc

-- name: by_id
select history.number, history.id, history.state, history.body, history.workflow, history.version,
       history.accepted_at, history.ended_at, history.ended_seq
from run_ids join run_history history on history.org = run_ids.org and history.number = run_ids.number
where run_ids.org = ? and run_ids.id = any (?)
order by history.ended_seq

-- name: reports
select step, item, fence, report
from step_history
where org = ? and run = ? and ended_at between ? and ? and report is not null
