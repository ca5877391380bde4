-- name: find_run
select runs.id, runs.number, runs.workflow, runs.version, runs.state, runs.priority, run_ids.input,
       run_ids.started_by, runs.labels, runs.accepted_at, runs.started_at, null::bigint as ended_at, runs.ending,
       runs.start_options, runs.detail
from run_ids join runs on runs.org = run_ids.org and runs.number = run_ids.number
where run_ids.org = ? and run_ids.id = ?
union all
select runs.id, runs.number, runs.workflow, runs.version, runs.state, runs.priority, run_ids.input,
       run_ids.started_by, runs.labels, runs.accepted_at, runs.started_at, runs.ended_at, runs.ending,
       runs.start_options, runs.detail
from run_ids join run_history runs on runs.org = run_ids.org and runs.number = run_ids.number
where run_ids.org = ? and run_ids.id = ?

-- The runs that are searched for one page: a bounded number, whatever the filter.
-- name: look
select coalesce(min(number), 0) as oldest, count(*) as looked_at
from (select number from runs where org = ? and number < ?
      union all
      select number from run_history where org = ? and number < ?
      order by number desc
      limit ?) as looked_at

-- Runs without their inputs, neither the first nor an amended one. Otherwise a page would be as large as 200 inputs.
-- name: runs
select found.id, found.number, found.workflow, found.version, found.state, found.priority, found.labels,
       found.accepted_at, found.started_at, found.ended_at, found.ending, found.start_options,
       (found.detail::jsonb - 'input')::text as detail,
       (select run_ids.started_by from run_ids where run_ids.org = found.org and run_ids.id = found.id) as started_by
from (select org, id, number, workflow, version, state, priority, labels, accepted_at, started_at,
             null::bigint as ended_at, ending, start_options, detail
      from runs
      where org = ? and number >= ? and number < ? and (?::text is null or workflow = ?::text)
        and (?::text[] is null or state::text = any (?::text[]))
        and (?::text is null or labels::jsonb @> ?::jsonb)
        and (?::text is null
             or coalesce(start_options::jsonb ->> 'correlation', start_options::jsonb ->> 'root', id) = ?::text)
        and (?::text is null or strpos(id, ?::text) > 0)
        and (?::text is null
             or ?::text = (select run_ids.started_by from run_ids
                           where run_ids.org = runs.org and run_ids.id = runs.id))
        and (?::text is null
             or run_has_key(org, number, accepted_at,
                            (select step_list from workflows
                             where workflows.org = runs.org and workflows.name = runs.workflow
                               and workflows.version = runs.version),
                            initial_steps, null, ?::text))
      union all
      select org, id, number, workflow, version, state, priority, labels, accepted_at, started_at, ended_at, ending,
             start_options, detail
      from run_history
      where org = ? and number >= ? and number < ? and (?::text is null or workflow = ?::text)
        and (?::text[] is null or state::text = any (?::text[]))
        and (?::text is null or labels::jsonb @> ?::jsonb)
        and (?::text is null
             or coalesce(start_options::jsonb ->> 'correlation', start_options::jsonb ->> 'root', id) = ?::text)
        and (?::text is null or strpos(id, ?::text) > 0)
        and (?::text is null
             or ?::text = (select run_ids.started_by from run_ids
                           where run_ids.org = run_history.org and run_ids.id = run_history.id))
        and (?::text is null
             or run_has_key(org, number, accepted_at,
                            (select step_list from workflows
                             where workflows.org = run_history.org and workflows.name = run_history.workflow
                               and workflows.version = run_history.version),
                            null, final_steps, ?::text))
      order by number desc
      limit ?) as found
order by found.number desc

-- name: has_key
select run_has_key(found.org, found.number, found.accepted_at, workflows.step_list, found.initial_steps,
                   found.final_steps, ?)
from (select runs.org, runs.number, runs.accepted_at, runs.workflow, runs.version, runs.initial_steps,
             null as final_steps, runs.id
      from runs
      union all
      select runs.org, runs.number, runs.accepted_at, runs.workflow, runs.version, null, runs.final_steps, runs.id
      from run_history runs) as found
     join run_ids on run_ids.org = found.org and run_ids.number = found.number
     join workflows on workflows.org = found.org and workflows.name = found.workflow
                   and workflows.version = found.version
where run_ids.org = ? and run_ids.id = ?

-- Steps or items of a run within a range of items.
-- name: steps
select steps.step, steps.item, steps.state, steps.fence, steps.since, steps.due_at, steps.attempts, steps.report_hash,
       steps.limit_needs, steps.input, steps.last_update, steps.traits, steps.detail,
       null::bigint as ended_at,
       coalesce(claims.fence, (steps.claim ->> 1)::bigint) as claim_fence,
       coalesce(claims.attempts, (steps.claim ->> 2)::int) as claim_attempts,
       coalesce(claims.granted_at, (steps.claim ->> 6)::bigint) as granted_at
from stored_live_steps steps
     left join claims on claims.org = steps.org and claims.run = steps.run and claims.step = steps.step
                     and claims.item = steps.item
where steps.org = ? and steps.run = ? and steps.step between ? and ? and steps.item between ? and ?
union all
select step, item, state, fence, since, due_at, attempts, report_hash, limit_needs, input, last_update, traits,
       detail, ended_at, null, null,
       granted_at
from stored_ended_steps
where org = ? and run = ? and step between ? and ? and item between ? and ?
order by step, item
limit ?

-- The item that ended last.
-- name: last_item
select step, item, state, fence, since, due_at, attempts, report_hash, limit_needs, input, last_update, traits,
       detail,
       ended_at, null::bigint as claim_fence, null::int as claim_attempts, granted_at
from stored_ended_steps
where org = ? and run = ? and step = ? and item >= 0
order by ended_at desc, item desc
limit 1

-- An item is running if it has a claim or if its row says so. Items always have rows of their own, and only few have
-- claims.
-- name: item_counts
select step, sum(made)::bigint as made, sum(running)::bigint as running, sum(ended)::bigint as ended,
       sum(failed)::bigint as failed
from (select steps.step, count(*) as made,
             count(*) filter (where steps.state in ('u', 'i')
                                and not exists (select from claims
                                                where claims.org = steps.org and claims.run = steps.run
                                                  and claims.step = steps.step and claims.item = steps.item)) as running,
             0 as ended, 0 as failed
      from steps
      where steps.org = ? and steps.run = ? and steps.item >= 0
      group by steps.step
      union all
      select step, 0, count(*), 0, 0
      from claims
      where org = ? and run = ? and item >= 0
      group by step
      union all
      select step, count(*), 0, count(*), count(*) filter (where state = 'f')
      from stored_ended_steps
      where org = ? and run = ? and item >= 0
      group by step) items
group by step

-- name: workflows
select distinct on (name) name, version, hash, registered_at
from workflows where org = ? and name > ?
order by name, version desc
limit ?

-- name: find_workflow
select name, version, hash, definition, registered_at
from workflows
where org = ? and name = ? and (?::int is null or version = ?::int)
order by version desc
limit 1

-- name: last_token_uses
select name, last_used_at from api_tokens where org = ? and revoked_at is null and last_used_at is not null
