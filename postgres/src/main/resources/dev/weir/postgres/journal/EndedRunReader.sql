-- name: last
select number, id, state, request_hash, workflow, version, accepted_at, ended_at, ended_seq
from run_history
where org = ? and ended_seq > (select last_value from run_history_ended_seq) - ?
order by ended_seq desc
limit ?

-- name: last_reports
select runs.ended_seq, history.step, history.item, history.fence, history.report_hash
from (select number, accepted_at, ended_at, ended_seq
      from run_history
      where org = ? and ended_seq > (select last_value from run_history_ended_seq) - ?
      order by ended_seq desc
      limit ?) runs
     join stored_ended_steps history on history.org = ? and history.run = runs.number
                              and history.ended_at between runs.accepted_at and runs.ended_at
where history.report_hash is not null
order by runs.ended_seq desc, history.step, history.item < 0 desc, history.item desc

-- name: by_id
select history.number, history.id, history.state, history.request_hash, history.workflow, history.version,
       history.accepted_at, history.ended_at, history.ended_seq
from run_ids,
     lateral (select * from run_history
              where run_history.org = run_ids.org and run_history.number = run_ids.number
              offset 0) as history
where run_ids.org = ? and run_ids.id = any (?)
order by history.ended_seq

-- name: reports
select step, item, fence, report_hash
from stored_ended_steps
where org = ? and run = ? and ended_at between ? and ? and report_hash is not null
order by step, item < 0 desc, item desc
